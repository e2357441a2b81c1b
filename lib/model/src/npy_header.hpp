#pragma once

#include "byte_stream.hpp"

#include <cstddef>
#include <vector>

namespace attest {

/// The numbers that are read; each is exact in a double or refused. bf2 is the upper half of f4; b1 is true or false, 1 or 0.
enum class NumberType { f2, bf2, f4, f8, i1, i2, i4, i8, u1, u2, u4, u8, b1 };

std::size_t width_of(NumberType type);

/// What stands before the numbers of a .npy file.
struct NpyHeader {
  NumberType type = NumberType::f8;
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::size_t> shape;  ///< at most four axes
};

/// Reads the header, versions 1.0 to 3.0, and leaves the stream at the first number. Throws ArrayFault.
NpyHeader read_npy_header(ByteStream& stream);

}  // namespace attest
