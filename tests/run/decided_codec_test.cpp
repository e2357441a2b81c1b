#include "decided_codec.hpp"

#include "claim_check.hpp"

namespace attest {
namespace {

/// As it is after the way between processes: as text.
DecidedClaim brought_over(const ClaimRequest& request, const DecidedClaim& decided) {
  return decode_decided(request, Json::parse(encode_decided(decided).dump()));
}

BOOST_AUTO_TEST_SUITE(decided_codec)

BOOST_AUTO_TEST_CASE(what_became_of_a_claim_comes_over_whole) {
  const ClaimRequest request{"path", {{"selection", Selection{2}}, {"norm", std::string("nuclear")}}};
  DecidedClaim sent = decided_claim(request, {});
  sent.verdict = Verdict::inapplicable;
  sent.grade = Grade::proved;
  sent.message = "a \"word\"";
  sent.hypotheses = {{HypothesisId::assumption_a, Verdict::holds, "", Obstacle::none},
                     {HypothesisId::growth, Verdict::fails, "no", Obstacle::zero_solution}};
  sent.discoveries = {{{0, 1}, {1, 2}}, true};
  sent.destinations = Destinations{10, 7, {{{0, 1}, 4, 2}}, 3, "why", {{5, 0.25, 0.5, std::nullopt}}};
  sent.destinations->rate = ProvedRate{3, 40};
  sent.discoveries.dropped_samples = {1, 4};
  const DecidedClaim got = brought_over(request, sent);
  BOOST_TEST(got.claim == "path");
  BOOST_TEST((got.parameters.contains("norm") && got.parameters.contains("selection")));
  BOOST_TEST((got.verdict == sent.verdict && got.grade == sent.grade));
  BOOST_TEST(got.message == sent.message);
  BOOST_TEST((got.selection == Selection{2}));
  BOOST_TEST_REQUIRE(got.hypotheses.size() == 2U);
  BOOST_TEST((got.hypotheses[0].id == HypothesisId::assumption_a && got.hypotheses[0].verdict == Verdict::holds));
  BOOST_TEST((got.hypotheses[1].id == HypothesisId::growth && got.hypotheses[1].obstacle == Obstacle::zero_solution));
  BOOST_TEST(got.hypotheses[1].message == "no");
  BOOST_TEST((got.discoveries.locally_optimal == sent.discoveries.locally_optimal && got.discoveries.largest_margin_proved));
  BOOST_TEST_REQUIRE(got.destinations.has_value());
  BOOST_TEST((got.destinations->radius == 10 && got.destinations->starts == 7 && got.destinations->undecided == 3));
  BOOST_TEST(got.destinations->why_undecided == "why");
  BOOST_TEST_REQUIRE(got.destinations->reached.size() == 1U);
  BOOST_TEST((got.destinations->reached[0].selection == Selection{0, 1}));
  BOOST_TEST((got.destinations->reached[0].runs == 4 && got.destinations->reached[0].proved == 2));
  BOOST_TEST_REQUIRE(got.destinations->expected.size() == 1U);
  BOOST_TEST((got.destinations->expected[0].path_error == 0.25 && got.destinations->expected[0].seen_error == 0.5));
  BOOST_TEST(!got.destinations->expected[0].bound.has_value());
  BOOST_TEST_REQUIRE(got.destinations->rate.has_value());
  BOOST_TEST((got.destinations->rate->constant == 3 && got.destinations->rate->from_norm == 40));
  BOOST_TEST((got.discoveries.dropped_samples == std::vector<std::size_t>{1, 4}));
}

BOOST_AUTO_TEST_CASE(what_is_not_there_does_not_come) {
  const DecidedClaim got = brought_over({"census", {}}, {"census"});
  BOOST_TEST((!got.selection.has_value() && !got.destinations.has_value()));
  BOOST_TEST(!got.discoveries.dropped_samples.has_value());
  BOOST_TEST((got.hypotheses.empty() && got.discoveries.locally_optimal.empty() && !got.discoveries.largest_margin_proved));
  BOOST_TEST((got.verdict == Verdict::undecided && got.grade == Grade::observed));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
