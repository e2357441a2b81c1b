#pragma once

#include <string>
#include <vector>

#include "rational.hpp"

namespace attest::check {

/// A numeric array of NumPy, its values exact and in C order.
struct NpyArray {
  std::vector<std::size_t> shape;
  std::vector<Rational> values;
};

/// Reads the bytes of a .npy file: floats of 2, 4 or 8 bytes, integers of 1 to 8, either byte order,
/// C or Fortran order. Throws Rejected, also at a NaN or an infinity.
NpyArray parse_npy(std::string_view bytes);

/// Reads the member `name` of a .npz (zip) file, stored or deflated; throws Rejected. A few deflated bytes can hold any number of
/// zeros: of those fewer are read (§1).
NpyArray parse_npz(std::string_view zip, const std::string& name);

}  // namespace attest::check
