#pragma once

namespace attest::exit_code {

inline constexpr int success = 0;          ///< every claim as expected
inline constexpr int not_as_expected = 1;  ///< some claim is not
inline constexpr int bad_input = 2;        ///< bad usage or input; nothing was run
inline constexpr int internal_fault = 3;   ///< a bug of attest

}  // namespace attest::exit_code
