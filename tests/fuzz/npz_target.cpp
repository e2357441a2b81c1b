// The .npz readers: one array by its name, by the library and by the checker, and the whole archive as data.
#include "array_oracle.hpp"

#include "attest/model/case_file.hpp"

namespace {

std::optional<attest::check::NpyArray> member_again(std::string_view zip) {
  try {
    return attest::check::parse_npz(zip, "X.npy");
  } catch (const attest::check::Rejected& why) {
    attest::fuzz::require_clear(why.what());
    return std::nullopt;
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace attest;
  static const fuzz::Scratch scratch;
  const std::string_view text = fuzz::text_of(bytes, size);
  const auto file = scratch.write("data.npz", text);
  fuzz::require_same_array(read_array(file, "X"), member_again(text));
  for (const LabelCoding labels : {LabelCoding::signs, LabelCoding::zero_one}) {
    const auto data = read_data(file, labels);
    if (const auto* fault = std::get_if<InputFault>(&data)) fuzz::require_clear(to_string(*fault));
  }
  return 0;
}
