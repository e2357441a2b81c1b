#include "support.hpp"

namespace attest::check::test {

BOOST_AUTO_TEST_SUITE(weights)

namespace {

/// One row, the 1 x 1 matrix 2: W = 1/2 is 1/4 of it.
const std::string doubled = R"({"tokens":[[["1"],["0"]]],"labels":[1],"queries":[["2"]],"v":["1"],"loss":"logistic"})";
const std::string optimal = certificate("w-svm", doubled, R"({"kind":"svm-optimal","selection":[0],"objective":"1/8","support":[[0,1]]})",
                                        R"({"lambda":[[0,1,"1/4"]]})");

/// Two rows, 1 and -1.
const std::string opposed =
    R"({"tokens":[[["1"],["0"]],[["1"],["0"]]],"labels":[1,1],"queries":[["1"],["-1"]],"v":["1"],"loss":"logistic"})";
const std::string infeasible =
    certificate("w-svm", opposed, R"({"kind":"svm-infeasible","selection":[0,0]})", R"({"lambda":[[0,1,"3"],[1,1,"3"]]})");

/// One row, the 1 x 1 matrix 4: the least nuclear norm is 1/4, and M = 1/4 of the row has norm 1.
const std::string bracket = certificate("w-svm", R"({"tokens":[[["1"],["0"]]],"labels":[1],"queries":[["4"]],"loss":"logistic"})",
                                        R"({"kind":"nuclear-bracket","selection":[0],"lower":"1/4","upper":"1/4"})",
                                        R"({"a":[["1/2"]],"b":[["2/4"]],"lambda":[[0,1,"2/8"]]})");

}  // namespace

BOOST_AUTO_TEST_CASE(the_w_svm_of_one_row_is_solved_and_its_twins_are_not) {
  check_twins(optimal, {
                           {{R"("1/4")", R"("1/5")"}, "W violates the row [0,1]"},
                           {{R"("1/4")", R"("1/3")"}, "[0,1] has a multiplier but is not tight"},
                           {{R"("1/4")", R"("-1/4")"}, "is not > 0"},
                           {{R"([[0,1,"1/4"]])", "[]"}, "W violates the row [0,1]"},
                           {{R"([0,1,"1/4"])", R"([0,0,"1/4"])"}, "names the selected token"},
                           {{R"("1/8")", R"("1/4")"}, "not half the sum of the multipliers"},
                           {{R"("support":[[0,1]])", R"("support":[])"}, "leaves out the tight row [0,1]"},
                           {{R"(["2"])", R"(["3"])"}, "has a multiplier but is not tight"},
                           {{R"("queries":[["2"]],)", ""}, "W violates the row [0,1]"},
                           {{R"("claim": "w-svm")", R"("claim": "p-svm")"}, R"(the key "w" is missing)"},
                       });
}

BOOST_AUTO_TEST_CASE(opposed_rows_have_no_weights_and_the_twins_prove_nothing) {
  check_twins(infeasible, {
                              {{R"([0,1,"3"])", R"([0,1,"2"])"}, "the sum of multiplier times row is not 0"},
                              {{R"([[0,1,"3"],[1,1,"3"]])", R"([[0,1,"3"]])"}, "is not 0"},
                              {{R"([[0,1,"3"],[1,1,"3"]])", "[]"}, "is empty"},
                              {{R"([0,1,"3"])", R"([0,1,"-3"])"}, "is not > 0"},
                              {{R"(["-1"])", R"(["1"])"}, "is not 0"},
                              {{R"("selection":[0,0])", R"("selection":[1,0])"}, "names the selected token"},
                          });
}

BOOST_AUTO_TEST_CASE(a_neighbour_that_scores_less_makes_a_selection_locally_optimal_over_weights) {
  const std::string local =
      certificate("w-svm", doubled, R"({"kind":"locally-optimal","selection":[0],"neighbours":[[0,1]]})", R"({"lambda":[[0,1,"1/4"]]})");
  check_twins(local, {
                         {{R"("v":["1"])", R"("v":["-1"])"}, "the neighbour [0,1] does not score less"},
                         {{R"("v":["1"])", R"("v":["0"])"}, "does not score less"},
                         {{R"("v":["1"],)", ""}, "problem.v is missing"},
                         {{R"("neighbours":[[0,1]])", R"("neighbours":[])"}, "leaves out the tight row [0,1]"},
                         {{R"("1/4")", R"("1/3")"}, "is not tight"},
                     });
  const std::string beaten =
      certificate("w-svm", with(doubled, R"("v":["1"])", R"("v":["0"])"), R"({"kind":"not-locally-optimal","selection":[0]})",
                  R"({"lambda":[[0,1,"1/4"]],"neighbour":[0,1]})");
  check_twins(beaten, {
                          {{R"("v":["0"])", R"("v":["1"])"}, "scores less than the selected token"},
                          {{R"("neighbour":[0,1])", R"("neighbour":[0,0])"}, "names the selected token"},
                          {{R"("neighbour":[0,1])", R"("neighbour":[0,2])"}, "has no token 2"},
                          {{R"("1/4")", R"("1/5")"}, "W violates the row"},
                      });
}

BOOST_AUTO_TEST_CASE(a_neighbour_must_be_tight_to_beat_a_selection) {
  // The rows are 1 and 2: the second is slack at W = 1.
  const std::string beaten =
      certificate("w-svm", R"({"tokens":[[["1"],["0"],["-1"]]],"labels":[1],"queries":[["1"]],"v":["-1"],"loss":"logistic"})",
                  R"({"kind":"not-locally-optimal","selection":[0]})", R"({"lambda":[[0,1,"1"]],"neighbour":[0,1]})");
  check_twins(beaten, {{{R"("neighbour":[0,1])", R"("neighbour":[0,2])"}, "not a tight row"}});
}

BOOST_AUTO_TEST_CASE(a_program_without_solution_has_no_local_optimum) {
  const std::string none =
      certificate("w-svm", opposed, R"({"kind":"not-locally-optimal","selection":[0,0]})", R"({"farkas":[[0,1,"3"],[1,1,"3"]]})");
  check_twins(none, {
                        {{R"([0,1,"3"])", R"([0,1,"2"])"}, "is not 0"},
                        {{R"("farkas":[)", R"("neighbour":[0,1],"farkas":[)"}, R"(unknown key "neighbour")"},
                        {{R"("v":["1"],)", ""}, "problem.v is missing"},
                    });
}

BOOST_AUTO_TEST_CASE(the_nuclear_norm_is_bracketed_and_its_twins_are_not) {
  check_twins(bracket, {
                           {{R"("lower":"1/4")", R"("lower":"1/3")"}, "above the sum of the multipliers"},
                           {{R"("upper":"1/4")", R"("upper":"1/5")"}, "below half the sum of the squares"},
                           {{R"("2/8")", R"("1/3")"}, "has a norm above 1"},
                           {{R"("2/8")", R"("-2/8")"}, "is not > 0"},
                           {{R"("a":[["1/2"]])", R"("a":[["1/3"]])"}, "W violates the row [0,1]"},
                           {{R"("b":[["2/4"]])", R"("b":[["2/4","0"]])"}, "2 entries, not 1"},
                           {{R"("a":[["1/2"]],"b":[["2/4"]])", R"("a":[[]],"b":[[]])"}, "W violates the row [0,1]"},
                           {{R"(["4"])", R"(["5"])"}, "has a norm above 1"},
                       });
}

BOOST_AUTO_TEST_CASE(full_ranks_are_accepted_and_dependent_vectors_are_not) {
  const std::string ranks = certificate(
      "overparametrised",
      R"({"tokens":[[["1","0"],["0","1"]],[["1","1"],["0","0"]]],"labels":[1,1],"queries":[["1","0"],["1/2","1/3"]],"loss":"logistic"})",
      R"({"kind":"rank","token_ranks":[1,1],"query_rank":2})", "{}");
  check_twins(ranks, {
                         {{R"(["1/2","1/3"])", R"(["1/2","0"])"}, "the queries are dependent"},
                         {{R"(["1/2","1/3"])", R"(["0","0"])"}, "the queries are dependent"},
                         {{R"(["0","0"])", R"(["1","1"])"}, "token_ranks[1]: the difference tokens are dependent"},
                         {{R"("query_rank":2)", R"("query_rank":1)"}, "not the number of samples"},
                         {{R"("token_ranks":[1,1])", R"("token_ranks":[0,1])"}, "not the number of tokens less one"},
                         {{R"("token_ranks":[1,1])", R"("token_ranks":[1])"}, "1 entries, not 2"},
                     });
}

BOOST_AUTO_TEST_CASE(every_selection_has_its_matrix_and_the_twins_leave_one_out) {
  const std::string all = certificate("overparametrised", R"({"tokens":[[["1"],["0"]]],"labels":[1],"queries":[["1"]],"loss":"logistic"})",
                                      R"({"kind":"every-selection","count":2})", R"({"matrices":[[["3"]],[["-1/2"]]]})");
  check_twins(all, {
                       {{R"("-1/2")", R"("1/2")"}, "do not separate every selection"},
                       {{R"("-1/2")", R"("0")"}, "does not tell the best tokens of a sample apart"},
                       {{R"([[["3"]],[["-1/2"]]])", R"([[["3"]]])"}, "do not separate every selection"},
                       {{R"("count":2)", R"("count":1)"}, "not the number of selections"},
                       {{R"([["3"]])", R"([["3","1"]])"}, "2 entries, not 1"},
                   });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest::check::test
