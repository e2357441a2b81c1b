#include "loose_selection.hpp"

#include "claim_check.hpp"

namespace attest {
namespace {

BOOST_AUTO_TEST_SUITE(loose_selection)

BOOST_AUTO_TEST_CASE(the_selection_is_one_that_tightness_is_about) {
  const LooseSelection loose = find_loose_selection(one_input(), {0}, {});
  BOOST_TEST_REQUIRE(loose.selection.has_value());
  check_outcome(check(one_input(), "tightness", {{"selection", *loose.selection}}), Verdict::holds, Grade::proved);
}

BOOST_AUTO_TEST_CASE(a_lone_token_has_none_beside_it) {
  Problem lone = one_input();
  lone.tokens = {ExactMatrix::from_doubles(1, 3, {1, 2, 3})};
  const LooseSelection none = find_loose_selection(lone, {0}, {});
  BOOST_TEST(!none.selection.has_value());
  BOOST_TEST(none.why_not.empty());
}

BOOST_AUTO_TEST_CASE(a_search_whose_time_is_up_says_so) {
  RunOptions options;
  options.budget_seconds = 1e-9;
  const LooseSelection none = find_loose_selection(one_input(), {0}, options);
  BOOST_TEST(!none.selection.has_value());
  BOOST_TEST(none.why_not == "the time was up");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
