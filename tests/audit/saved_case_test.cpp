#include "attest/audit/saved_case.hpp"

#include "claim_check.hpp"
#include "scratch_folder.hpp"

namespace attest {
namespace {

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

BOOST_AUTO_TEST_SUITE(saved_case_file)

BOOST_AUTO_TEST_CASE(data_and_claims_are_read_back_as_they_were) {
  DataSet set = data_set(one_input());
  set.data.problem.queries = ExactMatrix::from_doubles(1, 3, {0.1, 0x1p-1074, 0x1p60});
  set.data.problem.loss = written("log(1+exp(-u))");
  set.data.claims = {{"p-svm", {{"selection", Selection{1}}}}, {"w-svm", {{"norm", std::string("nuclear")}, {"selection", Selection{0}}}},
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

BOOST_AUTO_TEST_CASE(arrays_are_named_as_seen_from_the_case) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder.path() / "cases");
  DataSet set = data_set(one_input());
  set.data.file = folder.path() / "data.npz";
  set.arrays = {{"tokens", "X"}, {"labels", "Y"}};
  const Json saved = Json::parse(saved_case(set, {}, folder.path() / "cases" / "audit.json"));
  BOOST_TEST(saved.at("tokens") == Json({{"file", "../data.npz"}, {"array", "X"}}));
  BOOST_TEST(saved.at("labels") == Json({{"file", "../data.npz"}, {"array", "Y"}}));
  BOOST_TEST(!saved.contains("v"));
  const Json beside = Json::parse(saved_case(set, {}, folder.path() / "audit.json"));
  BOOST_TEST(beside.at("tokens").at("file") == "data.npz");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
