#include "selection_tree.hpp"

#include <algorithm>
#include <optional>

namespace attest::check {

namespace {

using Vector = std::vector<Integer>;
constexpr std::size_t open_sample = static_cast<std::size_t>(-1);
constexpr std::size_t longest_scale = std::size_t{1} << 26U;  // in bits; §1

Integer integer_dot(const Vector& a, const Vector& b) {
  Integer sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * b[c];
  return sum;
}

void add(Vector& to, const Integer& factor, const Vector& vector) {
  for (std::size_t c = 0; c < to.size(); ++c) to[c] += factor * vector[c];
}

/// The tokens that sample i offers in the cells of sample j.
std::vector<std::size_t> offered(const TreeFrame& frame, std::size_t j, std::size_t i) {
  std::vector<std::size_t> tokens;
  for (std::size_t t = 0; t < frame.problem.tokens[i].size(); ++t)
    if (i != j || t != frame.selection[i]) tokens.push_back(t);
  return tokens;
}

/// √A ≤ √B − c with √B − c ≥ 0, for A, B, c ≥ 0.
bool at_most_root_less(const Rational& A, const Rational& B, const Rational& c) {
  const Rational square = c * c;
  const Rational gap = B + square - A;
  return square <= B && gap >= 0 && gap * gap >= 4 * square * B;
}

/// The points of one end of a cell, as integers: everything below is multiplied by scale_.
class End {
 public:
  End(const TreeFrame& frame, std::size_t j, const Rational& delta) : frame_(frame), delta_(delta) {
    Integer common = 1;
    for (const auto& sample : frame.problem.tokens)
      for (const ScaledVector& token : sample) common = lcm(common, token.denominator);
    Integer counts = 1;
    for (std::size_t i = 0; i < frame.problem.tokens.size(); ++i) counts = lcm(counts, Integer(offered(frame, j, i).size()));
    scale_ = common * denominator(delta) * counts;
    if (msb(scale_) > longest_scale) throw Rejected("the common denominator of the tokens is too long");
    for (std::size_t i = 0; i < frame.problem.tokens.size(); ++i) add_sample(j, i);
    for (std::size_t i = 0; i < samples_.size(); ++i) find_reach(i);
  }

  [[nodiscard]] bool closes(const WeightList& list, const std::vector<std::size_t>& assigned) const {
    Vector centre(frame_.problem.dimension(), 0);
    for (const auto& [i, weight] : list.entries)
      add(centre, weight, assigned[i] == open_sample ? samples_[i].mean : samples_[i].points[assigned[i]]);
    Integer bound = integer_dot(centre, centre);
    for (const auto& [i, weight] : list.entries)
      if (assigned[i] == open_sample) bound += weight * worst_of(i, weight, centre, list, assigned);
    const Integer unit = scale_ * list.denominator;
    return at_most_root_less(Rational(bound, unit * unit), frame_.gamma_squared, frame_.slope * delta_);
  }

 private:
  struct Sample {
    std::vector<Vector> points;
    Vector mean;
    std::vector<Vector> deviations;
    std::vector<Vector> reach;  // by point and other sample: the largest product with a deviation of that sample
  };

  void add_sample(std::size_t j, std::size_t i) {
    Sample sample;
    const auto scaled = [&](const ScaledVector& token, const Rational& factor) {
      Vector result;
      const Rational whole = factor * frame_.problem.labels[i] * scale_ / token.denominator;
      for (const Integer& entry : token.numerators) result.push_back(numerator(Rational(whole * entry)));
      return result;
    };
    const auto& tokens = frame_.problem.tokens[i];
    for (const std::size_t t : offered(frame_, j, i)) {
      Vector point = scaled(tokens[t], frame_.in_support[i] ? delta_ : Rational(1));
      if (frame_.in_support[i]) add(point, 1, scaled(tokens[frame_.selection[i]], 1 - delta_));
      sample.points.push_back(std::move(point));
    }
    sample.mean.assign(frame_.problem.dimension(), 0);
    for (const Vector& point : sample.points) add(sample.mean, 1, point);
    for (Integer& entry : sample.mean) entry /= sample.points.size();  // exact: scale_ holds the number of points
    for (const Vector& point : sample.points) {
      sample.deviations.push_back(point);
      add(sample.deviations.back(), -1, sample.mean);
    }
    samples_.push_back(std::move(sample));
  }

  void find_reach(std::size_t i) {
    for (const Vector& deviation : samples_[i].deviations) {
      Vector& reach = samples_[i].reach.emplace_back();
      for (const Sample& other : samples_) {
        Integer best = integer_dot(deviation, other.deviations.front());
        for (const Vector& theirs : other.deviations) best = std::max(best, integer_dot(deviation, theirs));
        reach.push_back(std::move(best));
      }
    }
  }

  /// max_t of 2 e_it·C + λ_i e_it·e_it + Σ_k λ_k max_t' e_it·e_kt'
  [[nodiscard]] Integer worst_of(std::size_t i, const Integer& own, const Vector& centre, const WeightList& list,
                                 const std::vector<std::size_t>& assigned) const {
    std::optional<Integer> worst;
    for (std::size_t t = 0; t < samples_[i].points.size(); ++t) {
      const Vector& deviation = samples_[i].deviations[t];
      Integer value = 2 * integer_dot(deviation, centre) + own * integer_dot(deviation, deviation);
      for (const auto& [k, weight] : list.entries)
        if (k != i && assigned[k] == open_sample) value += weight * samples_[i].reach[t][k];
      if (!worst || value > *worst) worst = std::move(value);
    }
    return *worst;
  }

  const TreeFrame& frame_;
  Rational delta_;
  Integer scale_;
  std::vector<Sample> samples_;
};

/// An inner node on the way from the root to the node at hand.
struct TreeBranch {
  const Json* node;
  std::size_t sample;
  std::size_t next_child;
};

/// The sample of an inner node [i, node, …]; throws Rejected unless it has one child for each token offered.
std::size_t read_branch(const TreeFrame& frame, std::size_t j, const Json& node, const std::vector<std::size_t>& assigned) {
  if (node.array().empty()) node.fail("an empty array");
  const std::size_t i = read_sample(*node.items.front(), frame.problem);
  if (assigned[i] != open_sample) node.fail("sample " + std::to_string(i) + " is assigned above");
  if (node.items.size() != offered(frame, j, i).size() + 1) node.fail("not one child for each token that the sample offers");
  return i;
}

}  // namespace

WeightList read_weight_list(const Json& node, const Problem& problem) {
  WeightList list;
  std::vector<Rational> weights;
  Rational sum = 0;
  for (const Json* entry : node.array()) {
    const auto& parts = entry->array(2);
    const std::size_t i = read_sample(*parts[0], problem);
    if (!list.entries.empty() && list.entries.back().first >= i) entry->fail("not in strictly ascending order");
    weights.push_back(read_rational(*parts[1]));
    if (weights.back() <= 0) entry->fail("the weight is not > 0");
    sum += weights.back();
    list.entries.emplace_back(i, 0);
  }
  if (sum != 1) node.fail("the weights do not sum to 1");
  const ScaledVector scaled = scale(weights);
  list.denominator = scaled.denominator;
  for (std::size_t k = 0; k < weights.size(); ++k) list.entries[k].second = scaled.numerators[k];
  return list;
}

std::vector<WeightList> read_weight_lists(const Json& node, const Problem& problem) {
  std::vector<WeightList> lists;
  for (const Json* item : node.array()) lists.push_back(read_weight_list(*item, problem));
  return lists;
}

void require_closed_tree(const TreeFrame& frame, std::size_t j, const Rational& from, const Rational& upto, const Json& tree) {
  const std::vector<End> ends = {End(frame, j, from), End(frame, j, upto)};
  std::vector<std::size_t> assigned(frame.problem.tokens.size(), open_sample);
  std::vector<TreeBranch> path;  // a stack of our own: the tree may be deep
  for (const Json* node = &tree; node != nullptr;) {
    if (node->kind == JsonKind::array) {
      path.push_back({node, read_branch(frame, j, *node, assigned), 0});
    } else {
      const std::size_t index = node->index();
      if (index >= frame.weights.size()) node->fail("there is no such weight list");
      for (const End& end : ends)
        if (!end.closes(frame.weights[index], assigned)) node->fail("the weights do not close the node");
    }
    while (!path.empty() && path.back().next_child + 1 == path.back().node->items.size()) {
      assigned[path.back().sample] = open_sample;
      path.pop_back();
    }
    node = nullptr;
    if (!path.empty()) {
      TreeBranch& branch = path.back();
      assigned[branch.sample] = branch.next_child;
      node = branch.node->items[++branch.next_child];
    }
  }
}

}  // namespace attest::check
