#include "archive.hpp"

#include "attest/model/npy.hpp"
#include "safetensors.hpp"
#include "text.hpp"
#include "zip_archive.hpp"

#include <algorithm>
#include <array>

namespace attest {

bool is_archive(const std::filesystem::path& file) { return file.extension() == ".npz" || file.extension() == ".safetensors"; }

void refuse_pickles(const std::filesystem::path& file) {
  constexpr std::array<const char*, 5> pickles{".pt", ".pth", ".ckpt", ".bin", ".pkl"};
  if (std::ranges::find(pickles, file.extension()) == pickles.end()) return;
  throw ArrayFault{"a " + file.extension().string() + " file, which only Python can unpickle",
                   "a .npz: in Python, numpy.savez(\"data.npz\", **{k: t.detach().cpu().numpy() for k, t in torch.load(\"" +
                       printable(file.filename().string()) + "\").items()})"};
}

std::vector<std::string> archive_arrays(const std::filesystem::path& file) {
  refuse_pickles(file);
  if (!is_archive(file)) throw ArrayFault{"a file that is not named .npz or .safetensors", "a .npz or .safetensors file"};
  return file.extension() == ".npz" ? array_names(file) : safetensors_names(file);
}

}  // namespace attest
