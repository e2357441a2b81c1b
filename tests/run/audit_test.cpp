#include "attest/run/audit.hpp"

#include "claim_check.hpp"

#include <algorithm>

namespace attest {
namespace {

DataSet data_set(Problem problem) {
  DataSet set;
  set.data.name = "audited";
  set.data.problem = std::move(problem);
  return set;
}

RunOptions two_jobs() {
  RunOptions options;
  options.jobs = 2;
  options.budget_seconds = 60;
  return options;
}

BOOST_AUTO_TEST_SUITE(audit)

BOOST_AUTO_TEST_CASE(an_audit_has_an_entry_for_each_claim_and_expects_what_it_found) {
  std::size_t most = 0;
  const PoolMonitor monitor{{}, [&](std::size_t done, std::size_t, const std::string&) { most = std::max(most, done); }};
  DataSet set = data_set(one_input());
  set.notes = {"something more stands in the file"};
  const AuditResult audit = run_audit(std::move(set), two_jobs(), monitor);
  BOOST_TEST_REQUIRE(audit.entries.size() == audit.set.data.claims.size());
  BOOST_TEST_REQUIRE(audit.decided.size() == audit.set.data.claims.size());
  BOOST_TEST(most == audit.entries.size());
  for (std::size_t k = 0; k < audit.entries.size(); ++k) {
    BOOST_TEST(audit.entries[k].at("claim") == audit.set.data.claims[k].claim);
    BOOST_TEST(audit.entries[k].at("verdict") == name_of(audit.decided[k].verdict));
    BOOST_TEST(audit.entries[k].at("expect") == audit.entries[k].at("verdict"));
    BOOST_TEST(audit.entries[k].at("passed") == true);
  }
  BOOST_TEST(audit.report.skipped.empty());
  BOOST_TEST(audit.report.advice.empty());
  BOOST_TEST(audit.report.sanity.back().message == "something more stands in the file");
  const Json entry = audit.case_entry();
  BOOST_TEST(entry.at("claims").size() == audit.entries.size());
  BOOST_TEST(entry.at("audit").at("shape") == Json({{"n", 1}, {"T", {3}}, {"d", 3}}));
  // The search beside the best selection found what tightness is about.
  BOOST_TEST(
      std::ranges::any_of(audit.entries, [](const Json& one) { return one.at("claim") == "tightness" && one.at("verdict") == "holds"; }));
}

BOOST_AUTO_TEST_CASE(what_an_audit_leaves_out_is_told) {
  Problem problem = one_input();
  problem.v.reset();
  const AuditResult audit = run_audit(data_set(std::move(problem)), two_jobs(), {});
  const auto skipped = std::ranges::find(audit.report.skipped, "tightness", &SkippedClaim::claim);
  BOOST_TEST_REQUIRE((skipped != audit.report.skipped.end()));
  BOOST_TEST(skipped->reason == "needs v, which the data do not have");
  BOOST_TEST(audit.case_entry().at("audit").at("skipped").size() == audit.report.skipped.size());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
