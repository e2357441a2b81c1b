#pragma once

#include <string>
#include <variant>

namespace attest {

/// Bad input, as a value: which file, where in it, what stood there and what was expected.
struct InputFault {
  std::string file;
  std::string path;  ///< JSON path such as $.claims[0].selection; empty when the whole file is meant
  std::string found;
  std::string expected;
};

/// "cases/a.json: $.labels[2]: found 0, expected 1 or -1"
std::string to_string(const InputFault& fault);

/// A value, or why the input does not give one.
template <class Value>
using OrFault = std::variant<Value, InputFault>;

}  // namespace attest
