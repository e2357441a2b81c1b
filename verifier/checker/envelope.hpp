#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "limit_rows.hpp"
#include "loss_bounds.hpp"
#include "number.hpp"

namespace attest::check {

// What the envelopes of paths (§4.24 to §4.26, §4.29) share.

/// Throws Rejected unless the clause holds; `what` names it.
inline void demand(bool holds, const Json& where, const std::string& what) {
  if (!holds) where.fail(what);
}

/// Enclosures that have no value reject what they were to show.
template <typename Body>
auto in_clause(const std::string& name, const Json& where, const Body& body) {
  try {
    return body();
  } catch (const Undefined& why) {
    where.fail(name + ": " + why.what());
  }
}

/// Θ = 1/√N
Number theta_of(const LimitSvm& svm);

/// λ̂_c = λ_c/N for the listed row.
Rational normed(const LimitSvm& svm, const RowTerm& multiplier);

/// ω = ω' − (⟨ω', w⟩/N) w with ω' = Σ x_c a_c: what moves the competitor across w.
struct Shift {
  Shift(const LimitRows& rows, const LimitSvm& svm, const Json& coefficients);

  Rational squared;              ///< |ω|²
  std::vector<Rational> values;  ///< ω_c = ⟨a_c, ω⟩ by row
};

/// The point ρŵ + ω at the least radius R0 (clause 4 of §4.24).
struct Competitor {
  Competitor(const LimitSvm& svm, const Rational& radius, const Number& shift_squared, const std::vector<Number>& shift_values);

  Number rho;
  std::vector<Number> e;  ///< by row: e^(−y_c) is at most e^(−RΘ) e_c for all R ≥ R0
};

/// Clause 4 of §4.24 for a rational shift.
Competitor require_competitor(const LimitSvm& svm, const Rational& radius, const Shift& shift, const Json& where);

/// 0 < μ_i ≤ −ℓ' ≤ M_i on the range of sample i.
struct SlopeRange {
  Rational least = 0;
  Rational most = 0;
};

/// Clause 6 of §4.24: `slopes` has null for a sample with one token, else bounds that the jet of the loss on its range shows.
std::vector<SlopeRange> require_slopes(const Json& node, const Problem& problem, const std::vector<Interval>& ranges);

/// [max(γ_iα − below, min_t γ_it), min(γ_iα + above, max_t γ_it)] by sample.
std::vector<Interval> score_ranges(const Scores& scores, const Selection& selection, const Rational& below, const Rational& above);

/// H(κ) = Σ λ̂_c log(κ_c/λ̂_c) over the listed rows; `kappa` is by row.
Number jensen(const LimitSvm& svm, const std::vector<Rational>& kappa);

/// Clause 8 of §4.24: D < R0 Θ and 2D ≤ KΘ.
void require_offset(const Number& offset, const Number& theta, const Rational& radius, const Rational& square, const Json& where);

/// From which radius on, and the square of the error times the radius.
struct EnvelopeEntry {
  Rational radius;
  Rational square;
};

/// `envelope` of a statement: not empty, its radii > 0 and strictly ascending, its squares > 0; each entry has these keys.
std::vector<EnvelopeEntry> read_envelope(const Json& node, std::initializer_list<std::string_view> keys);

/// Refuses what would take unreasonably long.
void require_little_work(std::size_t entries, std::size_t rows, const Json& where);

}  // namespace attest::check
