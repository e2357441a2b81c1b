#include "descent_facts.hpp"

#include "key_products.hpp"

namespace attest::check {

namespace {

constexpr std::size_t fewest_run_bits = 64;
constexpr std::size_t most_run_bits = std::size_t{1} << 15U;

Method read_method(const Json& node) {
  const std::string& method = node.string();
  if (method == "constant") return Method::constant;
  if (method == "normalised") return Method::normalised;
  if (method != "flow") node.fail("none of constant, normalised, flow");
  return Method::flow;
}

/// `step`: 0 for the flow that is not followed, which has none.
Rational read_step(const Json& statement, Method method, std::size_t iterations) {
  if (method != Method::flow || iterations > 0) return read_positive(statement.at("step"));
  if (const Json* step = statement.find("step"); step != nullptr) step->fail("not allowed for flow without iterations");
  return 0;
}

/// d numbers, or for W d rows of d numbers; the string "0" for zeros.
Point read_start(const Json& node, Over over, std::size_t dimension) {
  const std::size_t rows = over == Over::p ? 1 : dimension;
  if (node.kind == JsonKind::string) {
    if (node.text != "0") node.fail("neither 0 nor an array");
    return Point(rows, scale(std::vector<Rational>(dimension, 0)));
  }
  return read_point(node, over, dimension);
}

std::size_t read_iterations(const Json& node, Method method, Over over) {
  const std::size_t iterations = node.index();
  if (method == Method::flow && over == Over::W && iterations != 0) node.fail("not 0, but the method is flow over W");
  return iterations;
}

std::size_t read_bits(const Json& node) {
  const std::size_t bits = node.index();
  if (bits < fewest_run_bits || bits > most_run_bits) node.fail("not between 64 and 32768");
  return bits;
}

}  // namespace

Rational read_positive(const Json& node) {
  Rational value = read_rational(node);
  if (value <= 0) node.fail("not > 0");
  return value;
}

DescentFacts::DescentFacts(const std::string& claim, const Problem& problem_, const Json& statement, const Json& witness)
    : problem(problem_), method(read_method(statement.at("method"))), over(read_over_of_claim(statement.at("over"), claim)),
      iterations(read_iterations(statement.at("iterations"), method, over)), step(read_step(statement, method, iterations)),
      bits(read_bits(witness.at("bits"))), scores(scores_of(problem)), bounds(require_loss_block(witness.at("loss"), problem.loss, scores)),
      rows(problem, over, read_selection(statement.at("selection"), problem)), gaps(rows.gaps(scores)), start_(statement.at("start")) {
  Integer work = iterations;
  std::size_t tokens = 0;
  for (const auto& sample : problem.tokens) tokens += sample.size();
  work *= tokens;
  work *= bits;
  if (work > (Integer(1) << 32U)) throw Rejected("refused: too much work");
}

RunEnd DescentFacts::follow() const {
  if (from_everywhere()) start_.fail("null, which only descent-basin allows");
  try {
    return follow_run({&problem, &scores, &rows, bounds, method, read_start(start_, over, problem.dimension()), step, iterations, bits});
  } catch (const Undefined& why) {
    throw Rejected(std::string("the run: ") + why.what());
  }
}

void with_enough_bits(const DescentFacts& facts, const std::function<void(const Arithmetic&)>& clauses) {
  constexpr std::size_t usual = 256;
  if (facts.bits <= usual) return clauses(Arithmetic(usual));
  try {
    clauses(Arithmetic(usual));
  } catch (const Rejected&) {
    clauses(Arithmetic(static_cast<std::int64_t>(facts.bits)));
  }
}

EnclosedRows::EnclosedRows(const SolvedDescent& facts, const RunEnd& end, const Arithmetic& arithmetic)
    : norm_squared(facts.svm.norm_squared, arithmetic), norm(root(norm_squared)), run_along(Rational(0), arithmetic) {
  for (std::size_t c = 0; c < facts.rows.size(); ++c) {
    y.emplace_back(end.values[c], arithmetic);
    gap.emplace_back(facts.gaps[c], arithmetic);
    theta.emplace_back(facts.svm.theta[c], arithmetic);
    const Rational squared = facts.rows.product(c, c);
    across.push_back(root(norm_squared.like(squared - facts.svm.theta[c] * facts.svm.theta[c] / facts.svm.norm_squared)));
    length.push_back(root(norm_squared.like(squared)));
  }
  const std::size_t n = facts.problem.tokens.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Rational& best = facts.scores[i][facts.rows.selection()[i]];
    push.push_back(-(Enclosed(facts.problem.loss.jet(best, best, arithmetic).first, arithmetic) / Rational(n)));
  }
  for (const auto& [c, value] : facts.svm.lambda) run_along += value * y[c];
}

SampleSums::SampleSums(const DescentFacts& facts, const EnclosedRows& rows, const EnclosedVector& bound) {
  const std::size_t n = facts.problem.tokens.size();
  const Enclosed zero = rows.norm.like(0);
  all.assign(n, zero);
  weighted.assign(n, zero);
  for (std::size_t c = 0; c < bound.size(); ++c) {
    const std::size_t i = facts.rows.sample(c);
    all[i] += bound[c];
    weighted[i] += size(rows.gap[c]) * bound[c];
  }
  for (std::size_t i = 0; i < n; ++i) bend.push_back(facts.bounds.m0 * weighted[i] / (Rational(n) * rows.push[i]));
}

}  // namespace attest::check
