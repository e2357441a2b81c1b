#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace attest {

/// An array of numbers from a .npy file, or a .npz or .safetensors archive, in C order. f2, f4, f8, integers and booleans only; an
/// integer that is not a double (beyond 2^53) is a fault, never rounded.
struct NumericArray {
  std::vector<std::size_t> shape;
  std::vector<double> values;
  bool booleans = false;  ///< 1 for true, 0 for false
};

/// Why an array could not be read.
struct ArrayFault {
  std::string found;
  std::string expected;
};

/// "[3][0][1]": where in an array of that shape the number stands that is at `place` in C order.
std::string index_text(const std::vector<std::size_t>& shape, std::size_t place);

/// "(2, 3)", as Python writes it.
std::string shape_text(const std::vector<std::size_t>& shape);

/// `array` names the member of an archive; it must be empty for a .npy.
std::variant<NumericArray, ArrayFault> read_array(const std::filesystem::path& file, const std::string& array);

}  // namespace attest
