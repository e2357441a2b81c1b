#include "envelope.hpp"
#include "support.hpp"

namespace attest::check::test {

BOOST_AUTO_TEST_SUITE(path_rules)

namespace {

const std::string loss_block = R"({"interval":["9/10","1"],"slope_sup":"-268/1000","m0":"1/4","m1":"3/10","cuts":[]})";

/// Rows [0,1] with theta 111/101 and [0,2], which is tight; both Delta are 1/10, w·w = 100/101.
const std::string ball = certificate("path", one_input,
                                     R"({"kind":"path-envelope","over":"p","selection":[0],"cone":null,
                    "envelope":[{"radius":"100","square":"1/40","rate":"1/10"},{"radius":"200","square":"1/45","rate":null}]})",
                                     R"({"lambda":[[0,2,"100/101"]],"loss":)" + loss_block + R"(,"entries":[
                    {"shift":[],"reach":"1/1000","slopes":[["26894/100000","26915/100000"]]},
                    {"shift":[[0,1,"1/100"]],"reach":"1/1001","slopes":[["26893/100000","26916/100000"]]}]})");

/// The same data with a token [0,1] that scores more than the selected one: alpha is locally optimal alone.
const std::string local_input = with(one_input, R"(["1","0","9/10"])", R"(["1","0","2"])");
const std::string cone =
    certificate("path", local_input,
                R"({"kind":"path-envelope","over":"p","selection":[0],"cone":{"radius":"200","opening":"1/100"},
                    "envelope":[{"radius":"1000","square":"1/200","rate":null}]})",
                R"({"lambda":[[0,2,"100/101"]],"loss":{"interval":["9/10","2"],"slope_sup":"-119/1000","m0":"1/4","m1":"3/10","cuts":[]},
                    "entries":[{"shift":[],"reach":"1/1000","slopes":[["26870/100000","26920/100000"]],"floor":"999",
                      "first":{"shift":[],"reach":"1/1001","slopes":[["26870/100000","26921/100000"]],"floor":"200"}}]})");

/// One sample over W: the row (1,-1)(1,0)^T, of least nuclear norm 1/sqrt 2.
const std::string nuclear =
    certificate("kq-path", R"({"tokens":[[["1","0"],["0","1"]]],"labels":[1],"v":["1","0"],"loss":"logistic"})",
                R"({"kind":"path-ratio","selection":[0],"lower":"707/1000","upper":"7073/10000","radius":"20","offset":"1/500"})",
                R"({"bracket":{"a":[["3/5"],["-3/5"]],"b":[["5/6"],["0"]],"lambda":[[0,1,"7071/10000"]]},
                    "loss":{"interval":["0","1"],"slope_sup":"-268/1000","m0":"26/100","m1":"51/100","cuts":[]},
                    "reach":"1/1000","slopes":[["26894/100000","26915/100000"]]})");

std::string joint(const std::string& theta, const std::string& c, const std::string& second) {
  return certificate(
      "joint-path", R"({"tokens":[[["1"],["0"]],[["4"],["2"]]],"labels":[1,1],"loss":"logistic"})",
      R"({"kind":"joint-envelope","selection":[0,0],"nu":"1/2","gamma_squared":"1","r":"2","R":"10",
          "theta":"1/20000","c":"13/100","head_theta":")" +
          theta + R"(","head_c":")" + c + R"("})",
      R"({"b":{"v":{"w":["1"],"lambda":[[0,"1"]]},"weights":[[[0,"1"]]],"samples":[{"sample":0,"cells":[{"upto":"1","tree":0}]}],
               "cover":[{"row":[1,1],"lambda":[[0,1,"2"]]}]},
          "lambda":[[0,1,"1"]],"weights":[[0,"1/1"]],"second":)" +
          second + "}");
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_envelope_of_the_ball_is_accepted_and_its_twins_are_not) {
  check_twins(
      ball, {
                {{R"("square":"1/40")", R"("square":"1/50")"}, "witness.entries[0]: clause 8: 2 D <= K Theta"},
                {{R"("radius":"100")", R"("radius":"1/1000")"}, "clause 5: the first stage does not close"},
                {{R"("radius":"200")", R"("radius":"100")"}, "not in strictly ascending order"},
                {{R"("radius":"100")", R"("radius":"0")"}, "envelope[0].radius: not > 0"},
                {{R"("rate":"1/10")", R"("rate":"9/100")"}, "clause 12: Q is too small"},
                {{R"("rate":"1/10")", R"("rate":"-1/10")"}, "envelope[0].rate: not > 0"},
                {{R"("cone":null)", R"("cone":{"radius":"10","opening":"1/10"})"}, "not null, but there is a cone"},
                {{R"("over":"p")", R"("over":"W")"}, "the claim path goes with the other one"},
                {{R"("over":"p")", R"("over":"q")"}, "neither p nor W"},
                {{R"([[0,2,"100/101"]])", R"([[0,2,"99/101"]])"}, "does not solve the SVM"},
                {{R"([[0,2,"100/101"]])", "[]"}, "is empty"},
                {{R"(["9/10","1"],"slope)", R"(["19/20","1"],"slope)"}, "lies outside the interval"},
                {{R"("m1":"3/10")", R"("m1":"1/10")"}, "-inf l' exceeds m1"},
                {{R"("reach":"1/1000")", R"("reach":"1/10")"}, "clause 5: h is not below every Delta"},
                {{R"("reach":"1/1000")", R"("reach":"0")"}, "clause 5: h is not > 0"},
                {{R"("reach":"1/1000")", R"("reach":"1/10000000000000000000000000000000000000000000000000")"}, "clause 5: the first stage"},
                {{R"(["26894/100000","26915/100000"])", R"(["26895/100000","26915/100000"])"}, "clause 6: sup l' exceeds -mu_i"},
                {{R"(["26894/100000","26915/100000"])", R"(["26894/100000","26904/100000"])"}, "clause 6: -inf l' exceeds M_i"},
                {{R"(["26894/100000","26915/100000"])", R"(["26915/100000","26894/100000"])"}, "not 0 < mu_i <= M_i"},
                {{R"(["26894/100000","26915/100000"])", "null"}, "not an array"},
                {{R"([[0,1,"1/100"]])", R"([[0,1,"1000"]])"}, "clause 4: the shift is not shorter than the radius"},
                {{R"([[0,1,"1/100"]])", R"([[0,1,"0"]])"}, "the coefficient of [0,1] is 0"},
                {{R"([[0,1,"1/100"]])", R"([[0,0,"1"]])"}, "names the selected token"},
                {{R"({"shift":[],)", R"({"shift":[],"floor":"1",)"}, R"(unknown key "floor")"},
                {{R"(,"rate":null)", ""}, R"(the key "rate" is missing)"},
                {{R"(["1","0","9/10"])", R"(["1","0","1"])"}, "clause 3: the row [0,1] does not score less"},
                {{R"("v": ["0","0","1"],)", ""}, "problem.v is missing"},
                {{R"("claim": "path")", R"("claim": "w-path")"}, "the claim w-path goes with the other one"},
            });
}

BOOST_AUTO_TEST_CASE(a_tight_row_without_multiplier_or_a_short_radius_has_no_rate) {
  // With the keys (1,0) and (0,0) of the other tokens at distance 1 along w both rows are tight.
  const std::string tight = with(ball, R"(["-1/10","1","1"])", R"(["0","1","1"])");
  BOOST_TEST(verdict(with(tight, R"([[0,2,"100/101"]])", R"([[0,2,"1"]])")).find("clause 10: the row [0,1] is tight but not listed") !=
             std::string::npos);
  const std::string near =
      with(with(ball, R"("radius":"100","square":"1/40")", R"("radius":"9/10","square":"50")"), R"("1/1000")", R"("99/1000")");
  BOOST_TEST(verdict(with(near, R"(["26894/100000","26915/100000"])", R"(["26894/100000","3/10"])")).find("clause 8: D < R0 Theta") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(two_listed_rows_have_the_shift_that_the_path_tends_to) {
  // Rows (1,0) and (0,1), Delta 1 and 2: o = ∓(log 2)/2, so |omega|^2 = (log 2)^2/2 = 0.2402, and no row is left over.
  const std::string good = certificate(
      "path", R"({"tokens":[[["1","0"],["0","0"]],[["0","2"],["0","1"]]],"labels":[1,1],"v":["1","2"],"loss":"correlation"})",
      R"({"kind":"path-envelope","over":"p","selection":[0,0],"cone":null,"envelope":[{"radius":"1000","square":"1","rate":"4903/10000"}]})",
      R"({"lambda":[[0,1,"1"],[1,1,"1"]],"loss":{"interval":["0","4"],"slope_sup":"-1","m0":"0","m1":"1","cuts":["1"]},
          "entries":[{"shift":[[0,1,"-346/1000"],[1,1,"346/1000"]],"reach":"1/10000000000","slopes":[["1","1"],["1","1"]]}]})");
  check_twins(good, {
                        {{"4903/10000", "4901/10000"}, "clause 12: Q is too small"},
                        {{R"("radius":"1000")", R"("radius":"1/3")"}, "clause 4"},
                    });
  // D is about Theta |omega|^2/(2 R0) with the shift, and log(3/(2 sqrt 2)) = 0.0589 without one.
  const std::string sharp = with(good, R"("square":"1")", R"("square":"1/4000")");
  BOOST_TEST(verdict(sharp) == "accepted");
  BOOST_TEST(verdict(with(sharp, R"([[0,1,"-346/1000"],[1,1,"346/1000"]])", "[]")).find("clause 8: 2 D <= K Theta") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_envelope_in_a_cone_is_accepted_and_its_twins_are_not) {
  check_twins(cone, {
                        {{R"("opening":"1/100")", R"("opening":"1/2")"}, "clause 5': sigma > Theta is not shown for the row [0,1]"},
                        {{R"("opening":"1/100")", R"("opening":"2")"}, "clause 5': sigma > 0 is not shown for the row [0,1]"},
                        {{R"("opening":"1/100")", R"("opening":"0")"}, "opening: clause 3: not > 0"},
                        {{R"("radius":"200")", R"("radius":"0")"}, "radius: clause 3: not > 0"},
                        {{R"("floor":"999")", R"("floor":"1000")"}, "clause 9: r1 <= R0 - D1/Theta is not shown"},
                        {{R"("floor":"999")", R"("floor":"100")"}, "clause 5': not r0 <= r1 <= R0"},
                        {{R"("floor":"200")", R"("floor":"201")"}, "clause 9: the floor of the first pass is not r0"},
                        {{R"("reach":"1/1000")", R"("reach":"0")"}, "clause 5': h is too small for sample 0"},
                        {{R"(["26870/100000","26920/100000"])", R"(["26880/100000","26920/100000"])"}, "clause 6: sup l' exceeds -mu_i"},
                        {{R"("square":"1/200")", R"("square":"1/300")"}, "clause 8"},
                        {{R"("cone":{"radius":"200","opening":"1/100"})", R"("cone":null)"}, "clause 3: the row [0,1]"},
                        {{R"(["0","0","9/10"])", R"(["0","0","1"])"}, "clause 3: the row [0,2]"},
                    });
  const std::string no_first = cone.substr(0, cone.find(R"({"shift":[],"reach":"1/1001")")) + "null}]}}";
  BOOST_TEST(verdict(no_first).find("clause 9: not r0, and there is no first pass") != std::string::npos);
  BOOST_TEST(verdict(with(no_first, R"("floor":"999")", R"("floor":"200")")) == "accepted");
  // Close to the origin the better token pulls away from alpha.
  const std::string wide = with(with(no_first, R"("floor":"999")", R"("floor":"20")"), R"("radius":"200")", R"("radius":"20")");
  BOOST_TEST(verdict(wide).find("clause 7': xi < 1 is not shown") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_ratio_of_the_nuclear_path_is_accepted_and_its_twins_are_not) {
  check_twins(nuclear, {
                           {{R"("offset":"1/500")", R"("offset":"1/600")"}, "clause 5: too small for the row [0,1]"},
                           {{R"("offset":"1/500")", R"("offset":"-1/500")"}, "offset: is negative"},
                           {{R"("offset":"1/500")", R"("offset":"30")"}, "clause 5: not above upper times offset"},
                           {{R"("lower":"707/1000")", R"("lower":"0")"}, "lower: not > 0"},
                           {{R"("lower":"707/1000")", R"("lower":"708/1000")"}, "above the sum of the multipliers"},
                           {{R"("7071/10000")", R"("708/1000")"}, "has a norm above 1"},
                           {{R"("upper":"7073/10000")", R"("upper":"7072/10000")"}, "below half the sum"},
                           {{R"("radius":"20")", R"("radius":"1/2")"}, "clause 3: the first stage"},
                           {{R"("reach":"1/1000")", R"("reach":"1")"}, "clause 3: h is not below every Delta"},
                           {{R"(["26894/100000","26915/100000"])", R"(["26895/100000","26915/100000"])"}, "clause 6"},
                           {{R"("v":["1","0"])", R"("v":["0","0"])"}, "clause 1: the row [0,1] does not score less"},
                           {{R"(["3/5"],)", R"(["1/5"],)"}, "W violates the row [0,1]"},
                       });
}

BOOST_AUTO_TEST_CASE(the_joint_envelope_is_accepted_and_its_twins_are_not) {
  check_twins(joint("2/10000", "2/5", "null"),
              {
                  {{R"("c":"13/100")", R"("c":"12/100")"}, "clause 4: c is too small"},
                  {{R"("theta":"1/20000")", R"("theta":"1/30000")"}, "clause 4: too small for sample 0"},
                  {{R"("theta":"1/20000")", R"("theta":"1")"}, "clause 4: theta < Gamma is not shown"},
                  {{R"("c":"13/100")", R"("c":"2")"}, "clause 4: r (Gamma - theta) > c is not shown"},
                  {{R"("R":"10")", R"("R":"9")"}, "clause 4: too small for sample 0"},
                  {{R"("R":"10")", R"("R":"0")"}, "statement.R: not > 0"},
                  {{R"("head_theta":"2/10000")", R"("head_theta":"1/10000")"}, "head_theta: clause 5"},
                  {{R"("head_c":"2/5")", R"("head_c":"38/100")"}, "head_c: clause 5"},
                  {{R"("head_c":"2/5")", R"("head_c":"2")"}, "clause 7: theta' + c'/r < Gamma is not shown"},
                  {{R"("nu":"1/2")", R"("nu":"1")"}, "the weights do not close the node"},
                  {{R"([0,"1/1"])", R"([1,"1"])"}, "is not gamma_squared v"},
                  {{R"("lambda":[[0,1,"1"]])", R"("lambda":[[0,1,"2"]])"}, "is listed but not tight"},
                  {{R"("loss":"logistic")", R"("loss":"exponential")"}, "clause 1: the loss"},
              });
  check_twins(joint("46/1000000", "1/10", R"({"shift":["5"]})"),
              {
                  {{R"("head_theta":"46/1000000")", R"("head_theta":"45/1000000")"}, "clause 6: too small for sample 0"},
                  {{R"("head_c":"1/10")", R"("head_c":"8/100")"}, "head_c: clause 6"},
                  {{R"("c":"13/100")", R"("c":"4/10")"}, "clause 6: the first pass does not order the token [0,1]"},
                  {{R"({"shift":["5"]})", R"({"shift":["5","0"]})"}, "2 entries, not 1"},
                  {{R"({"shift":["5"]})", "{}"}, R"(the key "shift" is missing)"},
              });
}

BOOST_AUTO_TEST_CASE(an_upper_bound_of_exp_is_cut_far_below_zero) {
  BOOST_TEST(is_less(0, exp_up(Rational(-10000000))));
  BOOST_TEST(is_at_most(exp(Number(-4096)), exp_up(Rational(-10000000))));
  BOOST_TEST(is_at_most(exp(Number(Rational(-1, 3))), exp_up(Rational(-1, 3)) + Number(Rational(1, 1000000000))));
  BOOST_CHECK_THROW(exp_up(Rational(1 << 21)), Undefined);
}

BOOST_AUTO_TEST_CASE(conditions_hold_for_the_whole_enclosure) {
  const Number third = Rational(1, 3);
  BOOST_TEST(!is_at_most(third, third));  // it has a width
  BOOST_TEST(is_at_most(1, 1));
  BOOST_TEST(!is_less(1, 1));
  BOOST_TEST(is_at_most(positive_part(third - 1), 0));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest::check::test
