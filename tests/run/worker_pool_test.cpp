#include "attest/run/worker_pool.hpp"

#include "claim_check.hpp"
#include "scratch_folder.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <set>

namespace attest {
namespace {

Case case_of(std::string name, std::vector<ClaimRequest> claims) {
  Case one;
  one.name = std::move(name);
  one.problem = one_input();
  one.claims = std::move(claims);
  return one;
}

const ClaimRequest best{"globally-optimal", {{"selection", Selection{0}}}};
const ClaimRequest bounds{"assumption-a", {}};
const ClaimRequest theorem{"gd-local", {{"selection", Selection{0}}}};

std::vector<std::string> claims_of(const std::vector<CheckedClaim>& checked) {
  std::vector<std::string> names;
  for (const CheckedClaim& one : checked) names.push_back(one.entry.at("claim").get<std::string>());
  return names;
}

std::set<std::string> files_in(const ScratchFolder& folder) {
  std::set<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(folder.path())) names.insert(file.path().filename().string());
  return names;
}

/// Ends the children of this process.
void kill_workers() {
  for (const auto& folder : std::filesystem::directory_iterator("/proc")) {
    std::ifstream status(folder.path() / "status");
    pid_t process = 0;
    for (std::string key, value; status >> key && std::getline(status, value);) {
      if (key == "Pid:") process = std::stoi(value);
      if (key == "PPid:" && std::stoi(value) == ::getpid()) ::kill(process, SIGKILL);
    }
  }
}

BOOST_AUTO_TEST_SUITE(worker_pool)

BOOST_AUTO_TEST_CASE(entries_come_in_the_order_of_the_claims_however_many_workers_there_are) {
  const Case one = case_of("one", {best, bounds, best, bounds, best, bounds, best});
  for (const unsigned jobs : {1U, 3U, 64U}) {
    RunOptions options;
    options.jobs = jobs;
    const std::vector<std::string> expected = {"assumption-a",     "globally-optimal", "assumption-a",
                                               "globally-optimal", "assumption-a",     "globally-optimal"};
    const std::vector<CheckedClaim> checked = run_claims(one, 1, options, {});
    BOOST_TEST(claims_of(checked) == expected, boost::test_tools::per_element());
    for (const auto& [entry, decided] : checked) {
      BOOST_TEST(entry.at("verdict") == "holds");
      BOOST_TEST(entry.at("claim") == decided.claim);
      BOOST_TEST((decided.verdict == Verdict::holds && decided.grade == Grade::proved && !decided.ended_early));
    }
  }
}

BOOST_AUTO_TEST_CASE(cases_are_told_in_their_order_and_claims_are_counted) {
  const std::vector<Case> cases = {case_of("first", {theorem, bounds}), case_of("second", {bounds}), case_of("third", {})};
  std::vector<std::string> told;
  std::size_t most = 0;
  const PoolMonitor monitor{[&](const Json& entry) { told.push_back(entry.at("name").get<std::string>()); },
                            [&](std::size_t done, std::size_t total, const std::string&) {
                              most = std::max(most, done);
                              BOOST_TEST(total == 3U);
                            }};
  RunOptions options;
  options.jobs = 2;
  BOOST_TEST(run_cases(cases, options, monitor).size() == 3U);
  BOOST_TEST(told == (std::vector<std::string>{"first", "second", "third"}), boost::test_tools::per_element());
  BOOST_TEST(most == 3U);
}

BOOST_AUTO_TEST_CASE(no_claims_are_no_work) { BOOST_TEST(run_claims(case_of("one", {best}), 1, {}, {}).empty()); }

BOOST_AUTO_TEST_CASE(certificates_of_claims_that_any_worker_may_get_have_the_same_names_for_any_number_of_workers) {
  const Case one = case_of("one", {bounds, theorem, theorem});
  std::vector<std::set<std::string>> seen;
  for (const unsigned jobs : {1U, 3U}) {
    const ScratchFolder folder;
    RunOptions options;
    options.jobs = jobs;
    options.certificates = folder.path();
    run_claims(one, 0, options, {});
    seen.push_back(files_in(folder));
  }
  BOOST_TEST(seen[0].size() > 3U);
  BOOST_TEST(seen[0] == seen[1], boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(claims_that_one_worker_checks_share_the_certificates_of_their_hypotheses) {
  const Case one = case_of("one", {bounds, theorem, theorem});
  const ScratchFolder folder;
  RunOptions options;
  options.certificates = folder.path();
  const std::vector<Json> entries = run_cases({&one, 1}, options, {});
  const Json& claims = entries.front().at("claims");
  BOOST_TEST(claims[1].at("hypotheses")[0].at("certificate") == claims[0].at("certificate"));
  BOOST_TEST(claims[2].at("hypotheses")[0].at("certificate") == claims[0].at("certificate"));
}

BOOST_AUTO_TEST_CASE(what_claims_prove_of_the_same_run_is_written_once) {
  const ClaimRequest descent{"descent", {{"iterations", std::int64_t{500}}}};
  const Case one = case_of(
      "one", {descent, {"descent", {{"iterations", std::int64_t{500}}, {"starts", std::vector<RationalPoint>{{0, 1, 0}, {0, 0, 0}}}}}});
  const ScratchFolder folder;
  RunOptions options;
  options.certificates = folder.path();
  const std::vector<Json> entries = run_cases({&one, 1}, options, {});
  const Json& claims = entries.front().at("claims");
  BOOST_TEST_REQUIRE(claims[0].at("grade") == "proved", claims[0].at("message").dump());
  BOOST_TEST(claims[0].at("run_certificates")[0] == claims[0].at("certificate"));
  BOOST_TEST(claims[1].at("run_certificates")[0] == claims[1].at("certificate"));
  BOOST_TEST(claims[1].at("run_certificates")[1] == claims[0].at("certificate"));  // from 0, too
  BOOST_TEST(files_in(folder).size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_worker_that_dies_takes_one_claim_with_it_and_the_next_ones_go_on) {
  const Case one = case_of("one", {bounds, {"derivatives", {{"points", std::int64_t{1'000'000'000}}}, Verdict::undecided}, best, bounds});
  const PoolMonitor monitor{{}, [](std::size_t, std::size_t, const std::string& what) {
                              if (what.starts_with("one: derivatives, ")) kill_workers();
                            }};
  const std::vector<CheckedClaim> checked = run_claims(one, 0, {}, monitor);
  BOOST_TEST_REQUIRE(checked.size() == 4U);
  std::vector<Json> entries;
  for (const CheckedClaim& one_checked : checked) entries.push_back(one_checked.entry);
  BOOST_TEST((checked[1].decided.ended_early && checked[1].decided.verdict == Verdict::undecided));
  BOOST_TEST(entries[1].at("verdict") == "undecided");
  BOOST_TEST(entries[1].at("message") == "the worker process was ended by signal 9 (Killed)");
  BOOST_TEST(entries[1].at("ended_early") == true);
  BOOST_TEST(entries[1].at("passed") == false);  // although undecided is expected
  for (const std::size_t k : {0U, 2U, 3U}) BOOST_TEST(entries[k].at("passed") == true, entries[k].dump());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
