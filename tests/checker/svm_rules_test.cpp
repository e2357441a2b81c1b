#include "support.hpp"

namespace attest::check::test {

BOOST_AUTO_TEST_SUITE(svm_rules)

namespace {

const std::string p_svm_one =
    certificate("p-svm", one_input, R"({"kind":"svm-optimal","selection":[0],"objective":"50/101","support":[[0,2]]})",
                R"({"w":["-10/101","100/101","0"],"lambda":[[0,2,"100/101"]]})");

const std::string p_svm_three =
    certificate("p-svm", three_tight, R"({"kind":"svm-optimal","selection":[1,1,1],"objective":"17/18","support":[[1,0],[2,0]]})",
                R"({"w":["4/3","1/3"],"lambda":[[1,0,"7/9"],[2,0,"10/9"]]})");

const std::string v_svm_three =
    certificate("v-svm", three_tight, R"({"kind":"svm-optimal","selection":[1,1,1],"objective":"1/2","support":[[0],[1],[2]]})",
                R"({"w":["0","1"],"lambda":[[0,"1/2"],[1,"1/2"]]})");

const std::string joint_three =
    certificate("joint-svm", three_tight, R"({"kind":"svm-optimal","selection":[1,1,1],"objective":"17/18","support":[[1,0],[2,0]]})",
                R"({"w":["4/3","1/3"],"lambda":[[1,0,"7/9"],[2,0,"10/9"]],"v":{"w":["0","1"],"lambda":[[0,"1/2"],[1,"1/2"]]}})");

/// The v-svm of [1,1] is tight at sample 0 alone, so sample 1 has margin 0 in the joint program.
const std::string half_tight = R"({"tokens":[[["0"],["1"]],[["3/2"],["2"]]],"labels":[1,1],"loss":"logistic"})";
const std::string joint_half =
    certificate("joint-svm", half_tight, R"({"kind":"svm-optimal","selection":[1,1],"objective":"1/2","support":[[0,0]]})",
                R"({"w":["1"],"lambda":[[0,0,"1"]],"v":{"w":["1"],"lambda":[[0,"1"]]}})");

/// The token 0 lies between -1 and 1.
const std::string between = R"({"tokens":[[["-1"],["0"],["1"]]],"labels":[1],"v":["1"],"loss":"logistic"})";
const std::string p_infeasible =
    certificate("p-svm", between, R"({"kind":"svm-infeasible","selection":[1]})", R"({"lambda":[[0,0,"2/3"],[0,2,"4/6"]]})");

}  // namespace

BOOST_AUTO_TEST_CASE(the_p_svm_of_one_input_is_solved_and_its_twins_are_not) {
  check_twins(p_svm_one, {
                             {{R"([[0,2,"100/101"]])", R"([[0,2,"-100/101"]])"}, "multiplier of [0,2] is not > 0"},
                             {{R"([[0,2,"100/101"]])", R"([[0,2,"0"]])"}, "is not > 0"},
                             {{R"([[0,2,"100/101"]])", R"([[0,2,"99/101"]])"}, "is not w in component 0"},
                             {{R"([[0,2,"100/101"]])", "[]"}, "is not w"},
                             {{R"([[0,2,"100/101"]])", R"([[0,1,"1/101"],[0,2,"100/101"]])"}, "[0,1] has a multiplier but is not tight"},
                             {{R"([[0,2,"100/101"]])", R"([[0,2,"50/101"],[0,2,"50/101"]])"}, "strictly ascending"},
                             {{R"([[0,2,"100/101"]])", R"([[0,0,"100/101"]])"}, "names the selected token of sample 0"},
                             {{R"([[0,2,"100/101"]])", R"([[0,3,"100/101"]])"}, "sample 0 has no token 3"},
                             {{R"([[0,2,"100/101"]])", R"([[1,2,"100/101"]])"}, "there is no sample 1"},
                             {{R"([[0,2,"100/101"]])", R"([[0,"100/101"]])"}, "2 entries, not 3"},
                             {{R"([[0,2,"100/101"]])", R"([[0,2,1]])"}, "not a rational"},
                             {{R"(["-10/101","100/101","0"])", R"(["-10/101","100/101","1"])"}, "is not w in component 2"},
                             {{R"(["-10/101","100/101","0"])", R"(["-10/101","99/101","0"])"}, "w violates the row [0,2]"},
                             {{R"(["-10/101","100/101","0"])", R"(["-10/101","100/101"])"}, "2 entries, not 3"},
                             {{R"("50/101")", R"("51/101")"}, "not w.w/2"},
                             {{R"([[0,2]])", "[]"}, "leaves out the tight row [0,2]"},
                             {{R"([[0,2]])", "[[0,1],[0,2]]"}, "the row [0,1] is not tight"},
                             {{R"([[0,2]])", "[[0,1]]"}, "statement.support: the row [0,1] is not tight"},
                             {{R"([[0,2]])", "[[0,2],[0,2]]"}, "strictly ascending"},
                             {{R"([[0,2]])", "[[0]]"}, "1 entries, not 2"},
                             {{R"("selection":[0])", R"("selection":[1])"}, "w violates the row [0,0]"},
                             {{R"({"w":["-10)", R"({"v":{},"w":["-10)"}, "unknown key \"v\""},
                             {{R"("claim": "p-svm")", R"("claim": "v-svm")"}, "entries, not 2"},
                             {{R"(["0","1","0"],)", R"(["1","1","0"],)"}, "violates"},
                         });
}

BOOST_AUTO_TEST_CASE(the_p_svm_of_three_samples_is_solved_and_its_twins_are_not) {
  check_twins(p_svm_three, {
                               {{R"([1,0,"7/9"],)", ""}, "is not w"},
                               {{R"([[1,0],[2,0]])", "[[2,0],[1,0]]"}, "strictly ascending"},
                               {{R"([[1,0],[2,0]])", "[[0,0],[1,0],[2,0]]"}, "the row [0,0] is not tight"},
                               {{R"([[1,0],[2,0]])", "[[1,0]]"}, "leaves out the tight row [2,0]"},
                               {{R"([1,0,"7/9"],[2,0,"10/9"])", R"([2,0,"10/9"],[1,0,"7/9"])"}, "strictly ascending"},
                               {{R"(["4/3","1/3"])", R"(["8/3","2/3"])"}, "not tight"},
                           });
}

BOOST_AUTO_TEST_CASE(a_matrix_that_is_not_symmetric_acts_by_rows) {
  // W = [[0,1],[0,0]] maps (0,1) to (1,0): the row of [0,0] is (1,0).
  const std::string good = certificate(
      "p-svm", R"({"tokens":[[["0","0"],["0","1"]]],"labels":[1],"W":[["0","1"],["0","0"]],"loss":"logistic"})",
      R"({"kind":"svm-optimal","selection":[1],"objective":"1/2","support":[[0,0]]})", R"({"w":["1","0"],"lambda":[[0,0,"1"]]})");
  check_twins(good, {{{R"([["0","1"],["0","0"]])", R"([["0","0"],["1","0"]])"}, "w violates the row [0,0]"},
                     {{R"("w":["1","0"])", R"("w":["0","1"])"}, "w violates the row [0,0]"}});
}

BOOST_AUTO_TEST_CASE(a_program_without_rows_is_solved_by_zero) {
  const std::string empty =
      certificate("p-svm", R"({"tokens":[[["1"]]],"labels":[1],"loss":"logistic"})",
                  R"({"kind":"svm-optimal","selection":[0],"objective":"0","support":[]})", R"({"w":["0"],"lambda":[]})");
  check_twins(empty, {{{R"("w":["0"])", R"("w":["1"])"}, "is not w in component 0"}});
}

BOOST_AUTO_TEST_CASE(the_v_svm_is_solved_and_its_twins_are_not) {
  check_twins(v_svm_three, {
                               {{R"([[0],[1],[2]])", "[[0],[1]]"}, "leaves out the tight row [2]"},
                               {{R"([[0],[1],[2]])", "[[0,0],[1,0],[2,0]]"}, "2 entries, not 1"},
                               {{R"([0,"1/2"],[1,"1/2"])", R"([0,"1/2"],[2,"1/2"])"}, "is not w"},
                               {{R"([0,"1/2"],[1,"1/2"])", R"([1,"1/2"],[0,"1/2"])"}, "strictly ascending"},
                               {{R"("labels": [1,-1,1])", R"("labels": [1,1,1])"}, "w violates the row [1]"},
                               {{R"("selection":[1,1,1])", R"("selection":[1,1,0])"}, "w violates the row [2]"},
                           });
}

BOOST_AUTO_TEST_CASE(keys_play_no_part_in_the_v_svm) {
  BOOST_TEST(verdict(with(v_svm_three, R"("loss")", R"("W":[["7","1"],["0","5"]],"loss")")) == "accepted");
}

BOOST_AUTO_TEST_CASE(the_joint_svm_is_solved_and_its_twins_are_not) {
  check_twins(joint_three,
              {
                  {{R"(,"v":{"w":["0","1"],"lambda":[[0,"1/2"],[1,"1/2"]]})", ""}, "\"v\" is missing"},
                  {{R"("v":{"w":["0","1"])", R"("v":{"w":["0","2"])"}, "witness.v.lambda: the row [0] has a multiplier but is not tight"},
                  {{R"([1,"1/2"]])", R"([1,"1/3"]])"}, "witness.v.lambda"},
                  {{R"("v":{"w")", R"("v":{"extra":1,"w")"}, "witness.v: unknown key"},
                  {{R"("17/18")", R"("1")"}, "not w.w/2"},
              });
  check_twins(joint_half,
              {
                  {{R"("w":["1"],"lambda":[[0,0,"1"]])", R"("w":["2"],"lambda":[[1,0,"4"]])"}, "[1,0] has a multiplier but is not tight"},
                  {{R"([[0,0]])", "[[0,0],[1,0]]"}, "the row [1,0] is not tight"},
                  {{R"("claim": "joint-svm")", R"("claim": "p-svm")"}, "unknown key \"v\""},
              });
}

BOOST_AUTO_TEST_CASE(an_infeasible_p_svm_is_shown_by_farkas) {
  check_twins(p_infeasible, {
                                {{R"("4/6")", R"("1")"}, "the sum of multiplier times row is not 0"},
                                {{R"([[0,0,"2/3"],[0,2,"4/6"]])", "[]"}, "times margin is not > 0"},
                                {{R"("2/3")", R"("-2/3")"}, "is not > 0"},
                                {{R"([0,0,"2/3"],[0,2,"4/6"])", R"([0,2,"2/3"],[0,0,"4/6"])"}, "strictly ascending"},
                                {{R"("selection":[1])", R"("selection":[2])"}, "names the selected token"},
                                {{R"({"lambda")", R"({"w":["0"],"lambda")"}, "unknown key"},
                            });
}

BOOST_AUTO_TEST_CASE(a_singular_matrix_can_make_tokens_equal) {
  // W = 0: every row is 0·w >= 1.
  const std::string good = certificate("p-svm", R"({"tokens":[[["1"],["2"]]],"labels":[1],"W":[["0"]],"loss":"logistic"})",
                                       R"({"kind":"svm-infeasible","selection":[1]})", R"({"lambda":[[0,0,"1"]]})");
  check_twins(good, {{{R"([["0"]])", R"([["1/1000000"]])"}, "is not 0"}});
}

BOOST_AUTO_TEST_CASE(an_infeasible_v_svm_is_shown_by_farkas) {
  const std::string good = certificate("v-svm", R"({"tokens":[[["1","2"]],[["2","4"]]],"labels":[1,-1],"loss":"logistic"})",
                                       R"({"kind":"svm-infeasible","selection":[0,0]})", R"({"lambda":[[0,"2"],[1,"1"]]})");
  check_twins(good, {{{R"("labels":[1,-1])", R"("labels":[1,1])"}, "is not 0"}, {{R"([1,"1"])", R"([1,"2"])"}, "is not 0"}});
}

BOOST_AUTO_TEST_CASE(an_infeasible_joint_svm_needs_a_row_of_margin_one) {
  // v-svm: w >= 1, 2w >= 1, tight at sample 0 alone. Joint: w >= 1, w >= 0, -w >= 0.
  const std::string good = certificate("joint-svm", R"({"tokens":[[["0"],["1"]],[["1"],["2"],["3"]]],"labels":[1,1],"loss":"logistic"})",
                                       R"({"kind":"svm-infeasible","selection":[1,1]})",
                                       R"({"lambda":[[0,0,"1"],[1,2,"1"]],"v":{"w":["1"],"lambda":[[0,"1"]]}})");
  check_twins(good, {{{R"([[0,0,"1"],[1,2,"1"]])", R"([[1,0,"1"],[1,2,"1"]])"}, "times margin is not > 0"},
                     {{R"({"w":["1"],"lambda":[[0,"1"]]})", R"({"w":["2"],"lambda":[[0,"2"]]})"}, "witness.v.lambda"},
                     {{R"("labels":[1,1])", R"("labels":[-1,-1])"}, "w violates the row [0]"}});
}

BOOST_AUTO_TEST_CASE(a_locally_optimal_selection_is_accepted_and_its_twins_are_not) {
  const std::string good = certificate("locally-optimal", one_input, R"({"kind":"locally-optimal","selection":[0],"neighbours":[[0,2]]})",
                                       R"({"w":["-10/101","100/101","0"],"lambda":[[0,2,"100/101"]]})");
  check_twins(good, {
                        {{R"([[0,2]])", "[]"}, "leaves out the tight row [0,2]"},
                        {{R"([[0,2]])", "[[0,1],[0,2]]"}, "the row [0,1] is not tight"},
                        {{R"(["0","0","9/10"]])", R"(["0","0","1"]])"}, "neighbour [0,2] does not score less"},
                        {{R"("v": ["0","0","1"],)", ""}, "problem.v is missing"},
                        {{R"("100/101"]])", R"("100/102"]])"}, "is not w"},
                    });
}

BOOST_AUTO_TEST_CASE(a_neighbour_that_scores_as_much_refutes_local_optimality) {
  const std::string good = certificate("locally-optimal", one_input, R"({"kind":"not-locally-optimal","selection":[1]})",
                                       R"({"w":["1","0","0"],"lambda":[[0,2,"1"]],"neighbour":[0,2]})");
  check_twins(good, {
                        {{R"("neighbour":[0,2])", R"("neighbour":[0,0])"}, "the row [0,0] is not tight"},
                        {{R"("neighbour":[0,2])", R"("neighbour":[0,1])"}, "names the selected token"},
                        {{R"(,"neighbour":[0,2])", ""}, "\"neighbour\" is missing"},
                        {{R"(["0","0","9/10"]])", R"(["0","0","8/10"]])"}, "[0,2] scores less"},
                        {{R"("lambda":[[0,2,"1"]])", R"("lambda":[[0,2,"1"]],"farkas":[])"}, "unknown key"},
                        {{R"("v": ["0","0","1"],)", ""}, "problem.v is missing"},
                    });
}

BOOST_AUTO_TEST_CASE(an_infeasible_program_refutes_local_optimality) {
  const std::string good =
      certificate("locally-optimal", between, R"({"kind":"not-locally-optimal","selection":[1]})", R"({"farkas":[[0,0,"1"],[0,2,"1"]]})");
  check_twins(good, {{{R"([0,2,"1"]])", R"([0,2,"2"]])"}, "is not 0"}, {{R"([[0,0,"1"],[0,2,"1"]])", "[]"}, "is not > 0"}});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest::check::test
