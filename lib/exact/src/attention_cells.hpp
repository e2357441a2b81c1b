#pragma once

#include "label_margin.hpp"

#include <vector>

namespace attest {

/// The tokens that a sample offers in the cells of `mover`: all of them, save the selected one of the mover itself.
std::vector<std::size_t> offered_tokens(const LabelMargin& margin, std::size_t mover, std::size_t sample);

/// The points that samples offer when 1 - s_j,alpha_j = delta for the mover j and no other support vector moves further:
/// z_i,alpha_i + delta (z_it - z_i,alpha_i) for i in S, and z_it for the others. [docs/theory.md, 4.3]
OfferedPoints cell_points(const LabelMargin& margin, std::size_t mover, const Rational& delta);

/// Gamma - nu delta must not be exceeded at one end of a cell.
MarginBound cell_end(const LabelMargin& margin, std::size_t mover, const Rational& delta, const Rational& nu);

/// All tokens of all samples, against Gamma itself.
MarginBound all_tokens(const LabelMargin& margin, const Rational& target_squared);

}  // namespace attest
