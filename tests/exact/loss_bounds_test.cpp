#include "attest/exact/loss_bounds.hpp"

#include "mpfi_jet.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <csignal>
#include <sstream>
#include <string>
#include <vector>

namespace attest {
namespace {

/// Far more than any of these losses takes; a search that spends it hangs.
constexpr int hang_seconds = 120;

Loss written(const std::string& text) { return Loss::written(std::get<Expression>(parse_expression(text))); }

std::string name_of(const Loss& loss) { return loss.expression().text(); }

RationalInterval between(const char* low, const char* high) { return {*parse_rational(low), *parse_rational(high)}; }

std::string text_of(const RationalInterval& interval) {
  std::ostringstream text;
  text << "[" << interval.low << ", " << interval.high << "]";
  return text.str();
}

std::string outcome(const LossVerdict& verdict) {
  if (std::holds_alternative<LossBounds>(verdict)) return "bounded";
  if (std::holds_alternative<LossNotDecreasing>(verdict)) return "refuted";
  return "undecided";
}

LossVerdict decide(const Loss& loss, const RationalInterval& interval) {
  const Budget budget(hang_seconds);
  LossVerdict verdict = bound_loss(loss, interval, budget);
  BOOST_TEST(!budget.spent(), name_of(loss) << " on " << text_of(interval) << " hangs");
  return verdict;
}

LossBounds bounds_of(const Loss& loss, const RationalInterval& interval) {
  const LossVerdict verdict = decide(loss, interval);
  BOOST_TEST_REQUIRE(outcome(verdict) == "bounded", name_of(loss) << " on " << text_of(interval) << ": " << outcome(verdict));
  return std::get<LossBounds>(verdict);
}

std::optional<TaylorJet> jet_at(const Loss& loss, const Rational& point) {
  return evaluate_with_softplus(loss.expression(), TaylorArithmetic{Interval(point)});
}

/// Points close together over the whole interval, and closer still at its ends and around 0.
std::vector<Rational> dense_points(const RationalInterval& interval) {
  constexpr int steps = 1500;
  const Rational width = interval.high - interval.low;
  std::vector<Rational> points;
  for (int k = 0; k <= steps; ++k) points.push_back(interval.low + width * k / steps);
  for (Rational part = width; part > width / Rational(Integer(1) << 60); part /= 3)
    for (const Rational& point : {Rational(interval.low + part), Rational(interval.high - part), part, Rational(-part)})
      if (interval.low <= point && point <= interval.high) points.push_back(point);
  return points;
}

/// What MPFI at the points says of the derivatives: the least bounds that are not contradicted.
struct SampledBounds {
  std::optional<Rational> slope_sup;
  Rational m0 = 0;
  Rational m1 = 0;
};

SampledBounds sampled(const Loss& loss, const RationalInterval& interval) {
  SampledBounds found;
  for (const Rational& point : dense_points(interval)) {
    const auto jet = jet_at(loss, point);
    BOOST_TEST_REQUIRE(jet.has_value());
    const Rational slope = jet->slope().lower();
    if (!found.slope_sup || slope > *found.slope_sup) found.slope_sup = slope;
    found.m1 = std::max({found.m1, slope, Rational(-jet->slope().upper())});
    found.m0 = std::max({found.m0, jet->curvature().lower(), Rational(-jet->curvature().upper())});
  }
  return found;
}

bool contradicted(const LossBounds& bounds, const SampledBounds& found) {
  return !(*found.slope_sup <= bounds.slope_sup && found.m1 <= bounds.m1 && found.m0 <= bounds.m0);
}

bool cuts_are_a_subdivision(const LossBounds& bounds, const RationalInterval& interval) {
  Rational last = interval.low;
  for (const Rational& cut : bounds.cuts) {
    if (!(last < cut)) return false;
    last = cut;
  }
  return bounds.cuts.empty() || last < interval.high;
}

void check_sound(const Loss& loss, const RationalInterval& interval) {
  const LossBounds bounds = bounds_of(loss, interval);
  BOOST_TEST(bounds.slope_sup < 0);
  BOOST_TEST(!contradicted(bounds, sampled(loss, interval)), name_of(loss) << " on " << text_of(interval));
  BOOST_TEST(cuts_are_a_subdivision(bounds, interval));
}

void check_refuted(const Loss& loss, const RationalInterval& interval) {
  const LossVerdict verdict = decide(loss, interval);
  BOOST_TEST_REQUIRE(outcome(verdict) == "refuted", name_of(loss) << " on " << text_of(interval) << ": " << outcome(verdict));
  const auto& refuted = std::get<LossNotDecreasing>(verdict);
  BOOST_TEST(interval.low <= refuted.a);
  BOOST_TEST(refuted.a < refuted.b);
  BOOST_TEST(refuted.b <= interval.high);
  BOOST_TEST(jet_at(loss, refuted.a)->value.lower() <= jet_at(loss, refuted.b)->value.upper(), name_of(loss));
}

void check_undecided(const Loss& loss, const RationalInterval& interval) {
  const LossVerdict verdict = decide(loss, interval);
  BOOST_TEST_REQUIRE(outcome(verdict) == "undecided", name_of(loss) << " on " << text_of(interval) << ": " << outcome(verdict));
  BOOST_TEST(!std::get<LossUndecided>(verdict).reason.empty());
}

/// The outcome in a process of its own that has 2 GiB and hang_seconds of CPU time: "hangs" or "crashes" when it does not get by with that.
std::string outcome_apart(const Loss& loss, const RationalInterval& interval) {
  const std::vector<std::string> outcomes = {"bounded", "refuted", "undecided"};
  const pid_t child = ::fork();
  BOOST_TEST_REQUIRE(child >= 0);
  if (child == 0) {
    for (const int signal : {SIGABRT, SIGSEGV, SIGXCPU}) ::signal(signal, SIG_DFL);
    const rlimit time{rlim_t{hang_seconds}, rlim_t{hang_seconds} + 1};
    ::setrlimit(RLIMIT_CPU, &time);
#if !defined(__SANITIZE_ADDRESS__)  // which reserves terabytes
    const rlimit memory{rlim_t{2} << 30, rlim_t{2} << 30};
    ::setrlimit(RLIMIT_AS, &memory);
#endif
    const std::string found = outcome(bound_loss(loss, interval, Budget(2 * hang_seconds)));
    ::_exit(static_cast<int>(std::find(outcomes.begin(), outcomes.end(), found) - outcomes.begin()));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status)) return outcomes.at(static_cast<std::size_t>(WEXITSTATUS(status)));
  return WTERMSIG(status) == SIGXCPU ? "hangs" : "crashes";
}

std::vector<Loss> decreasing_losses() {
  return {Loss::logistic(),
          Loss::exponential(),
          Loss::correlation(),
          written("log(1+exp(-u))"),
          written("1 - tanh(u/2)"),
          written("exp(-u/3) - u/5"),
          written("-u/sqrt(10+u^2) - u/100"),
          written("-u - u^3/7")};
}

BOOST_AUTO_TEST_SUITE(loss_bounds)

BOOST_AUTO_TEST_CASE(the_logistic_loss_on_minus_1_to_1_has_its_known_bounds) {
  const LossBounds bounds = bounds_of(Loss::logistic(), {-1, 1});
  // l'' is largest at 0: 1/4; l' runs from -e/(1+e) to -1/(1+e) = -0.26894...
  BOOST_TEST(bounds.m0 >= Rational(1, 4));
  BOOST_TEST(bounds.m0 <= Rational(2501, 10000));
  BOOST_TEST(bounds.m1 >= Rational(7310, 10000));
  BOOST_TEST(bounds.m1 <= Rational(7312, 10000));
  BOOST_TEST(bounds.slope_sup >= Rational(-2690, 10000));
  BOOST_TEST(bounds.slope_sup <= Rational(-2689, 10000));
}

BOOST_AUTO_TEST_CASE(the_correlation_loss_has_slope_minus_1_and_no_curvature) {
  const LossBounds bounds = bounds_of(Loss::correlation(), {-5, 5});
  BOOST_TEST(bounds.m1 >= 1);
  BOOST_TEST(bounds.m1 <= Rational(100001, 100000));
  BOOST_TEST(bounds.m0 >= 0);
  BOOST_TEST(bounds.m0 <= Rational(1, 1000000));
  BOOST_TEST(bounds.slope_sup >= -1);
}

BOOST_AUTO_TEST_CASE(bounds_are_never_below_densely_sampled_derivatives) {
  for (const Loss& loss : decreasing_losses())
    for (const RationalInterval& interval : {between("-1", "1"), between("-1/3", "22/7"), between("-10", "10")})
      check_sound(loss, interval);
}

BOOST_AUTO_TEST_CASE(bounds_are_sound_on_wide_intervals) {
  for (const Loss& loss : {Loss::exponential(), Loss::correlation(), written("exp(-u/3) - u/5")}) {
    check_sound(loss, {-50, 50});
    check_sound(loss, {-1000, 1000});
  }
  check_sound(written("1 - tanh(u/2)"), {-50, 50});
}

BOOST_AUTO_TEST_CASE(the_logistic_loss_is_bounded_usefully_on_wide_intervals) {
  for (const Loss& loss : {Loss::logistic(), written("log(1+exp(-u))"), written("1/(1+exp(u))")})
    for (const int end : {10, 20, 50, 1000}) {
      const LossVerdict verdict = decide(loss, {-end, end});
      BOOST_TEST(outcome(verdict) == "bounded", name_of(loss) << " up to " << end << ": " << outcome(verdict));
      const auto* bounds = std::get_if<LossBounds>(&verdict);
      if (!bounds) continue;
      BOOST_TEST(!contradicted(*bounds, sampled(loss, {-end, end})), name_of(loss) << " up to " << end);
      // The least bounds are 1/4 and 1 or less.
      BOOST_TEST(bounds->m0 <= Rational(1, 2), name_of(loss) << " up to " << end << ": m0 = " << nearest_double(bounds->m0));
      BOOST_TEST(bounds->m1 <= 2, name_of(loss) << " up to " << end << ": m1 = " << nearest_double(bounds->m1));
    }
}

BOOST_AUTO_TEST_CASE(the_logistic_loss_needs_few_cells) {
  for (const Loss& loss : {Loss::logistic(), written("log(1+exp(-u))"), written("log(exp(-u)+1)")})
    for (const auto& [end, most] : {std::pair{1, 8}, std::pair{10, 16}, std::pair{50, 60}, std::pair{1000, 400}}) {
      const auto cells = static_cast<int>(bounds_of(loss, {-end, Rational(9 * end, 10)}).cuts.size()) + 1;
      BOOST_TEST(cells <= most, name_of(loss) << " up to " << end << ": " << cells << " cells");
    }
}

BOOST_AUTO_TEST_CASE(a_point_on_the_edge_of_a_domain_gives_no_bounds) {
  // 10|u| - u has no slope at 0; u^2 - u has l'' = 2 there, not 0.
  for (const char* text : {"10*sqrt(sqrt(u^4))-u", "sqrt(u^4)-u", "-u+sqrt(u^3)", "-u+0*log(u)", "-u+u^2/u"})
    check_undecided(written(text), {0, 0});
  check_sound(written("u^2-u"), {0, 0});
}

BOOST_AUTO_TEST_CASE(bounds_are_sound_on_tiny_intervals) {
  for (const Loss& loss : decreasing_losses()) {
    const Rational third(1, 3);
    check_sound(loss, {third, third + *parse_decimal("1e-30")});
    check_sound(loss, {*parse_decimal("-1e-300"), *parse_decimal("1e-300")});
  }
}

BOOST_AUTO_TEST_CASE(a_point_is_an_interval_too) {
  for (const char* point : {"0", "1/3", "-7"}) {
    BOOST_TEST_REQUIRE(outcome_apart(Loss::logistic(), between(point, point)) == "bounded", point);
    for (const Loss& loss : decreasing_losses()) check_sound(loss, between(point, point));
  }
}

BOOST_AUTO_TEST_CASE(bounds_are_within_the_stated_part_of_the_best) {
  for (const Loss& loss : decreasing_losses()) {
    const RationalInterval interval{-2, 2};
    const LossBounds bounds = bounds_of(loss, interval);
    const SampledBounds found = sampled(loss, interval);
    // 1e-5 is promised; sampling misses the best by less than as much again.
    BOOST_TEST(bounds.m1 <= found.m1 * Rational(10001, 10000), name_of(loss));
    BOOST_TEST(bounds.m0 <= found.m0 * Rational(10001, 10000) + Rational(1, 1000000), name_of(loss));
    BOOST_TEST(bounds.slope_sup <= *found.slope_sup * Rational(9999, 10000), name_of(loss));
  }
}

BOOST_AUTO_TEST_CASE(a_bound_that_is_too_small_by_a_thousandth_is_contradicted_by_the_samples) {
  const RationalInterval interval{-1, 1};
  const SampledBounds found = sampled(Loss::logistic(), interval);
  const LossBounds bounds = bounds_of(Loss::logistic(), interval);
  BOOST_TEST(!contradicted(bounds, found));
  const Rational less(999, 1000);
  BOOST_TEST(contradicted({bounds.slope_sup, bounds.m0 * less, bounds.m1, {}}, found));
  BOOST_TEST(contradicted({bounds.slope_sup, bounds.m0, bounds.m1 * less, {}}, found));
  BOOST_TEST(contradicted({bounds.slope_sup / less, bounds.m0, bounds.m1, {}}, found));
}

BOOST_AUTO_TEST_CASE(the_squared_hinge_is_refuted_where_it_is_flat) {
  const Loss hinge = written("((1-u + sqrt((1-u)^2))/2)^2");
  check_refuted(hinge, {0, 3});
  check_refuted(hinge, {2, 3});
  check_sound(hinge, between("0", "1/2"));
}

BOOST_AUTO_TEST_CASE(losses_that_do_not_decrease_are_refuted) {
  for (const char* text : {"u", "exp(u)", "u^3", "u^2", "tanh(u)", "-tanh(u)*(u-1/2)", "u/1000000"}) check_refuted(written(text), {-1, 1});
  check_sound(written("u^2"), {-2, -1});
}

BOOST_AUTO_TEST_CASE(constants_are_refuted) {
  for (const char* text : {"0", "1", "1/3", "log(2)", "u-u", "u^0", "0*u"}) check_refuted(written(text), {-1, 1});
  check_sound(written("1/3-u/1000000"), {-1, 1});
}

BOOST_AUTO_TEST_CASE(a_constant_that_rounding_hides_is_never_bounded) {
  for (const char* text : {"u*(1/3) - u/3", "log(exp(u)) - u"})
    for (const RationalInterval& interval : {between("-1", "1"), between("1/3", "1/3"), between("1/7", "22/7")})
      BOOST_TEST(outcome(decide(written(text), interval)) != "bounded", text << " on " << text_of(interval));
}

BOOST_AUTO_TEST_CASE(a_slope_that_touches_0_at_a_point_is_undecided) {
  check_undecided(written("-u^3"), {-1, 1});
  check_undecided(written("-u^5"), {-1, 2});
  check_sound(written("-u^3"), {Rational(1, 10), 1});
}

BOOST_AUTO_TEST_CASE(a_loss_that_is_not_defined_everywhere_is_undecided_unless_it_increases_where_it_is) {
  check_undecided(written("-log(u)"), {-1, 1});
  check_undecided(written("-log(u)"), {0, 1});
  check_sound(written("-log(u)"), {Rational(1, 1000), 5});
  check_refuted(written("log(u)"), {-1, 1});
  check_refuted(written("1/(u-1/3)"), {0, 1});  // -3 at 0, 3/2 at 1
}

BOOST_AUTO_TEST_CASE(a_bump_of_one_part_in_a_hundred_thousand_of_the_interval_is_found) {
  // Slope -1 + 1.0001 sech^2(1000 (u-1/3)): positive only within 1e-5 of 1/3.
  check_refuted(written("-u + 1.0001*tanh(1000*(u-1/3))/1000"), {-1, 1});
  check_sound(written("-u + 0.999*tanh(1000*(u-1/3))/1000"), {-1, 1});
}

BOOST_AUTO_TEST_CASE(a_bump_of_one_part_in_a_hundred_million_is_never_overlooked) {
  const LossVerdict verdict = decide(written("-u + 1.0001*tanh(1e6*(u-1/3))/1e6"), {-1, 1});
  BOOST_TEST(outcome(verdict) != "bounded");
}

BOOST_AUTO_TEST_CASE(a_very_steep_loss_needs_no_astronomic_memory) {
  // Away from 0 its curvature is below 10^(-10^12): a number that cannot be written down as a fraction.
  for (const char* text : {"-u - tanh(1e12*u)", "-u + 1.5*tanh(1e15*(u-1/7))/1e15"}) {
    const std::string found = outcome_apart(written(text), {-1, 1});
    BOOST_TEST((found == "bounded" || found == "undecided" || found == "refuted"), text << " " << found);
  }
}

BOOST_AUTO_TEST_CASE(a_spent_budget_never_gives_a_refutation_or_an_unsound_bound) {
  const Loss loss = Loss::logistic();
  const LossVerdict verdict = bound_loss(loss, {-10, 10}, Budget(0));
  BOOST_TEST(outcome(verdict) != "refuted");
  if (const auto* bounds = std::get_if<LossBounds>(&verdict)) BOOST_TEST(!contradicted(*bounds, sampled(loss, {-10, 10})));
}

BOOST_AUTO_TEST_CASE(scores_beyond_every_exponential_are_told_in_short_numbers) {
  const LossVerdict verdict = decide(Loss::logistic(), {0, exact_value(1e300)});
  const std::string& reason = std::get<LossUndecided>(verdict).reason;
  BOOST_TEST(reason.find("or an exponent is beyond 2^20") != std::string::npos, reason);
  BOOST_TEST(reason.size() < 200U, reason);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
