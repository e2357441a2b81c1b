#include <array>
#include <cmath>

#include "descent_run.hpp"
#include "support.hpp"

namespace attest::check::test {

BOOST_AUTO_TEST_SUITE(limit_rules)

namespace {

const std::string one_input_loss =
    R"("loss": {"interval": ["9/10","1"], "slope_sup": "-26/100", "m0": "21/100", "m1": "29/100", "cuts": []})";
const std::string one_input_lambda = R"("lambda": [[0,2,"100/101"]])";

const std::string cone = certificate(
    "gd-local", one_input,
    R"({"kind": "descent-cone", "over": "p", "selection": [0], "method": "normalised", "start": "0", "iterations": 50, "step": "1/4", "rate": "42/10"})",
    "{" + one_input_lambda + ", " + one_input_loss + R"(, "bits": 238, "rho": "1", "spectral": "1/1000"})");

const std::string flow_cone = certificate(
    "gd-local", one_input,
    R"({"kind": "descent-cone", "over": "p", "selection": [0], "method": "flow", "start": "0", "iterations": 2048, "step": "1/256", "rate": "6"})",
    "{" + one_input_lambda + ", " + one_input_loss + R"(, "bits": 160, "rho": "1"})");

/// Two samples of three tokens in four dimensions.
const std::string two_inputs = R"({"tokens":
    [[["-6/5","8/5","-8/5","-2/5"],["-13/10","11/10","4/5","1"],["2/5","-7/10","-7/5","11/10"]],
     [["-19/10","2/5","7/10","9/5"],["-2","4/5","-3/10","-3/5"],["17/10","-7/5","0","-19/10"]]],
    "labels": [1,-1], "v": ["-19/10","-19/10","7/5","-2"], "loss": "logistic"})";
const std::string two_inputs_loss =
    R"("loss": {"interval": ["-359/100","-23/100"], "slope_sup": "-55/100", "m0": "25/100", "m1": "975/1000", "cuts": []})";

const std::string weights_cone = certificate(
    "w-gd", two_inputs,
    R"({"kind": "descent-cone", "over": "W", "selection": [1,0], "method": "constant", "start": "0", "iterations": 5, "step": "1/5", "rate": "8/10"})",
    R"({"lambda": [[0,0,"2492856875/210757189419"],[0,2,"85574375/10036056639"],[1,1,"226947500/12903501393"]], )" + two_inputs_loss +
        R"(, "bits": 139, "rho": "155/1000", "spectral": "85/100"})");

const std::string wedge = certificate(
    "descent", one_input,
    R"({"kind": "descent-wedge", "over": "p", "selection": [0], "method": "normalised", "start": ["0","2000","0"], "iterations": 0, "step": "1/4"})",
    "{" + one_input_lambda + ", " + one_input_loss + R"(, "bits": 256, "delta": "1/100"})");

const std::string basin = certificate(
    "gd-global", one_input,
    R"({"kind": "descent-basin", "over": "p", "selection": [0], "method": "constant", "start": null, "iterations": 0, "step": "1"})",
    "{" + one_input_lambda + ", " + one_input_loss + R"(, "bits": 64})");

const std::string two_inputs_basin = certificate(
    "descent", two_inputs,
    R"({"kind": "descent-basin", "over": "p", "selection": [1,0], "method": "flow", "start": ["-6","44/10","152/10","155/10"], "iterations": 0})",
    R"({"lambda": [[0,2,"11720/149893"],[1,1,"19820/149893"]], )" + two_inputs_loss + R"(, "bits": 64})");

/// One sample with the keys −1, 0, 1 and the scores 0, 1, 1/2: ∇L is 0 at p = log(1 + √3) = 1.00505…
const std::string three_keys = R"({"tokens": [[["-1","0"],["0","1"],["1","1/2"]]], "labels": [1], "v": ["0","1"],
    "W": [["1","0"],["0","0"]], "loss": "logistic"})";

/// The run with plain numbers, by the textbook formula of the gradient.
struct PlainRun {
  std::vector<std::vector<std::vector<double>>> tokens;
  std::vector<std::vector<double>> queries;
  std::vector<std::vector<double>> scores;

  explicit PlainRun(const Problem& problem) {
    const auto numbers = [](const ScaledVector& x) {
      std::vector<double> result;
      for (std::size_t a = 0; a < x.size(); ++a) result.push_back(static_cast<double>(x[a]));
      return result;
    };
    for (const auto& sample : problem.tokens) {
      tokens.emplace_back();
      for (const ScaledVector& token : sample) tokens.back().push_back(numbers(token));
      queries.push_back(tokens.back().front());
    }
    for (const auto& sample : scores_of(problem)) {
      scores.emplace_back();
      for (const Rational& score : sample) scores.back().push_back(static_cast<double>(score));
    }
  }

  /// W for over = W; for over = p a matrix whose first column is p, with the query (1, 0, …).
  [[nodiscard]] std::vector<std::vector<double>> follow(bool matrix, bool normalised, double step, int iterations) const {
    const std::size_t d = queries.front().size();
    std::vector<std::vector<double>> W(d, std::vector<double>(d, 0));
    for (int k = 0; k < iterations; ++k) {
      std::vector<std::vector<double>> descent(d, std::vector<double>(d, 0));
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        std::vector<double> q(d, 0);
        q[0] = 1;
        if (matrix) q = queries[i];
        std::vector<double> s;
        double total = 0;
        double output = 0;
        for (std::size_t t = 0; t < tokens[i].size(); ++t) {
          double logit = 0;
          for (std::size_t a = 0; a < d; ++a)
            for (std::size_t b = 0; b < d; ++b) logit += tokens[i][t][a] * W[a][b] * q[b];
          s.push_back(std::exp(logit));
          total += s.back();
          output += s.back() * scores[i][t];
        }
        output /= total;
        const double slope = 1 / (1 + std::exp(output)) / static_cast<double>(tokens.size());
        for (std::size_t t = 0; t < tokens[i].size(); ++t)
          for (std::size_t a = 0; a < d; ++a)
            for (std::size_t b = 0; b < d; ++b) descent[a][b] += slope * s[t] / total * (scores[i][t] - output) * tokens[i][t][a] * q[b];
      }
      double norm = 0;
      for (const auto& row : descent)
        for (const double x : row) norm += x * x;
      const double factor = normalised ? step / std::sqrt(norm) : step;
      for (std::size_t a = 0; a < d; ++a)
        for (std::size_t b = 0; b < d; ++b) W[a][b] += factor * descent[a][b];
    }
    return W;
  }
};

double middle(const Interval& x) {
  return std::ldexp(static_cast<double>(Integer(x.lower.mantissa + x.upper.mantissa)), static_cast<int>(x.lower.exponent) - 1);
}

bool inside(const Interval& inner, const Interval& outer) {
  return compare(outer.lower, inner.lower) <= 0 && compare(inner.upper, outer.upper) <= 0;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_enclosure_of_a_run_holds_the_run_with_more_digits_and_is_that_of_plain_numbers) {
  const JsonDocument document = JsonDocument::parse(two_inputs);
  const Problem problem(document.root());
  const Scores scores = scores_of(problem);
  const PlainRun plain(problem);
  constexpr int iterations = 10;  // normalised steps zigzag here, and double the error of plain numbers many times
  for (const Over over : {Over::p, Over::W})
    for (const Method method : {Method::constant, Method::normalised}) {
      const LimitRows rows(problem, over, {1, 0});
      const std::vector<ScaledVector> start(over == Over::p ? 1 : 4, scale({0, 0, 0, 0}));
      const auto end = [&](std::size_t bits) {
        return follow_run({&problem, &scores, &rows, {-4, 0, -1, 1, 1}, method, start, Rational(1, 4), iterations, bits});
      };
      const RunEnd few = end(120);
      const RunEnd many = end(600);
      const auto W = plain.follow(over == Over::W, method == Method::normalised, 0.25, iterations);
      double squared = 0;
      for (const auto& row : W)
        for (const double x : row) squared += x * x;
      BOOST_TEST(std::fabs(middle(many.norm_squared) - squared) < 1e-9 * squared);
      BOOST_TEST(inside(many.norm_squared, few.norm_squared));
      for (std::size_t c = 0; c < rows.size(); ++c) BOOST_TEST(inside(many.values[c], few.values[c]));
      for (std::size_t a = 0; a < few.point.size(); ++a) {
        BOOST_TEST(inside(many.point[a], few.point[a]));
        BOOST_TEST(std::fabs(middle(many.point[a]) - W[a][0]) < 1e-9);
      }
    }
}

BOOST_AUTO_TEST_CASE(the_cone_holds_where_every_clause_does) {
  check_twins(cone, {
                        {{R"("rate": "42/10")", R"("rate": "1")"}, "clause 11"},
                        {{R"("rho": "1")", R"("rho": "1/1000")"}, "clause 10"},
                        {{R"("iterations": 50)", R"("iterations": 3)"}, "clause 6"},
                        {{R"("iterations": 50)", R"("iterations": 20000000)"}, "refused: too much work"},
                        {{R"("bits": 238)", R"("bits": 63)"}, "not between 64 and 32768"},
                        {{R"("start": "0")", R"("start": "1")"}, "neither 0 nor an array"},
                        {{R"("start": "0")", R"("start": null)"}, "only descent-basin"},
                        {{R"("100/101")", R"("99/101")"}, "does not solve the SVM"},
                        {{R"("21/100")", R"("20/100")"}, "exceeds m0"},
                        {{R"("9/10","1"], "slope)", R"("91/100","1"], "slope)"}, "outside the interval"},
                        {{R"("normalised")", R"("flow")"}, "not allowed for flow"},
                        {{R"("normalised")", R"("momentum")"}, "none of constant, normalised, flow"},
                        {{R"("step": "1/4")", R"("step": "0")"}, "not > 0"},
                        {{R"(, "step": "1/4")", ""}, "step"},
                        {{R"(, "spectral": "1/1000")", ""}, "spectral"},
                        {{R"("over": "p")", R"("over": "W")"}, "goes with the other one"},
                        {{R"("rho": "1")", R"("rho": 1)"}, "rho"},
                        {{R"("rho": "1")", R"("rho": "1", "delta": "1")"}, "delta"},
                    });
}

BOOST_AUTO_TEST_CASE(the_cone_over_weights_wants_a_spectral_bound_and_a_short_step) {
  check_twins(weights_cone, {
                                {{R"("spectral": "85/100")", R"("spectral": "84/100")"}, "clause 9: spectral"},
                                {{R"("spectral": "85/100")", R"("spectral": "1000000")"}, "clause 9: the step is too long"},
                                {{R"("rate": "8/10")", R"("rate": "7/10")"}, "clause 11"},
                                {{R"("rho": "155/1000")", R"("rho": "1/10")"}, "clause 10"},
                                {{R"("rho": "155/1000")", R"("rho": "20")"}, "clause 6"},
                                {{R"("claim": "w-gd")", R"("claim": "descent")"}, "goes with the other one"},
                            });
}

BOOST_AUTO_TEST_CASE(the_cone_wants_p_on_the_side_of_w) {
  const std::string still = with(with(flow_cone, R"(, "step": "1/256")", ""), R"("iterations": 2048)", R"("iterations": 0)");
  BOOST_TEST(verdict(with(still, R"("start": "0")", R"("start": ["0","-5","0"])")).find("clause 3: p_K.w > 0") != std::string::npos);
  BOOST_TEST(verdict(with(with(still, R"("start": "0")", R"("start": ["-4","40","0"])"), R"("rate": "6")", R"("rate": "100")")) ==
             "accepted");
}

BOOST_AUTO_TEST_CASE(the_curve_of_the_flow_closes_the_cone_and_wants_the_length_of_its_pieces) {
  check_twins(flow_cone, {
                             {{R"(, "step": "1/256")", ""}, "step"},
                             {{R"("step": "1/256")", R"("step": "0")"}, "not > 0"},
                             {{R"("step": "1/256")", R"("step": "1")"}, "the run: "},
                             {{R"("iterations": 2048)", R"("iterations": 0)"}, "not allowed for flow without iterations"},
                             {{R"("iterations": 2048)", R"("iterations": 128)"}, "clause 6"},
                             {{R"("iterations": 2048)", R"("iterations": 20000000)"}, "refused: too much work"},
                             {{R"("rho": "1")", R"("rho": "1", "spectral": "1/1000")"}, "not allowed for flow"},
                             {{R"("rho": "1")", R"("rho": "1/1000")"}, "clause 10"},
                             {{R"("rate": "6")", R"("rate": "1")"}, "clause 11"},
                         });
}

BOOST_AUTO_TEST_CASE(the_curve_of_the_flow_is_followed_over_p_and_not_over_W) {
  const std::string flow_of_weights = with(with(weights_cone, R"("constant")", R"("flow")"), R"(, "spectral": "85/100")", "");
  BOOST_TEST(verdict(flow_of_weights).find("not 0, but the method is flow over W") != std::string::npos);
  const std::string still = with(with(flow_of_weights, R"("iterations": 5)", R"("iterations": 0)"), R"(, "step": "1/5")", "");
  BOOST_TEST(verdict(still).find("clause 3: p_K.w > 0") != std::string::npos);  // at W = 0
}

BOOST_AUTO_TEST_CASE(the_curve_of_the_flow_leads_into_a_wedge_and_a_basin) {
  const std::string flow_wedge =
      with(with(wedge, R"("normalised")", R"("flow")"), R"("iterations": 0, "step": "1/4")", R"("iterations": 8, "step": "1/64")");
  check_twins(flow_wedge, {{{R"("delta": "1/100")", R"("delta": "1/1000")"}, "clause 5"},
                           {{R"("iterations": 8)", R"("iterations": 0)"}, "not allowed"}});
  const std::string flow_basin = with(with(with(basin, R"("constant")", R"("flow")"), R"("start": null)", R"("start": "0")"),
                                      R"("iterations": 0, "step": "1")", R"("iterations": 8, "step": "1/64")");
  check_twins(flow_basin, {{{R"("start": "0")", R"("start": null)"}, "clause 3"}, {{R"(, "step": "1/64")", ""}, "step"}});
}

BOOST_AUTO_TEST_CASE(the_cone_wants_all_tight_rows_independent_and_with_a_gap) {
  // Two equal tokens beside the selected one.
  const std::string twins = certificate(
      "descent",
      R"({"tokens": [[["1","1"],["0","0"],["0","0"]]], "labels": [1], "v": ["0","1"], "W": [["1","0"],["0","0"]], "loss": "logistic"})",
      R"({"kind": "descent-cone", "over": "p", "selection": [0], "method": "flow", "start": ["30","0"], "iterations": 0, "rate": "100"})",
      R"({"lambda": [[0,1,"1/2"],[0,2,"1/2"]], "loss": {"interval": ["0","1"], "slope_sup": "-1/4", "m0": "26/100", "m1": "51/100", "cuts": []}, "bits": 64, "rho": "1"})");
  BOOST_TEST(verdict(twins).find("clause 2") != std::string::npos);
  BOOST_TEST(verdict(with(twins, R"([0,1,"1/2"],[0,2,"1/2"])", R"([0,1,"1"])")).find("clause 1: the tight row [0,2]") != std::string::npos);
  const std::string flat = with(twins, R"("v": ["0","1"])", R"("v": ["0","0"])");
  BOOST_TEST(verdict(flat).find("clause 1: the row [0,1] is listed, but") != std::string::npos);
  // The wedge takes them.
  const std::string wedge_of_twins =
      with(with(with(twins, "descent-cone", "descent-wedge"), R"(, "rate": "100")", ""), R"("rho": "1")", R"("delta": "1")");
  BOOST_TEST(verdict(wedge_of_twins) == "accepted");
  BOOST_TEST(verdict(with(wedge_of_twins, R"("v": ["0","1"])", R"("v": ["0","0"])")).find("has no gap > 0") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_wedge_holds_where_every_clause_does) {
  check_twins(wedge, {
                         {{R"("delta": "1/100")", R"("delta": "1/1000")"}, "clause 5"},
                         {{R"("delta": "1/100")", R"("delta": "10")"}, "clause 1: B > 0"},
                         {{R"("delta": "1/100")", R"("delta": "0")"}, "not > 0"},
                         {{R"("2000","0"])", R"("-2000","0"])"}, "h > 0"},
                         {{R"("2000","0"])", R"("1/10","0"])"}, "clause 2"},
                         {{R"("step": "1/4")", R"("step": "2000")"}, "clause 4"},
                     });
}

BOOST_AUTO_TEST_CASE(the_basin_holds_from_every_start_for_one_sample_of_equal_scores) {
  check_twins(basin, {
                         {{R"("iterations": 0)", R"("iterations": 1)"}, "clause 3"},
                         {{R"("step": "1")", R"("step": "1000")"}, "clause 2"},
                         {{R"("method": "constant")", R"("method": "normalised")"}, "neither constant nor flow"},
                         {{R"(["0","0","9/10"])", R"(["0","0","91/100"])"}, "clause 3"},
                         {{R"(["1","0","9/10"])", R"(["1","0","1"])"}, "clause 1"},
                     });
  BOOST_TEST(verdict(with(with(basin, R"("start": null)", R"("start": "0")"), R"("iterations": 0)", R"("iterations": 20)")) == "accepted");
}

BOOST_AUTO_TEST_CASE(the_basin_of_two_samples_wants_a_low_loss) {
  check_twins(two_inputs_basin, {{{R"(["-6","44/10","152/10","155/10"])", R"("0")"}, "clause 4"}});
}

BOOST_AUTO_TEST_CASE(no_stationary_point_is_left_where_a_direction_raises_every_score) {
  const std::string direction = certificate("no-stationary-point", one_input, R"({"kind": "no-stationary-point", "over": "p"})",
                                            "{" + one_input_loss + R"(, "by": "direction", "u": ["0","7","0"]})");
  check_twins(direction, {
                             {{R"(["0","7","0"])", R"(["7","0","0"])"}, "that scores less"},
                             {{R"(["0","7","0"])", R"(["0","0","5"])"}, "tells no two tokens"},
                             {{R"("by": "direction", "u": ["0","7","0"])", R"("by": "rank")"}, "for W alone"},
                             {{R"("21/100")", R"("20/100")"}, "exceeds m0"},
                         });
  const std::string query = certificate("no-stationary-point", two_inputs, R"({"kind": "no-stationary-point", "over": "W"})",
                                        "{" + two_inputs_loss + R"(, "by": "query", "q": ["0","1","-1","0"]})");
  check_twins(query, {
                         {{R"("q": ["0","1","-1","0"])", R"("q": ["0","1","0","0"])"}, "by query: Y q.z < 0"},
                         {{R"("q": ["0","1","-1","0"])", R"("q": ["0","0","0","0"])"}, "no sample of unlike scores"},
                     });
  const std::string rank = with(query, R"("by": "query", "q": ["0","1","-1","0"])", R"("by": "rank")");
  check_twins(rank, {{{R"([["-19/10","2/5","7/10","9/5"])", R"([["6/5","-8/5","8/5","2/5"])"}, "dependent"}});
}

BOOST_AUTO_TEST_CASE(a_stationary_point_is_shown_at_the_origin_or_in_a_box) {
  const std::string box =
      certificate("no-stationary-point", three_keys, R"({"kind": "stationary-point", "over": "p", "centre": ["201/200","0"]})",
                  R"({"by": "krawczyk", "basis": [["1","0"]], "radius": ["1/100"], "inverse": [["27"]]})");
  check_twins(box, {
                       {{R"("201/200")", R"("101/100")"}, "accepted"},
                       {{R"("201/200")", R"("102/100")"}, "clause 4"},
                       {{R"(["1/100"])", R"(["1/100000"])"}, "clause 4"},
                       {{R"([["27"]])", R"([["-27"]])"}, "clause 4"},
                       {{R"([["1","0"]])", R"([["0","0"]])"}, "clause 1"},
                       {{R"([["1","0"]])", R"([["0","1"]])"}, "clause 1"},
                       {{R"([["1","0"]])", R"([["1","0"],["0","1"]])"}, "clause 1: a column"},
                       {{R"("loss": "logistic")", R"x("loss": {"expression": "sqrt(u - 9/10)"})x"}, "clause 3"},
                   });
  const std::string level = with(three_keys, R"("1/2")", R"("0")");
  const std::string origin =
      certificate("no-stationary-point", level, R"({"kind": "stationary-point", "over": "p", "centre": ["0","0"]})", R"({"by": "origin"})");
  check_twins(origin, {
                          {{R"("centre": ["0","0"])", R"("centre": ["0","1"])"}, "by origin: not 0"},
                          {{R"(["1","0"]]], "labels")", R"(["1","1/9"]]], "labels")"}, "do not cancel"},
                          {{R"("loss": "logistic")", R"x("loss": {"expression": "sqrt((u - 1/3)^2)"})x"}, "by origin: sqrt"},
                      });
}

BOOST_AUTO_TEST_CASE(the_first_step_raises_every_row_or_lowers_one) {
  const std::string up =
      certificate("first-step", one_input, R"({"kind": "first-step", "over": "p", "selection": [0], "start": ["0","0","0"]})", "{}");
  check_twins(up, {{{R"("selection": [0])", R"("selection": [1])"}, "not shown to raise"}});
  const std::string down = certificate("first-step", one_input,
                                       R"({"kind": "not-first-step", "over": "p", "selection": [1], "start": ["0","0","0"], "row": [0,0]})",
                                       R"({"by": "enclosure"})");
  check_twins(down,
              {{{R"("selection": [1])", R"("selection": [2])"}, "accepted"}, {{R"("row": [0,0])", R"("row": [0,1])"}, "selected token"}});
  const std::string level = with(down, "enclosure", "origin");
  check_twins(level, {{{R"("start": ["0","0","0"])", R"("start": ["0","1","0"])"}, "not 0"}});
  BOOST_TEST(verdict(with(with(level, R"("selection": [1])", R"("selection": [0])"), R"("row": [0,0])", R"("row": [0,1])"))
                 .find("push the row up") != std::string::npos);
  BOOST_TEST(verdict(with(level, R"("over": "p")", R"("over": "W")")).find("start") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest::check::test
