// limits_bench CASES CHECKER [papers|random|large|growth|n,T,d …]: proves limits of descent and prints a line each: what closed, at which
// iterate, how many bits its certificate asks for, CPU seconds of the proof alone (the SVM and the bounds of the loss are proved before),
// as a ratio to what the proof replaces, a long run that is observed, and of CHECKER (attest-check) as a ratio to the proof.

#include "attest/base/cpu_time.hpp"
#include "attest/certificate/codec.hpp"
#include "attest/exact/descent_limit.hpp"
#include "attest/solve/active_set_guess.hpp"
#include "attest/solve/descent.hpp"
#include "bench_support.hpp"

#include <nlohmann/json.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>

namespace {

using namespace attest;
using namespace attest::bench;

constexpr double default_budget = 20;

Rational entry_of(const nlohmann::json& value) {
  return value.is_string() ? parse_rational(value.get<std::string>()).value() : exact_value(value.get<double>());
}

ExactMatrix matrix_of(const nlohmann::json& rows) {
  std::vector<Rational> entries;
  for (const auto& row : rows)
    for (const auto& value : row) entries.push_back(entry_of(value));
  return ExactMatrix::from_rationals(rows.size(), rows.front().size(), std::move(entries));
}

/// The data of a case, numbers as doubles.
Problem load_case(const std::string& file) {
  const nlohmann::json data = nlohmann::json::parse(std::ifstream(file));
  Problem problem;
  for (const auto& sample : data.at("tokens")) problem.tokens.push_back(matrix_of(sample));
  problem.labels = data.at("labels").get<std::vector<int>>();
  problem.v = matrix_of(nlohmann::json::array({data.at("v")}));
  if (data.contains("W")) problem.W = matrix_of(data.at("W"));
  return problem;
}

struct Sizes {
  std::size_t n;
  std::size_t T;
  std::size_t d;
};

/// Unit tokens, a unit head, labels of either sign.
Problem draw(const Sizes& sizes, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  const auto unit = [&] {
    std::vector<double> vector(sizes.d);
    double squared = 0;
    for (double& entry : vector) {
      entry = normal(random);
      squared += entry * entry;
    }
    for (double& entry : vector) entry /= std::sqrt(squared);
    return vector;
  };
  Problem problem;
  for (std::size_t i = 0; i < sizes.n; ++i) {
    std::vector<double> tokens;
    for (std::size_t t = 0; t < sizes.T; ++t)
      for (const double entry : unit()) tokens.push_back(entry);
    problem.tokens.push_back(ExactMatrix::from_doubles(sizes.T, sizes.d, tokens));
    problem.labels.push_back(random() % 2 == 0 ? 1 : -1);
  }
  problem.v = ExactMatrix::from_doubles(1, sizes.d, unit());
  return problem;
}

/// Where normalised steps are after so many: the token with the largest logit in each sample.
Selection reached(const Problem& problem, std::vector<double> p, double step, int iterations) {
  const ExactTokens exact(problem);
  const Scores scores = exact_scores(problem);
  const std::size_t d = p.size();
  std::vector<std::vector<std::vector<double>>> keys;
  std::vector<std::vector<double>> gammas;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    keys.emplace_back();
    gammas.emplace_back();
    for (std::size_t t = 0; t < scores[i].size(); ++t) {
      keys.back().emplace_back();
      const FractionVector& key = exact.key(i, t);
      for (const Integer& entry : key.numerators) keys.back().back().push_back(nearest_double(Rational(entry, key.denominator)));
      gammas.back().push_back(nearest_double(scores[i][t]));
    }
  }
  Selection selection(keys.size());
  for (int k = 0; k <= iterations; ++k) {
    std::vector<std::vector<double>> terms;
    std::vector<double> logs;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::size_t T = keys[i].size();
      std::vector<double> logits(T);
      for (std::size_t t = 0; t < T; ++t)
        for (std::size_t c = 0; c < d; ++c) logits[t] += keys[i][t][c] * p[c];
      const std::size_t best = static_cast<std::size_t>(std::ranges::max_element(logits) - logits.begin());
      selection[i] = best;
      double weights = 0;
      for (const double logit : logits) weights += std::exp(logit - logits[best]);
      double mean = 0;
      for (std::size_t t = 0; t < T; ++t) mean += std::exp(logits[t] - logits[best]) / weights * (gammas[i][best] - gammas[i][t]);
      const double steepness = 1 / (1 + std::exp(gammas[i][best] - mean));
      for (std::size_t t = 0; t < T; ++t) {
        if (t == best) continue;
        logs.push_back(logits[t] - logits[best] - std::log(weights));
        terms.emplace_back(d);
        for (std::size_t c = 0; c < d; ++c)
          terms.back()[c] = steepness * (gammas[i][best] - gammas[i][t] - mean) * (keys[i][best][c] - keys[i][t][c]);
      }
    }
    const double scale = *std::ranges::max_element(logs);
    std::vector<double> direction(d);
    double squared = 0;
    for (std::size_t c = 0; c < d; ++c) {
      for (std::size_t r = 0; r < logs.size(); ++r) direction[c] += std::exp(logs[r] - scale) * terms[r][c];
      squared += direction[c] * direction[c];
    }
    for (std::size_t c = 0; c < d; ++c) p[c] += step * direction[c] / std::sqrt(squared);
  }
  return selection;
}

Selection best_selection(const Scores& scores) {
  Selection selection;
  for (const auto& sample : scores) selection.push_back(static_cast<std::size_t>(std::ranges::max_element(sample) - sample.begin()));
  return selection;
}

/// A problem and what is proved of a selection before its limit.
class Facts {
 public:
  Facts(const Problem& problem, const Selection& selection)
      : problem_(&problem), tokens_(problem), scores_(exact_scores(problem)), program_(SvmProgram::p_svm(tokens_, selection)) {
    outcome_ = decide_svm(program_, guess_active_set(program_, Budget(600)).rows, Budget(600));
    interval_ = {scores_[0][0], scores_[0][0]};
    for (const auto& sample : scores_)
      for (const Rational& score : sample) {
        interval_.low = std::min(interval_.low, score);
        interval_.high = std::max(interval_.high, score);
      }
    loss_ = bound_loss(problem.loss, interval_, Budget(60));
  }
  const Problem& problem() const { return *problem_; }
  const SvmSolution* solution() const { return std::get_if<SvmSolution>(&outcome_); }
  LimitFacts limit() const { return {&tokens_, &scores_, &program_, solution(), &std::get<LossBounds>(loss_), interval_}; }

 private:
  const Problem* problem_;
  ExactTokens tokens_;
  Scores scores_;
  SvmProgram program_;
  SvmOutcome outcome_ = SvmUndecided{};
  RationalInterval interval_;
  LossVerdict loss_ = LossUndecided{};
};

const char* name_of(LimitBy by) { return by == LimitBy::basin ? "basin" : by == LimitBy::cone ? "cone" : "wedge"; }

/// The program that repeats a proof.
std::string checker;

double seconds_of_children() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// CPU seconds of the checker; nothing if it does not accept.
std::optional<double> check(const Certificate& certificate, const Problem& problem) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / ("limits-bench-" + std::to_string(getpid()) + ".json");
  std::ofstream(file) << text_of(certificate, problem);
  const double before = seconds_of_children();
  const int status = std::system(("'" + checker + "' '" + file.string() + "' >/dev/null").c_str());
  const double seconds = seconds_of_children() - before;
  std::filesystem::remove(file);
  return status == 0 ? std::optional(seconds) : std::nullopt;
}

/// CPU seconds of what the proof replaces: the run in doubles that a claim observes, 10^5 iterations, fewer on large data.
double observe(const Facts& facts, const DescentRule& rule) {
  const Problem& problem = facts.problem();
  const Scores scores = exact_scores(problem);
  double numbers = 0;
  for (const auto& tokens : problem.tokens) numbers += static_cast<double>(tokens.rows() * tokens.columns());
  DescentPlan plan;
  plan.method = rule.rule == StepRule::constant ? DescentMethod::constant
                : rule.rule == StepRule::flow   ? DescentMethod::flow
                                                : DescentMethod::normalised;
  plan.step = nearest_double(rule.step);
  plan.iterations = static_cast<std::int64_t>(std::min(1e5, 5e8 / numbers));
  Eigen::VectorXd start = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(problem.tokens.front().columns()));
  for (std::size_t k = 0; k < rule.start.size(); ++k) start[static_cast<Eigen::Index>(k)] = nearest_double(rule.start[k]);
  const double begin = cpu_seconds();
  DescentKernel kernel(problem, scores, 1);
  descend(kernel, start, plan, Budget(600));
  return cpu_seconds() - begin;
}

/// Proves one limit and prints its line; whether it was proved.
bool measure(const std::string& name, const Facts& facts, const DescentRule& rule, std::size_t most) {
  const LimitFacts limit = facts.limit();
  const double begin = cpu_seconds();
  const LimitOutcome outcome = prove_limit(limit, rule, most, Budget(default_budget));
  const double seconds = cpu_seconds() - begin;
  std::printf("%-44s margin %.4f  ", name.c_str(), 1 / std::sqrt(2 * nearest_double(facts.solution()->objective)));
  const auto* proved = std::get_if<ProvedLimit>(&outcome);
  if (proved != nullptr) {
    const auto text = written(proved->certificate);
    const double rate = proved->rate_constant ? nearest_double(*proved->rate_constant) : std::numeric_limits<double>::quiet_NaN();
    const std::optional<double> checked = check(proved->certificate, facts.problem());
    std::printf("%-6s K %6zu  bits %5d  C %9.4f  %8.4f s  to observed %7.3f  checker to proof %s\n", name_of(proved->by),
                proved->from_iterate, text.witness.at("bits").get<int>(), rate, seconds, seconds / observe(facts, rule),
                checked ? std::to_string(*checked / seconds).c_str() : "rejected");
  } else {
    std::printf("open (%s)  %8.3f s\n", std::get<OpenLimit>(outcome).reason.c_str(), seconds);
  }
  std::fflush(stdout);
  return proved != nullptr;
}

DescentRule normalised_from(std::vector<Rational> start) {
  return {Parametrisation::prompt, StepRule::normalised, Rational(1, 10), std::move(start)};
}

void papers(const std::string& cases) {
  for (const char* name : {"distinct", "tie"})
    for (const char* start : {"1", "1/2", "0", "-1/2", "-1", "-3/2"}) {
      const Problem problem = load_case(cases + "/one-input/" + name + ".json");
      const Rational second = parse_rational(start).value();
      const Facts facts(problem, reached(problem, {0, nearest_double(second), 0}, 0.1, 2000));
      measure(std::string("one-input/") + name + " from (0, " + start + ", 0)", facts, normalised_from({0, second, 0}), 20000);
    }
  const Problem problem = load_case(cases + "/multi-input/multi-input.json");
  const Facts facts(problem, {0, 0, 0});
  measure("multi-input from 0", facts, normalised_from({}), 20000);
  for (const StepRule rule : {StepRule::constant, StepRule::flow})
    measure(rule == StepRule::flow ? "multi-input from 0, flow" : "multi-input from 0, steps 7/2", facts,
            {Parametrisation::prompt, rule, rule == StepRule::flow ? Rational(1, 10) : Rational(7, 2), {}}, 20000);
}

void random_draws() {
  std::mt19937_64 random(1);
  int proved = 0;
  int draws = 0;
  while (draws < 30) {
    const Problem problem = draw({6, 8, 10}, random);
    const Facts facts(problem, reached(problem, std::vector<double>(10), 0.1, 30000));
    if (facts.solution() == nullptr || nearest_double(facts.solution()->objective) * 2 > 2500) continue;  // a margin of 0.02
    proved += measure("random (6,8,10) " + std::to_string(draws) + " from 0", facts, normalised_from({}), 30000) ? 1 : 0;
    ++draws;
  }
  std::printf("random (6,8,10): %d of %d\n", proved, draws);
}

/// 100 w rounded, constant steps of 1/10. With every label 1 the head separates the best tokens: their program is feasible.
void from_far(const Sizes& sizes) {
  std::mt19937_64 random(2);
  Problem problem = draw(sizes, random);
  for (int& label : problem.labels) label = 1;
  const Facts facts(problem, best_selection(exact_scores(problem)));
  std::vector<Rational> start;
  for (const Rational& entry : facts.solution()->w) start.push_back(exact_value(nearest_double(100 * entry)));
  measure("(" + std::to_string(sizes.n) + "," + std::to_string(sizes.T) + "," + std::to_string(sizes.d) + ") from 100 p^mm", facts,
          {Parametrisation::prompt, StepRule::constant, Rational(1, 10), start}, 2000);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: limits_bench CASES CHECKER [papers|random|large|growth|n,T,d ...]\n");
    return 2;
  }
  checker = argv[2];
  const auto wanted = [&](const char* part) {
    for (int k = 3; k < argc; ++k)
      if (std::strcmp(argv[k], part) == 0) return true;
    return argc == 3;
  };
  for (int k = 3; k < argc; ++k) {
    Sizes sizes{};
    if (std::sscanf(argv[k], "%zu,%zu,%zu", &sizes.n, &sizes.T, &sizes.d) == 3) from_far(sizes);
  }
  if (wanted("papers")) papers(argv[1]);
  if (wanted("growth"))
    for (const std::size_t n : {25U, 50U, 100U}) from_far({n, 16, 64});
  if (wanted("large")) from_far({200, 64, 128});
  if (wanted("random")) random_draws();
}
