#include "attest/report/saved_case.hpp"

#include "claim_check.hpp"
#include "scratch_folder.hpp"

namespace attest {
namespace {

BOOST_AUTO_TEST_SUITE(saved_case_file)

Json entry(const ClaimRequest& request, const std::string& verdict, const std::string& grade, const Json& numbers = Json::object()) {
  return {{"claim", request.claim}, {"selection", {0}}, {"verdict", verdict}, {"grade", grade}, {"numbers", numbers}};
}

DataSet data_set(Problem problem) {
  DataSet set;
  set.data.name = "saved";
  set.data.problem = std::move(problem);
  return set;
}

Case read_back(const std::string& text, const ScratchFolder& folder) {
  auto read = read_case(folder.write("back.json", text), all_schemas());
  if (const auto* fault = std::get_if<InputFault>(&read)) BOOST_FAIL(to_string(*fault) << "\n" << text);
  return std::get<Case>(std::move(read));
}

BOOST_AUTO_TEST_CASE(data_and_claims_are_read_back_as_they_were) {
  DataSet set = data_set(one_input());
  set.data.problem.queries = ExactMatrix::from_doubles(1, 3, {0.1, 0x1p-1074, 0x1p60});
  set.data.problem.loss = written("log(1+exp(-u))");
  set.data.claims = {{"p-svm", {{"selection", Selection{1}}}},
                     {"w-svm", {{"norm", std::string("nuclear")}, {"selection", Selection{0}}}},
                     {"globally-optimal", {{"unique", true}}}};
  const std::vector<Json> entries = {entry(set.data.claims[0], "fails", "proved"), entry(set.data.claims[1], "holds", "observed"),
                                     entry(set.data.claims[2], "inapplicable", "proved")};
  const ScratchFolder folder;
  const Case back = read_back(saved_case(set, entries, folder.path() / "back.json"), folder);
  BOOST_TEST(back.name == "saved");
  BOOST_TEST((back.problem.tokens == set.data.problem.tokens));
  BOOST_TEST((back.problem.labels == set.data.problem.labels));
  BOOST_TEST((back.problem.v == set.data.problem.v));
  BOOST_TEST((back.problem.W == set.data.problem.W));
  BOOST_TEST((back.problem.queries == set.data.problem.queries));
  BOOST_TEST(back.problem.loss.expression().text() == "log(1+exp(-u))");
  BOOST_TEST_REQUIRE(back.claims.size() == 3U);
  BOOST_TEST((back.claims[0].expect == Verdict::fails && back.claims[0].grade == Grade::proved));
  BOOST_TEST((*back.claims[0].find<Selection>("selection") == Selection{1}));
  BOOST_TEST((back.claims[1].expect == Verdict::holds && back.claims[1].grade == Grade::observed));
  BOOST_TEST(*back.claims[1].find<std::string>("norm") == "nuclear");
  BOOST_TEST(*back.claims[2].find<bool>("unique"));
}

BOOST_AUTO_TEST_CASE(what_was_undecided_is_left_out_and_the_case_says_so) {
  DataSet set = data_set(one_input());
  set.data.claims = {{"p-svm", {{"selection", Selection{0}}}}, {"derivatives", {}}};
  const std::vector<Json> entries = {entry(set.data.claims[0], "undecided", "observed"), entry(set.data.claims[1], "holds", "observed")};
  const ScratchFolder folder;
  const Case back = read_back(saved_case(set, entries, folder.path() / "back.json"), folder);
  BOOST_TEST_REQUIRE(back.claims.size() == 1U);
  BOOST_TEST(back.claims[0].claim == "derivatives");
  BOOST_TEST(back.about.find("Left out: 1 that was undecided") != std::string::npos, back.about);
}

BOOST_AUTO_TEST_CASE(what_the_audit_found_is_written_down) {
  DataSet set = data_set(one_input());
  set.data.claims = {{"census", {}}, {"assumption-b", {}}};
  const std::vector<Json> entries = {entry(set.data.claims[0], "holds", "proved", {{"count", 1}, {"selections", {{0}}}}),
                                     entry(set.data.claims[1], "holds", "proved")};
  const ScratchFolder folder;
  const Case back = read_back(saved_case(set, entries, folder.path() / "back.json"), folder);
  BOOST_TEST((*back.claims[0].find<std::vector<Selection>>("selections") == std::vector<Selection>{{0}}));
  BOOST_TEST((*back.claims[1].find<Selection>("selection") == Selection{0}));
}

BOOST_AUTO_TEST_CASE(numbers_of_what_holds_are_pinned) {
  DataSet set = data_set(one_input());
  set.data.claims = {{"p-svm", {}},  {"v-svm", {}},        {"locally-optimal", {}},
                     {"census", {}}, {"assumption-b", {}}, {"w-svm", {{"norm", std::string("nuclear")}}}};
  const std::vector<Json> entries = {
      entry(set.data.claims[0], "holds", "proved", {{"objective_exact", "50/101"}, {"support", {{0, 1}, {0, 2}}}}),
      entry(set.data.claims[1], "holds", "proved", {{"objective_exact", "1"}, {"support", {{0}}}}),
      entry(set.data.claims[2], "holds", "proved", {{"neighbours", Json::array()}}),
      entry(set.data.claims[3], "holds", "proved", {{"count", 0}, {"selections", Json::array()}}),
      entry(set.data.claims[4], "holds", "proved", {{"nu_lower", 0.0104}}),
      entry(set.data.claims[5], "holds", "proved", {{"objective", 3.0}, {"lower", 2.99999999}, {"upper", 3.0}, {"support", {{0, 1}}}})};
  const ScratchFolder folder;
  const Case back = read_back(saved_case(set, entries, folder.path() / "back.json"), folder);
  BOOST_TEST(*back.claims[0].find<Rational>("objective") == Rational(50, 101));
  BOOST_TEST((*back.claims[0].find<RowNames>("support") == RowNames{{0, 1}, {0, 2}}));
  BOOST_TEST((*back.claims[1].find<RowNames>("support") == RowNames{{0}}));
  BOOST_TEST(back.claims[2].find<RowNames>("neighbours")->empty());
  BOOST_TEST(*back.claims[3].find<std::int64_t>("count") == 0);
  const Rational nu = *back.claims[4].find<Rational>("nu_lower");
  BOOST_TEST((nu > Rational(9, 1000) && nu < Rational(104, 10000)));
  const auto* bracket = back.claims[5].find<RationalInterval>("bracket");
  BOOST_TEST_REQUIRE(bracket != nullptr);
  BOOST_TEST((bracket->low < exact_value(2.99999999) && bracket->high > 3 && bracket->high - bracket->low < Rational(1, 10000)));
  BOOST_TEST(back.claims[5].find<RowNames>("support") == nullptr);  // observed only
}

/// A bracket knows the rows that are tight for certain; where others may be, the exact solution has more.
BOOST_AUTO_TEST_CASE(rows_are_demanded_where_no_other_may_be_tight) {
  DataSet set = data_set(one_input());
  set.data.claims = {{"p-svm", {}}, {"locally-optimal", {}}, {"p-svm", {}}, {"locally-optimal", {}}};
  const Json certain = {{0, 1}};
  const Json possible = {{0, 1}, {0, 2}};
  const std::vector<Json> entries = {
      entry(set.data.claims[0], "holds", "proved", {{"support", certain}, {"possible_support", certain}}),
      entry(set.data.claims[1], "holds", "proved", {{"neighbours", certain}, {"possible_neighbours", certain}}),
      entry(set.data.claims[2], "holds", "proved", {{"support", certain}, {"possible_support", possible}}),
      entry(set.data.claims[3], "holds", "proved", {{"neighbours", certain}, {"possible_neighbours", possible}})};
  const ScratchFolder folder;
  const Case back = read_back(saved_case(set, entries, folder.path() / "back.json"), folder);
  BOOST_TEST((*back.claims[0].find<RowNames>("support") == RowNames{{0, 1}}));
  BOOST_TEST((*back.claims[1].find<RowNames>("neighbours") == RowNames{{0, 1}}));
  BOOST_TEST(back.claims[2].find<RowNames>("support") == nullptr);
  BOOST_TEST(back.claims[3].find<RowNames>("neighbours") == nullptr);
}

BOOST_AUTO_TEST_CASE(points_and_matrices_are_written_as_a_case_writes_them) {
  DataSet set = data_set(one_input());
  const RationalPoint point = {1, Rational(1, 2), 3};
  const RationalPoint matrix = {1, 2, 3, 4, 5, 6, 7, 8, Rational(9, 7)};
  using Points = std::vector<RationalPoint>;
  set.data.claims = {
      {"first-step", {{"start", Points{point}}}}, {"descent", {{"starts", Points{point}}}}, {"w-gd", {{"starts", Points{matrix, matrix}}}}};
  std::vector<Json> entries;
  for (const ClaimRequest& claim : set.data.claims) entries.push_back(entry(claim, "holds", "proved"));
  const ScratchFolder folder;
  const std::string text = saved_case(set, entries, folder.path() / "back.json");
  const Case back = read_back(text, folder);
  BOOST_TEST((*back.claims[0].find<Points>("start") == Points{point}));
  BOOST_TEST((*back.claims[1].find<Points>("starts") == Points{point}));
  BOOST_TEST((*back.claims[2].find<Points>("starts") == Points{matrix, matrix}));
  const Json claims = Json::parse(text).at("claims");
  BOOST_TEST((claims[0].at("start") == Json::parse(R"([1, "1/2", 3])")));
  BOOST_TEST((claims[1].at("starts") == Json::parse(R"([[1, "1/2", 3]])")));
  BOOST_TEST((claims[2].at("starts")[1] == Json::parse(R"([[1, 2, 3], [4, 5, 6], [7, 8, "9/7"]])")));
}

BOOST_AUTO_TEST_CASE(numbers_of_what_fails_are_not_demanded) {
  DataSet set = data_set(one_input());
  set.data.claims = {{"locally-optimal", {}}};
  const std::vector<Json> entries = {entry(set.data.claims[0], "fails", "proved", {{"neighbours", {{0, 1}}}})};
  const ScratchFolder folder;
  BOOST_TEST(read_back(saved_case(set, entries, folder.path() / "back.json"), folder).claims[0].find<RowNames>("neighbours") == nullptr);
}

BOOST_AUTO_TEST_CASE(the_data_are_pinned) {
  DataSet set = data_set(one_input());
  set.data.claims = {{"derivatives", {}}};
  const ScratchFolder folder;
  const std::vector<Json> entries = {entry(set.data.claims[0], "holds", "observed")};
  Case back = read_back(saved_case(set, entries, folder.path() / "back.json"), folder);
  BOOST_TEST_REQUIRE(back.data_sha256.has_value());
  BOOST_TEST(back.changed_data().empty());
  back.problem.labels = {-1};
  BOOST_TEST((back.changed_data() == std::vector<std::string>{"labels"}));
}

BOOST_AUTO_TEST_CASE(arrays_are_named_as_seen_from_the_case) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder.path() / "cases");
  DataSet set = data_set(one_input());
  set.data.file = folder.path() / "data.npz";
  set.arrays = {{"tokens", "X"}, {"labels", "Y"}};
  const Json saved = Json::parse(saved_case(set, {}, folder.path() / "cases" / "audit.json"));
  BOOST_TEST(saved.at("tokens") == Json({{"file", "../data.npz"}, {"array", "X"}}));
  BOOST_TEST(saved.at("labels") == Json({{"file", "../data.npz"}, {"array", "Y"}}));
  BOOST_TEST(saved.at("v").is_array());  // not in the archive: by value
  const Json beside = Json::parse(saved_case(set, {}, folder.path() / "audit.json"));
  BOOST_TEST(beside.at("tokens").at("file") == "data.npz");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
