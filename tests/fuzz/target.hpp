#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

// What every target of tests/fuzz is made of. A target is one function that takes any bytes; it ends in a value or a clear fault, and
// whatever else happens (a signal, another exception, a broken demand) is a finding. libFuzzer calls it with bytes of its own,
// run_corpus.cpp with those of files.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace attest::fuzz {

inline std::string_view text_of(const std::uint8_t* bytes, std::size_t size) { return {reinterpret_cast<const char*>(bytes), size}; }

/// A demand of the target on the code: broken, it ends the process, which keeps the input.
inline void require(bool holds, std::string_view what) {
  if (holds) return;
  std::cerr << "broken demand: " << what << std::endl;
  std::abort();
}

/// What is said of bad input says something, on one line, and cannot steer a terminal.
inline void require_clear(std::string_view said) {
  require(!said.empty(), "a fault says what it is");
  for (const char c : said) require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F, "a fault has no control characters");
}

/// A folder of this process for the files that readers are given by name; gone at its end.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "attest-fuzz-XXXXXX").string();
    require(mkdtemp(name.data()) != nullptr, "a temporary folder");
    folder_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::filesystem::path write(const char* name, std::string_view bytes) const {
    std::ofstream(folder_ / name, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return folder_ / name;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace attest::fuzz
