#include "attest/report/junit.hpp"

#include "attest/report/label.hpp"
#include "badges.hpp"
#include "json_view.hpp"
#include "markup.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

std::string test_case(const Json& one, const Json& claim, std::size_t index) {
  const std::string selection = selection_text(claim.at("selection"));
  const std::string name =
      fmt::format("{}[{}] {}{}{}", text_at(one, "name"), index, claim_label(claim), selection.empty() ? "" : " ", selection);
  std::string xml = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.6f}\"", escaped(text_at(claim, "claim")),
                                escaped(name), claim.at("seconds").get<double>());
  if (claim.at("passed").get<bool>()) return xml + "/>\n";
  const std::string found = verdict_and_grade(claim);
  const std::string missed = missed_expectation(claim);
  const std::string expected = missed.empty() ? "" : "; expected " + missed;
  xml += fmt::format(">\n      <failure message=\"found {}{}\">{}</failure>\n    </testcase>\n", escaped(found), escaped(expected),
                     escaped(text_at(claim, "message")));
  return xml;
}

}  // namespace

std::string junit(const Json& results) {
  std::string suites;
  for (const Json& one : results.at("cases")) {
    std::string tests;
    std::size_t failures = 0;
    double seconds = 0;
    const Json& claims = one.at("claims");
    const std::string changed = data_changed_text(one);
    if (!changed.empty()) {
      tests +=
          fmt::format("    <testcase classname=\"data\" name=\"{} data\" time=\"0\">\n      <failure message=\"{}\"/>\n    </testcase>\n",
                      escaped(text_at(one, "name")), escaped(changed));
      ++failures;
    }
    for (std::size_t k = 0; k < claims.size(); ++k) {
      tests += test_case(one, claims[k], k);
      failures += claims[k].at("passed").get<bool>() ? 0 : 1;
      seconds += claims[k].at("seconds").get<double>();
    }
    suites += fmt::format(
        "  <testsuite name=\"{}\" file=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" time=\"{:.6f}\">\n{}  "
        "</testsuite>\n",
        escaped(text_at(one, "name")), escaped(text_at(one, "file")), claims.size() + (changed.empty() ? 0 : 1), failures, seconds, tests);
  }
  const Json& summary = results.at("summary");
  const auto passed = summary.at("passed").get<std::size_t>();
  const auto failed = summary.at("failed").get<std::size_t>();
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"attest\" tests=\"{}\" "
      "failures=\"{}\">\n{}</testsuites>\n",
      passed + failed, failed, suites);
}

}  // namespace attest
