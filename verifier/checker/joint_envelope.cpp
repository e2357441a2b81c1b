#include "joint_envelope.hpp"

#include <algorithm>

#include "attention.hpp"
#include "envelope.hpp"
#include "selection_tree.hpp"

namespace attest::check {

namespace {

/// The numbers of the statement.
struct Stated {
  explicit Stated(const Json& statement)
      : nu(read_rational(statement.at("nu"))), gamma_squared(read_rational(statement.at("gamma_squared"))),
        r(read_rational(statement.at("r"))), R(read_rational(statement.at("R"))), theta(read_rational(statement.at("theta"))),
        c(read_rational(statement.at("c"))), head_theta(read_rational(statement.at("head_theta"))),
        head_c(read_rational(statement.at("head_c"))) {
    demand(r > 0, statement.at("r"), "not > 0");
    demand(R > 0, statement.at("R"), "not > 0");
    demand(theta >= 0, statement.at("theta"), "is negative");
    demand(c >= 0, statement.at("c"), "is negative");
    demand(head_c >= 0, statement.at("head_c"), "is negative");
  }

  Rational nu;
  Rational gamma_squared;
  Rational r;
  Rational R;
  Rational theta;
  Rational c;
  Rational head_theta;
  Rational head_c;
};

/// What theorem J asks of one sample; margins are of v, so that γ̄_it = Γ·margin.
struct Sample {
  Rational margin;                   ///< of the selected token, ≥ 1
  std::vector<Rational> leads;       ///< by token: margin of the selected one less margin of the token
  std::vector<Rational> distances2;  ///< by token: ‖x_it − x_iα‖²
  Number others = 0;                 ///< E_i
  Number excess = 0;                 ///< Γ − g_i = Γ(1 − margin) + B_i E_i
  Number loss = 0;                   ///< B_i E_i
  Number distance = 0;               ///< max_t ‖x_it − x_iα‖
};

std::vector<Sample> read_samples(const Problem& problem, const Selection& selection, const LabelMargin& label) {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
    const ScaledVector& chosen = problem.tokens[i][selection[i]];
    Sample sample;
    sample.margin = problem.labels[i] * dot(label.v, chosen);
    for (const ScaledVector& token : problem.tokens[i]) {
      sample.leads.emplace_back(sample.margin - problem.labels[i] * dot(label.v, token));
      sample.distances2.emplace_back(dot(token, token) - 2 * dot(token, chosen) + dot(chosen, chosen));
    }
    sample.distance = sqrt(Number(*std::max_element(sample.distances2.begin(), sample.distances2.end())));
    samples.push_back(std::move(sample));
  }
  return samples;
}

/// E_i, B_i E_i and Γ − g_i. The lead of the selected token is 0, so the largest is max(0, …).
void add_attention(std::vector<Sample>& samples, const Stated& stated, const LimitRows& rows, const LimitSvm& svm, const Number& gamma) {
  const Number theta = theta_of(svm);
  for (std::size_t c = 0; c < rows.size(); ++c) samples[rows.sample(c)].others += exp_up(-(Rational(stated.R * svm.theta[c]) * theta));
  for (Sample& sample : samples) {
    sample.loss = *std::max_element(sample.leads.begin(), sample.leads.end()) * gamma * sample.others;
    sample.excess = Rational(1 - sample.margin) * gamma + sample.loss;
  }
}

/// Clause 4.
void require_margin(const std::vector<Sample>& samples, const Stated& stated, const Number& gamma, const Json& statement) {
  demand(is_less(stated.theta, gamma), statement.at("theta"), "clause 4: theta < Gamma is not shown");
  Number sum = 0;
  Number rest = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    demand(is_at_most(samples[i].excess, stated.theta), statement.at("theta"), "clause 4: too small for sample " + std::to_string(i));
    sum += exp_up(stated.r * (samples[i].excess - stated.theta));
    rest += log(1 + exp_up(stated.r * (samples[i].excess - gamma)));
  }
  demand(is_at_most(log(sum) + rest, stated.c), statement.at("c"), "clause 4: c is too small");
  demand(is_less(stated.c, stated.r * (gamma - stated.theta)), statement.at("r"), "clause 4: r (Gamma - theta) > c is not shown");
}

/// λ̄ by sample: Σ λ̄_i z_iα = gamma_squared·v.
std::vector<Rational> require_label_weights(const Problem& problem, const Selection& selection, const LabelMargin& label,
                                            const Stated& stated, const Json& node) {
  const WeightList list = read_weight_list(node, problem);
  std::vector<Rational> weights(problem.tokens.size(), 0);
  WeightedVectors terms;
  for (const auto& [i, numerator] : list.entries) {
    weights[i] = Rational(numerator, list.denominator);
    terms.emplace_back(&problem.tokens[i][selection[i]], problem.labels[i] * weights[i]);
  }
  const std::vector<Rational> sum = combine(terms, problem.dimension());
  for (std::size_t a = 0; a < sum.size(); ++a)
    demand(sum[a] == stated.gamma_squared * label.v[a], node, "the sum of weight times token is not gamma_squared v");
  return weights;
}

/// ‖ω‖² and ω·z_iα for ω = shift − (shift·v/v·v) v.
struct HeadShift {
  HeadShift(const Problem& problem, const Selection& selection, const LabelMargin& label, const Json& node) {
    const ScaledVector given = read_vector(node, problem.dimension());
    const Rational along = dot(given, label.v) / label.v_squared;
    const ScaledVector omega = scale(combine({{&given, 1}, {&label.v, -along}}, problem.dimension()));
    squared = dot(omega, omega);
    for (std::size_t i = 0; i < problem.tokens.size(); ++i)
      values.emplace_back(problem.labels[i] * dot(omega, problem.tokens[i][selection[i]]));
  }

  Rational squared;
  std::vector<Rational> values;
};

/// Clause 6: what the first pass must give.
void require_first_pass(const std::vector<Sample>& samples, const std::vector<Rational>& weights, const Number& error_squared,
                        const Number& gamma, const Json& node) {
  const Number error = sqrt(error_squared);
  for (std::size_t i = 0; i < samples.size(); ++i)
    for (std::size_t t = 0; weights[i] > 0 && t < samples[i].leads.size(); ++t)
      demand(is_at_most(error * sqrt(Number(samples[i].distances2[t])), gamma * samples[i].leads[t]), node,
             "clause 6: the first pass does not order the token " + bracketed({i, t}));
}

/// Clause 6: D_v.
Number head_offset(const std::vector<Sample>& samples, const std::vector<Rational>& weights, const HeadShift& shift, const Stated& stated,
                   const Number& gamma) {
  const Number lag = shift.squared / (stated.r + sqrt(Number(Rational(stated.r * stated.r - shift.squared))));
  const Number length = sqrt(Number(shift.squared));
  Number sum = 0;
  Number entropy = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample& sample = samples[i];
    sum += exp_up(gamma * (sample.margin * lag - Rational(stated.r * (sample.margin - 1))) - shift.values[i] +
                  sample.others * length * sample.distance);
    if (weights[i] > 0) entropy += weights[i] * log(Number(weights[i]));
  }
  const Number eta = exp_up(stated.c - stated.r * (gamma - stated.theta));
  return log(sum) + entropy - log(1 - eta / 2);
}

void require_second_pass(const Problem& problem, const Selection& selection, const std::vector<Sample>& samples,
                         const std::vector<Rational>& weights, const LabelMargin& label, const Stated& stated, const Number& gamma,
                         const Number& growth, const Json& statement, const Json& second) {
  second.expect_keys({"shift"});
  const Number error_squared = 2 * Rational(stated.theta + stated.c / stated.r) * growth / gamma;
  require_first_pass(samples, weights, error_squared, gamma, second);
  const HeadShift shift(problem, selection, label, second.at("shift"));
  demand(shift.squared < stated.r * stated.r, second.at("shift"), "clause 6: not shorter than r");
  for (std::size_t i = 0; i < samples.size(); ++i)
    demand(is_at_most(samples[i].loss, stated.head_theta), statement.at("head_theta"),
           "clause 6: too small for sample " + std::to_string(i));
  demand(is_at_most(head_offset(samples, weights, shift, stated, gamma), stated.head_c), statement.at("head_c"), "clause 6: too small");
}

}  // namespace

void check_joint_envelope(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "selection", "nu", "gamma_squared", "r", "R", "theta", "c", "head_theta", "head_c"});
  witness.expect_keys({"b", "lambda", "weights", "second"});
  if (!problem.loss.is_logistic()) throw Rejected("clause 1: the loss is not written as the logistic one");
  const Selection selection = read_selection(statement.at("selection"), problem);
  const Stated stated(statement);
  const LabelMargin label = require_bounded_margin(problem, selection, Among::all, statement, witness.at("b"));
  const std::vector<Rational> weights = require_label_weights(problem, selection, label, stated, witness.at("weights"));
  const LimitRows rows(problem, Over::p, selection);
  const LimitSvm svm(rows, witness.at("lambda"));
  const Number gamma = sqrt(Number(stated.gamma_squared));
  std::vector<Sample> samples = read_samples(problem, selection, label);
  in_clause("clause 4", statement, [&] {
    add_attention(samples, stated, rows, svm, gamma);
    require_margin(samples, stated, gamma, statement);
  });
  Number growth = 1;  // 1 + X̄/ν
  for (std::size_t i = 0; i < samples.size(); ++i) growth += Rational(weights[i] / stated.nu) * samples[i].distance;
  demand(is_less(Rational(stated.head_theta + stated.head_c / stated.r), gamma), statement.at("head_c"),
         "clause 7: theta' + c'/r < Gamma is not shown");
  const Json& second = witness.at("second");
  if (second.kind == JsonKind::null) {
    demand(is_at_most(stated.theta * growth, stated.head_theta), statement.at("head_theta"), "clause 5: too small");
    demand(is_at_most(stated.c * growth, stated.head_c), statement.at("head_c"), "clause 5: too small");
    return;
  }
  in_clause("clause 6", second,
            [&] { require_second_pass(problem, selection, samples, weights, label, stated, gamma, growth, statement, second); });
}

}  // namespace attest::check
