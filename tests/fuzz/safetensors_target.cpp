// The .safetensors reader: one array by its name, and the whole archive as data.
#include "array_oracle.hpp"

#include "attest/model/case_file.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace attest;
  static const fuzz::Scratch scratch;
  const auto file = scratch.write("data.safetensors", fuzz::text_of(bytes, size));
  fuzz::require_same_array(read_array(file, "X"), std::nullopt);
  const auto data = read_data(file);
  if (const auto* fault = std::get_if<InputFault>(&data)) fuzz::require_clear(to_string(*fault));
  return 0;
}
