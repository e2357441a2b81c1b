#include "selection_tree.hpp"

#include "support.hpp"

namespace attest::check::test {

BOOST_AUTO_TEST_SUITE(selection_tree)

namespace {

/// Trees over the cells of one sample of a problem, all of whose samples are support vectors; Γ is 1.
struct Forest {
  Forest(const std::string& text, Selection chosen)
      : data(JsonDocument::parse(text)), problem(data.root()), selection(std::move(chosen)), in_support(problem.tokens.size(), true) {}

  JsonDocument data;
  Problem problem;
  Selection selection;
  std::vector<bool> in_support;

  /// "closed", or why not.
  [[nodiscard]] std::string judge(const std::string& weights, const Rational& slope, std::size_t sample, const Rational& from,
                                  const Rational& upto, const std::string& tree) const {
    try {
      const JsonDocument lists = JsonDocument::parse(weights);
      const std::vector<WeightList> read = read_weight_lists(lists.root(), problem);
      const JsonDocument node = JsonDocument::parse(tree);
      require_closed_tree({problem, selection, in_support, read, 1, slope}, sample, from, upto, node.root());
      return "closed";
    } catch (const Rejected& why) {
      return why.what();
    }
  }
};

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(weights_stand_over_one_denominator) {
  const JsonDocument data = JsonDocument::parse(three_tight);
  const Problem problem(data.root());
  const JsonDocument lists = JsonDocument::parse(R"([[[0,"1/2"],[2,"1/2"]],[[0,"1/6"],[1,"1/3"],[2,"1/2"]]])");
  const std::vector<WeightList> read = read_weight_lists(lists.root(), problem);
  BOOST_TEST_REQUIRE(read.size() == 2U);
  BOOST_TEST(read[0].denominator == 2);
  BOOST_TEST(read[1].denominator == 6);
  BOOST_TEST_REQUIRE(read[1].entries.size() == 3U);
  BOOST_TEST(read[1].entries[1].first == 1U);
  BOOST_TEST(read[1].entries[1].second == 2);
  for (const auto& [broken, why] : std::vector<Twin>{{R"([[[0,"1/2"]]])", "do not sum to 1"},
                                                     {R"([[]])", "do not sum to 1"},
                                                     {R"([[[0,"3/2"],[1,"-1/2"]]])", "the weight is not > 0"},
                                                     {R"([[[0,"1"],[1,"0"]]])", "the weight is not > 0"},
                                                     {R"([[[1,"1/2"],[0,"1/2"]]])", "strictly ascending"},
                                                     {R"([[[0,"1/2"],[0,"1/2"]]])", "strictly ascending"},
                                                     {R"([[[3,"1"]]])", "there is no sample 3"},
                                                     {R"([[[0]]])", "1 entries, not 2"}}) {
    const JsonDocument document = JsonDocument::parse(broken);
    BOOST_CHECK_EXCEPTION(read_weight_lists(document.root(), problem), Rejected,
                          [&why = why](const Rejected& fault) { return says(fault.what(), why); });
  }
}

BOOST_AUTO_TEST_CASE(a_leaf_closes_up_to_the_slope_of_the_margin_and_not_beyond) {
  // One sample; the other token gives the point 1 - delta.
  const Forest line(R"({"tokens":[[["1"],["0"]]],"labels":[1],"loss":"logistic"})", {0});
  const std::string one = R"([[[0,"1"]]])";
  BOOST_TEST(line.judge(one, 1, 0, 0, 1, "0") == "closed");
  BOOST_TEST(line.judge(one, 1, 0, Rational(1, 3), Rational(2, 3), "0") == "closed");
  BOOST_TEST(says(line.judge(one, Rational(1000001, 1000000), 0, 0, 1, "0"), "the weights do not close the node"));
  // Where sqrt(B) - c is negative nothing is closed, although the squares would agree.
  BOOST_TEST(says(line.judge(one, 3, 0, 0, 1, "0"), "the weights do not close the node"));
}

BOOST_AUTO_TEST_CASE(a_node_has_one_child_for_each_token_that_its_sample_offers) {
  const Forest line(R"({"tokens":[[["1"],["0"]]],"labels":[1],"loss":"logistic"})", {0});
  const auto judge = [&](const std::string& tree) { return line.judge(R"([[[0,"1"]]])", 1, 0, 0, 1, tree); };
  BOOST_TEST(judge("[0,0]") == "closed");
  BOOST_TEST(says(judge("[0]"), "not one child for each token that the sample offers"));
  BOOST_TEST(says(judge("[0,0,0]"), "not one child for each token that the sample offers"));
  BOOST_TEST(says(judge("[0,[0,0]]"), "sample 0 is assigned above"));
  BOOST_TEST(says(judge("[1,0]"), "there is no sample 1"));
  BOOST_TEST(says(judge("[]"), "an empty array"));
  BOOST_TEST(says(judge("[0,1]"), "there is no such weight list"));
  BOOST_TEST(says(judge("[0,-1]"), "not an integer"));
  BOOST_TEST(says(judge("null"), "not an integer"));
}

BOOST_AUTO_TEST_CASE(a_tree_closes_where_no_single_leaf_does) {
  const Forest pair(R"({"tokens":[[["-1","-1"],["2","-2"]],[["-1","2"],["-1","0"]]],"labels":[1,1],"loss":"logistic"})", {0, 0});
  const std::string weights = R"([[[0,"26/51"],[1,"25/51"]],[[0,"1/3"],[1,"2/3"]]])";
  const Rational slope(1, 10);
  const auto judge = [&](const std::string& tree) { return pair.judge(weights, slope, 0, Rational(1, 2), 1, tree); };
  BOOST_TEST(judge("[0,[1,0,1]]") == "closed");
  BOOST_TEST(judge("[1,0,1]") == "closed");
  for (const char* leaf : {"0", "1", "[0,0]", "[0,1]"}) BOOST_TEST(says(judge(leaf), "the weights do not close the node"), leaf);
  // Each leaf is asked for its own token: with the two exchanged the tree is open.
  BOOST_TEST(says(judge("[1,1,0]"), "the weights do not close the node"));
  // The weights hold at both ends of the cell or not at all.
  BOOST_TEST(says(pair.judge(weights, slope, 0, 0, 1, "[1,0,1]"), "the weights do not close the node"));
  BOOST_TEST(says(pair.judge(weights, 1, 0, Rational(1, 2), 1, "[1,0,1]"), "the weights do not close the node"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest::check::test
