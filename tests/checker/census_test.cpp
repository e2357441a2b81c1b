#include "support.hpp"

namespace attest::check::test {

BOOST_AUTO_TEST_SUITE(census)

namespace {

/// One input: selection 0 is locally optimal, 1 ties with its neighbour, 2 loses to token 0.
const std::string one = certificate("census", one_input, R"({"kind":"census","count":1,"selections":[[0]]})",
                                    R"({"order":[0],"conflicts":[],"tree":[
        {"w":["-10/101","100/101","0"],"lambda":[[0,2,"100/101"]]},
        {"w":["1","0","0"],"lambda":[[0,2,"1"]],"neighbour":[0,2]},
        {"w":["-1","-11/10","0"],"lambda":[[0,0,"11/10"],[0,1,"111/100"]],"neighbour":[0,0]}]})");

/// Sample 0 has tokens 0, 1; sample 1 has -1, 0, 1, with opposite labels: scores 0, 1 and 1, 0, -1.
/// The token in the middle is infeasible, and the samples pull w to opposite sides.
const std::string two_problem = R"({"tokens":[[["0"],["1"]],[["-1"],["0"],["1"]]],"labels":[1,-1],"v":["1"],"loss":"logistic"})";
const std::string two = certificate("census", two_problem, R"({"kind":"census","count":0,"selections":[]})",
                                    R"({"order":[1,0],
        "conflicts":[[[1,1,0,"1"],[1,1,2,"1"]], [[0,1,0,"2"],[1,0,1,"2"]], [[0,0,1,"1"],[1,2,1,"1"]]],
        "tree":[
          [{"w":["-1"],"lambda":[[0,1,"1"]],"neighbour":[0,1]}, 1],
          0,
          [2, {"w":["1"],"lambda":[[0,0,"1/2"],[1,1,"1/2"]],"neighbour":[1,1]}]]})");

/// The same with equal labels: scores 0, 1 and -1, 0, 1; [1,2] is locally optimal.
const std::string same =
    with(with(with(two, R"("labels":[1,-1])", R"("labels":[1,1])"), R"("count":0,"selections":[])", R"("count":1,"selections":[[1,2]])"),
         R"(,"neighbour":[1,1])", "");

/// Keys are the first coordinate, scores the second; a conflict of each form. [2,0] is locally optimal.
const std::string touched =
    certificate("census", R"({"tokens":[[["0","0"],["1","1"],["-5","5"]],[["0","0"],["1/2","-1"]]],"labels":[1,1],"v":["0","1"],
        "W":[["1","0"],["0","0"]],"loss":"logistic"})",
                R"({"kind":"census","count":1,"selections":[[2,0]]})",
                R"({"order":[1,0],
        "conflicts":[[[0,0,1,"5"],[0,0,2,"1"]], [[0,1,0,"1"],[1,0,1,"2"]], [[0,2],[1,1,0,"1"]],
                     {"terms":[[0,1],[1,1,0,"2"]],"centre":["1","0"]}],
        "tree":[[0, 1, {"w":["-2","0"],"lambda":[[1,1,"4"]]}], [0, 3, 2]]})");

}  // namespace

BOOST_AUTO_TEST_CASE(the_census_of_one_input_is_accepted_and_its_twins_are_not) {
  check_twins(one, {
                       {{R"("count":1)", R"("count":2)"}, "statement.count"},
                       {{R"("count":1,"selections":[[0]])", R"("count":0,"selections":[])"}, "not the locally optimal leaves"},
                       {{R"("count":1,"selections":[[0]])", R"("count":2,"selections":[[0],[1]])"}, "not the locally optimal leaves"},
                       {{R"("count":1,"selections":[[0]])", R"("count":2,"selections":[[0],[0]])"}, "strictly ascending"},
                       {{R"("selections":[[0]])", R"("selections":[[1]])"}, "not the locally optimal leaves"},
                       {{R"("selections":[[0]])", R"("selections":[[3]])"}, "no token 3"},
                       {{R"(,"neighbour":[0,2])", ""}, "neighbour [0,2] does not score less"},
                       {{R"("neighbour":[0,0])", R"("neighbour":[0,1])"}, ""},
                       {{R"("lambda":[[0,2,"100/101"]]})", R"("lambda":[[0,2,"100/101"]],"neighbour":[0,2]})"}, "[0,2] scores less"},
                       {{R"("lambda":[[0,2,"100/101"]])", R"("lambda":[[0,2,"99/101"]])"}, "witness.tree[0].lambda"},
                       {{R"("order":[0])", R"("order":[1])"}, "not a permutation"},
                       {{R"("order":[0])", R"("order":[])"}, "0 entries, not 1"},
                       {{R"("v": ["0","0","1"],)", ""}, "problem.v is missing"},
                       {{R"("tree":[)", R"("tree":[0,)"}, "4 entries, not 3"},
                   });
  const std::size_t first = one.find(R"({"w":["-10)");
  const std::size_t second = one.find(R"({"w":["1")");
  BOOST_TEST(verdict(one.substr(0, first) + one.substr(second)).find("2 entries, not 3") != std::string::npos);
  BOOST_TEST(verdict(one.substr(0, first) + "[]," + one.substr(second)).find("below the last level") != std::string::npos);
  BOOST_TEST(verdict(one.substr(0, first) + "0," + one.substr(second)).find("no such conflict") != std::string::npos);
  BOOST_TEST(verdict(one.substr(0, first) + "null," + one.substr(second)).find("not an integer") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_census_with_conflicts_is_accepted_and_its_twins_are_not) {
  check_twins(two, {
                       {{R"([[1,1,0,"1"],[1,1,2,"1"]])", R"([[1,1,0,"1"],[1,1,2,"2"]])"},
                        "witness.conflicts[0]: the point does not rise from token 2 to token 1 of sample 1"},
                       {{R"([[1,1,0,"1"],[1,1,2,"1"]])", R"([[1,1,2,"1"],[1,1,0,"1"]])"}, "strictly ascending"},
                       {{R"([[1,1,0,"1"],[1,1,2,"1"]])", R"([[1,0,1,"1"],[1,1,0,"1"]])"}, "second selected token for sample 1"},
                       {{R"([[1,1,0,"1"],[1,1,2,"1"]])", R"([[1,1,1,"1"]])"}, "two tokens are the same"},
                       {{R"([[1,1,0,"1"],[1,1,2,"1"]])", "[]"}, "an empty conflict"},
                       {{R"([[1,1,0,"1"],[1,1,2,"1"]])", R"([[1,1,0,"0"],[1,1,2,"0"]])"}, "is not > 0"},
                       {{R"([[1,1,0,"1"],[1,1,2,"1"]])", R"([[1,1,0,"-1"],[1,1,2,"-1"]])"}, "is not > 0"},
                       {{R"([[1,1,0,"1"],[1,1,2,"1"]])", R"([[2,1,0,"1"],[2,1,2,"1"]])"}, "there is no sample 2"},
                       {{R"([[1,1,0,"1"],[1,1,2,"1"]])", R"([[1,1,0,"1"],[1,1,3,"1"]])"}, "no token 3"},
                       {{R"("neighbour":[0,1]}, 1])", R"("neighbour":[0,1]}, 2])"}, "the conflict does not apply here"},
                       {{R"("neighbour":[0,1]}, 1])", R"("neighbour":[0,1]}, 3])"}, "no such conflict"},
                       {{R"("order":[1,0])", R"("order":[0,1])"}, "3 entries, not 2"},
                       {{R"("order":[1,0])", R"("order":[1,1])"}, "not a permutation"},
                       {{R"("labels":[1,-1])", R"("labels":[1,1])"}, "scores less"},
                   });
}

BOOST_AUTO_TEST_CASE(a_census_with_pairs_without_multipliers_is_accepted_and_its_twins_are_not) {
  check_twins(touched,
              {
                  {{R"([[0,2],[1,1,0,"1"]])", R"([[1,1,0,"1"]])"}, "witness.conflicts[2]: the point does not rise from token 0 to token 1"},
                  {{R"([[0,2],[1,1,0,"1"]])", R"([[0,1],[1,1,0,"1"]])"}, "the point does not rise from token 0 to token 1"},
                  {{R"([[0,2],[1,1,0,"1"]])", R"([[0,2],[1,1]])"}, "no entry has a multiplier"},
                  {{R"([[0,2],[1,1,0,"1"]])", R"([[0,2],[0,2],[1,1,0,"1"]])"}, "beside another entry of its sample"},
                  {{R"([[0,2],[1,1,0,"1"]])", R"([[0,2],[1,1],[1,1,0,"1"]])"}, "beside another entry of its sample"},
                  {{R"([[0,2],[1,1,0,"1"]])", R"([[0,2],[1,1,0,"1"],[1,1]])"}, "beside another entry of its sample"},
                  {{R"([[0,2],[1,1,0,"1"]])", R"([[1,1,0,"1"],[0,2]])"}, "strictly ascending"},
                  {{R"([[0,2],[1,1,0,"1"]])", R"([[0,3],[1,1,0,"1"]])"}, "no token 3"},
                  {{R"([[0,2],[1,1,0,"1"]])", R"([[0,2,1],[1,1,0,"1"]])"}, "3 entries, not 4"},
                  {{R"([0, 3, 2])", R"([2, 3, 2])"}, "the conflict does not apply here"},
                  {{R"("v":["0","1"])", R"("v":["0","-1"])"}, "witness.conflicts[2]: the point does not rise"},
              });
}

BOOST_AUTO_TEST_CASE(a_census_with_a_centre_is_accepted_and_its_twins_are_not) {
  check_twins(
      touched,
      {
          {{R"("terms":[[0,1],[1,1,0,"2"]])", R"("terms":[[1,1,0,"2"]])"}, "does not rise from token 1 to token 2 of sample 0"},
          {{R"("terms":[[0,1],[1,1,0,"2"]])", R"("terms":[[0,1],[1,1,0,"1"]])"}, "not less than the sum of the multipliers"},
          {{R"("terms":[[0,1],[1,1,0,"2"]])", R"("terms":[[0,1],[1,1,0,"-2"]])"}, "is not > 0"},
          {{R"("terms":[[0,1],[1,1,0,"2"]])", R"("terms":[[0,1],[1,1]])"}, "no entry has a multiplier"},
          {{R"("terms":[[0,1],[1,1,0,"2"]])", R"("terms":[])"}, "an empty conflict"},
          {{R"("centre":["1","0"])", R"("centre":["99/100","0"])"}, "does not rise from token 0 to token 1 of sample 0"},
          {{R"("centre":["1","0"])", R"("centre":["1"])"}, "1 entries, not 2"},
          {{R"("centre":["1","0"])", R"("centre":["1","2"])"}, "not less than the sum of the multipliers"},
          {{R"(,"centre":["1","0"])", ""}, "\"centre\" is missing"},
          {{R"("centre":["1","0"])", R"("centre":["1","0"],"scale":"1")"}, "unknown key"},
          {{R"({"terms":[[0,1],[1,1,0,"2"]],"centre":["1","0"]})", R"([[0,1],[1,1,0,"2"]])"}, "does not rise from token 0 to token 1"},
          {{R"([0, 3, 2])", R"([0, 3, 3])"}, "the conflict does not apply here"},
      });
}

BOOST_AUTO_TEST_CASE(selections_are_found_in_any_order_of_assignment) {
  check_twins(same, {{{R"([[1,2]])", "[[1,1]]"}, "not the locally optimal leaves"}, {{R"([[1,2]])", "[[2,1]]"}, "no token 2"}});
}

BOOST_AUTO_TEST_CASE(a_conflict_holds_only_below_the_nodes_that_assign_it) {
  // The root cannot be closed by a conflict, nor a node that has not assigned all its pairs.
  const std::size_t tree = two.find(R"("tree":)");
  const std::string root = two.substr(0, tree);
  BOOST_TEST(verdict(root + R"("tree":0}})").find("does not apply") != std::string::npos);
  BOOST_TEST(verdict(root + R"("tree":[1,0,2]}})").find("does not apply") != std::string::npos);
  BOOST_TEST(verdict(root + R"("tree":{"w":["0"],"lambda":[]}}})").find("above the last level") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_token_of_a_finished_branch_counts_no_more) {
  // The conflict of [0,1] and [1,1] is a true one, but where it stands only sample 1 has its token; the branch before
  // it ended with token 1 of sample 0.
  const std::string more = with(two, R"([[0,0,1,"1"],[1,2,1,"1"]]])", R"([[0,0,1,"1"],[1,2,1,"1"]],[[0,1,0,"1"],[1,1,2,"1"]]])");
  BOOST_TEST(verdict(more) == "accepted");
  const std::size_t zero = more.rfind("0,\n");
  BOOST_TEST_REQUIRE(zero != std::string::npos);
  BOOST_TEST(verdict(more.substr(0, zero) + "3" + more.substr(zero + 1)) == "witness.tree[1]: the conflict does not apply here");
}

BOOST_AUTO_TEST_CASE(a_deep_tree_costs_no_stack) {
  std::string tokens;
  std::string labels;
  std::string order;
  std::string selection;
  const int samples = 9'000;
  for (int i = 0; i < samples; ++i) {
    const std::string comma = i == 0 ? "" : ",";
    tokens += comma + R"([["1"]])";
    labels += comma + "1";
    order += comma + std::to_string(samples - 1 - i);
    selection += comma + "0";
  }
  const std::string deep =
      certificate("census", R"({"tokens":[)" + tokens + R"(],"labels":[)" + labels + R"(],"v":["1"],"loss":"logistic"})",
                  R"({"kind":"census","count":1,"selections":[[)" + selection + "]]}",
                  R"({"order":[)" + order + R"(],"conflicts":[],"tree":)" + std::string(samples, '[') + R"({"w":["0"],"lambda":[]})" +
                      std::string(samples, ']') + "}");
  check_twins(deep, {{{R"({"w":["0"],"lambda":[]})", R"({"w":["1"],"lambda":[]})"}, "is not w"},
                     {{R"({"w":["0"],"lambda":[]})", "0"}, "no such conflict"}});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest::check::test
