#include "tight_directions.hpp"

#include "attest/model/token_rows.hpp"
#include "row_combination.hpp"
#include "row_values.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace attest {
namespace {

/// Products of numbers that the directions of all rows may need.
constexpr std::size_t most_direction_products = std::size_t{1} << 24U;

/// The products of rows of a W-SVM with each other, (D.D')(z.z'), in integers: a direction that is a sum of rows is judged by them alone.
class RowProducts {
 public:
  RowProducts(const SvmProgram& program, std::vector<std::size_t> rows) : rows_(program, std::move(rows)) {
    const std::vector<std::size_t>& names = rows_.rows();
    for (std::size_t k = 0; k < names.size(); ++k) {
      const std::size_t position = program.sample_position(names[k]);
      denominators_.emplace_back(rows_.vector(k).denominator * program.query(position).denominator);
      common_ = lcm(common_, denominators_.back());
      products_.emplace_back();
      for (std::size_t j = 0; j <= k; ++j)
        products_.back().emplace_back(dot(rows_.vector(j).numerators, rows_.vector(k).numerators) *
                                      program.query_product(program.sample_position(names[j]), position));
    }
  }

  std::size_t place(std::size_t row) const {
    const auto& names = rows_.rows();
    return static_cast<std::size_t>(std::ranges::lower_bound(names, row) - names.begin());
  }

  /// (sum entries_k a_k).a of a row, for the rows of a direction.
  Rational value(const TightDirection& direction, std::size_t row) const {
    const std::size_t c = place(row);
    Integer sum = 0;
    for (std::size_t k = 0; k < direction.rows.size(); ++k) {
      const std::size_t j = place(direction.rows[k]);
      sum += direction.entries[k] * (common_ / denominators_[j]) * products_[std::max(j, c)][std::min(j, c)];
    }
    return {sum, Integer(common_ * denominators_[c])};
  }

 private:
  TokenRows rows_;
  std::vector<Integer> denominators_;
  std::vector<std::vector<Integer>> products_;  // by the larger place
  Integer common_ = 1;
};

/// Rows before keys in doubles, one after the other.
std::vector<double> float_rows(const SvmProgram& program, const std::vector<std::size_t>& rows) {
  const std::size_t d = program.dimension();
  std::vector<double> values;
  values.reserve(rows.size() * d);
  for (const std::size_t row : rows) {
    const auto [i, t] = program.name(row);
    const ExactMatrix& tokens = program.problem().tokens[i];
    const auto chosen = tokens.image_row(program.selection()[i]);
    const auto other = tokens.image_row(t);
    const bool label = program.kind() == SvmProgram::Kind::v;
    for (std::size_t c = 0; c < d; ++c) values.push_back(label ? program.problem().labels[i] * chosen[c] : chosen[c] - other[c]);
  }
  return values;
}

/// A direction in doubles, before it is rounded.
std::vector<double> float_point(const SvmProgram& program, const std::vector<double>& rows, const std::vector<double>& weights) {
  const std::size_t d = program.dimension();
  std::vector<double> sum(d, 0);
  for (std::size_t k = 0; k < weights.size(); ++k)
    for (std::size_t c = 0; c < d; ++c) sum[c] += weights[k] * rows[k * d + c];
  if (!has_key_weights(program)) return sum;
  std::vector<double> key(d, 0);
  for (std::size_t a = 0; a < d; ++a)
    for (std::size_t b = 0; b < d; ++b) key[a] += program.problem().W->image_row(a)[b] * sum[b];
  return key;
}

class DirectionSearch {
 public:
  DirectionSearch(const SvmProgram& program, const BracketHint& hint, const SvmBracket& bracket)
      : program_(program), hint_(hint), bracket_(bracket), at_point_(program, bracket.point) {
    for (const Multiplier& multiplier : bracket.multipliers) total_ += nearest_double(multiplier.weight);
    for (const std::size_t row : hint.rows) {
      const FractionVector a = token_row(program, row);
      const double square = ratio_image(dot(a.numerators, a.numerators), Integer(a.denominator * a.denominator));
      largest_ = std::max(largest_, std::sqrt(square));
    }
    if (program.kind() != SvmProgram::Kind::w) {
      hint_rows_ = float_rows(program, hint.rows);
      at_point_floats_.emplace(bracket.point);
      for (const std::size_t row : bracket.possible) names_.push_back(program.name(row));
      return;
    }
    std::vector<std::size_t> rows;
    std::vector<std::size_t> hinted = hint.rows;
    std::ranges::sort(hinted);
    std::ranges::set_union(hinted, bracket.possible, std::back_inserter(rows));
    row_products_.emplace(program, std::move(rows));
  }

  /// e.a_c = 1, and slightly below 0 for the other rows of the hint; then rounded so finely that they stay below.
  std::optional<TightDirection> find(const Multiplier& multiplier) const {
    const double below = nearest_double(multiplier.weight) / (4 * total_);
    std::vector<double> right;
    for (const std::size_t row : hint_.rows) right.push_back(row == multiplier.row ? 1 : -below);
    const std::vector<double> weights = hint_.solve(right);
    const bool matrix = program_.kind() == SvmProgram::Kind::w;
    std::vector<double> point = matrix ? weights : float_point(program_, hint_rows_, weights);
    const double steps = unit(below);
    for (double& entry : point) entry = std::round(entry * steps);
    if (!std::ranges::all_of(point, [](double entry) { return std::isfinite(entry); })) return std::nullopt;
    const bool seen = !matrix && !has_key_weights(program_) && doubles_show(point, multiplier.row);
    TightDirection direction = whole_numbers(point);
    return seen || shows(direction, multiplier.row) ? std::optional(std::move(direction)) : std::nullopt;
  }

 private:
  /// How many steps of rounding make 1: half a step in each entry may move e.a by half of `below` at most.
  double unit(double below) const {
    double most = static_cast<double>(program_.dimension()) * largest_;
    if (has_key_weights(program_)) {
      double square = 0;
      for (const double entry : program_.problem().W->image()) square += entry * entry;
      most *= std::sqrt(square);
    }
    if (program_.kind() == SvmProgram::Kind::w) {
      double longest = 0;
      for (std::size_t k = 0; k < program_.samples().size(); ++k) {
        const Integer& denominator = program_.query(k).denominator;
        longest = std::max(longest, ratio_image(program_.query_product(k, k), Integer(denominator * denominator)));
      }
      most = static_cast<double>(hint_.rows.size()) * largest_ * largest_ * longest;
    }
    return most / below;
  }

  TightDirection whole_numbers(const std::vector<double>& point) const {
    TightDirection direction;
    const bool matrix = program_.kind() == SvmProgram::Kind::w;
    for (std::size_t k = 0; k < point.size(); ++k) {
      if (matrix && point[k] == 0) continue;
      direction.entries.emplace_back(point[k]);
      if (matrix) direction.rows.push_back(hint_.rows[k]);
    }
    return direction;
  }

  /// Whether doubles and the bounds of their errors are enough to see it; without keys. What they do not see exact numbers may.
  bool doubles_show(const std::vector<double>& e, std::size_t tight) const {
    const FloatEvaluator values(e);
    const bool label = program_.kind() == SvmProgram::Kind::v;
    std::size_t last = program_.problem().sample_count();
    BoundedValue chosen{};
    for (std::size_t k = 0; k < names_.size(); ++k) {
      const auto [i, t] = names_[k];
      const ExactMatrix& tokens = program_.problem().tokens[i];
      if (i != last) chosen = values(tokens.image_row(program_.selection()[i]));
      last = i;
      if (bracket_.possible[k] == tight) continue;
      const int sign = label ? program_.problem().labels[i] : 1;
      const BoundedValue value =
          label ? BoundedValue{sign * chosen.value, chosen.error} : difference_of(chosen, values(tokens.image_row(t)));
      if (!(value.value + value.error <= -0x1p-50 * std::abs(value.value))) return false;
    }
    const BoundedValue along = (*at_point_floats_)(e);
    double square = 0;
    for (const double entry : e) square += entry * entry;
    const double least = along.value - 2 * along.error;
    const double far = upper_double(bracket_.distance);
    return least > 0 && least * least > square * far * far * (1 + 0x1p-30);
  }

  bool shows(const TightDirection& direction, std::size_t tight) const {
    return program_.kind() == SvmProgram::Kind::w ? matrix_shows(direction, tight) : vector_shows(direction, tight);
  }

  /// e.w > |e| delta
  bool goes_far(const Rational& along, const Rational& square) const {
    return along > 0 && along * along > square * bracket_.distance * bracket_.distance;
  }

  bool vector_shows(const TightDirection& direction, std::size_t tight) const {
    const FractionVector e{direction.entries, 1};
    const RowValues values(program_, e);
    for (const std::size_t row : bracket_.possible) {
      if (row == tight) continue;
      const BoundedValue value = values.of(row);
      if (value.value + value.error <= 0) continue;
      if (value.value - value.error > 0 || values.exact(row) > 0) return false;
    }
    return goes_far(Rational(dot(e.numerators, bracket_.point.numerators), bracket_.point.denominator), dot(e.numerators, e.numerators));
  }

  bool matrix_shows(const TightDirection& direction, std::size_t tight) const {
    for (const std::size_t row : bracket_.possible)
      if (row != tight && row_products_->value(direction, row) > 0) return false;
    Rational along = 0;
    Rational square = 0;
    for (std::size_t k = 0; k < direction.rows.size(); ++k) {
      along += direction.entries[k] * at_point_.exact(direction.rows[k]);
      square += direction.entries[k] * row_products_->value(direction, direction.rows[k]);
    }
    return goes_far(along, square);
  }

  const SvmProgram& program_;
  const BracketHint& hint_;
  const SvmBracket& bracket_;
  RowValues at_point_;
  std::optional<RowProducts> row_products_;        // of the W-SVM
  std::vector<double> hint_rows_;                  // of other programs: of the hint, before keys
  std::optional<FloatEvaluator> at_point_floats_;  // x.point for the directions x
  std::vector<RowName> names_;                     // of the possible rows
  double total_ = 0;
  double largest_ = 0;
};

}  // namespace

bool can_show_all(const SvmProgram& program, const SvmBracket& bracket) {
  const std::size_t rows = bracket.possible.size();
  const std::size_t each = program.kind() == SvmProgram::Kind::w ? 2 * rows + program.dimension() : program.dimension();
  return rows * rows * each <= most_direction_products;
}

void show_tight_rows(const SvmProgram& program, const BracketHint& hint, SvmBracket& bracket) {
  const DirectionSearch search(program, hint, bracket);
  for (const Multiplier& multiplier : bracket.multipliers) {
    if (!std::ranges::binary_search(bracket.possible, multiplier.row)) continue;
    std::optional<TightDirection> direction = search.find(multiplier);
    if (!direction) continue;
    bracket.support.push_back(multiplier.row);
    bracket.directions.push_back(*std::move(direction));
  }
}

std::optional<TightDirection> show_tight(const SvmProgram& program, const BracketHint& hint, const SvmBracket& bracket, std::size_t row) {
  const auto found = std::ranges::find(bracket.multipliers, row, &Multiplier::row);
  if (found == bracket.multipliers.end() || !std::ranges::binary_search(bracket.possible, row)) return std::nullopt;
  return DirectionSearch(program, hint, bracket).find(*found);
}

}  // namespace attest
