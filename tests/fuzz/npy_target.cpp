// The .npy reader of the library, and that of the checker beside it.
#include "array_oracle.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace attest;
  static const fuzz::Scratch scratch;
  const std::string_view text = fuzz::text_of(bytes, size);
  fuzz::require_same_array(read_array(scratch.write("x.npy", text), ""), fuzz::second_reading(text));
  return 0;
}
