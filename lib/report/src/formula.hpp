#pragma once

#include <string>
#include <string_view>

namespace attest {

/// MathML of a formula in a small part of TeX: letters, numbers, operators, _ and ^, { }, \frac{}{}, \text{},
/// \mathrm{}, the Greek letters and the symbols listed in formula.cpp. An unknown command is shown as its name.
std::string mathml(std::string_view tex);

}  // namespace attest
