#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <set>
#include <sstream>

#include "support.hpp"

namespace attest::check::test {

BOOST_AUTO_TEST_SUITE(command)

namespace {

struct Run {
  std::string output;
  int code;
};

/// Runs attest-check; `redirect` chooses what of stdout and stderr is seen.
Run run(const std::string& arguments, const std::string& redirect = "2>&1") {
  FILE* const pipe = popen((std::string(ATTEST_CHECK) + " " + arguments + " " + redirect).c_str(), "r");
  BOOST_TEST_REQUIRE(pipe != nullptr);
  Run result{{}, 0};
  std::array<char, 4096> buffer{};
  while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe)) result.output.append(buffer.data(), count);
  result.code = WEXITSTATUS(pclose(pipe));
  return result;
}

const std::string good =
    certificate("globally-optimal", one_input, R"({"kind":"globally-optimal","selection":[0],"unique":true,"gap":"1/10"})", "{}");

const std::string good_case = R"({"tokens":[[[-0.1,1,1],[1,0,0.9],[0,0,0.9]]],"labels":[1],"v":[0,0,1],"W":[[1,0,0],[0,1,0],[0,0,0]]})";

}  // namespace

BOOST_AUTO_TEST_CASE(each_certificate_has_its_line_and_the_exit_code_is_the_worst) {
  const Folder folder;
  const std::string a = folder.write("a.json", good);
  const std::string b = folder.write("b.json", with(good, R"("gap":"1/10")", R"("gap":"1/9")"));
  const std::string accepted = a + ": accepted (globally-optimal, globally-optimal)\n";
  const std::string rejected = b + ": rejected: statement.gap: not the least difference of scores\n";
  Run seen = run(a, "2>/dev/null");
  BOOST_TEST(seen.output == accepted);
  BOOST_TEST(seen.code == 0);
  seen = run(b, "2>/dev/null");
  BOOST_TEST(seen.output == rejected);
  BOOST_TEST(seen.code == 1);
  seen = run(b + " " + a, "2>/dev/null");
  BOOST_TEST(seen.output == rejected + accepted);
  BOOST_TEST(seen.code == 1);
  seen = run("-- " + a);
  BOOST_TEST(seen.code == 0);
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_is_exit_2_and_a_truncated_one_exit_1) {
  const Folder folder;
  const std::string a = folder.write("a.json", good);
  const Run missing = run("/nonexistent.json " + a, "2>/dev/null");
  BOOST_TEST(missing.output == a + ": accepted (globally-optimal, globally-optimal)\n");
  BOOST_TEST(missing.code == 2);
  BOOST_TEST(run("/nonexistent.json", "2>&1 >/dev/null").output == "attest-check: cannot read /nonexistent.json\n");
  BOOST_TEST(run("/tmp").code == 2);
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, good.size() / 2, good.size() - 1})
    BOOST_TEST(run(folder.write("cut.json", good.substr(0, length))).code == 1);
}

BOOST_AUTO_TEST_CASE(a_case_is_held_against_every_certificate) {
  const Folder folder;
  const std::string a = folder.write("a.json", good);
  const std::string same = folder.write("same.json", good_case);
  const std::string other = folder.write("other.json", with(good_case, "-0.1", "-0.2"));
  const std::string broken = folder.write("broken.json", with(good_case, "-0.1", "1e999999999"));
  BOOST_TEST(run(a + " --case " + same).code == 0);
  BOOST_TEST(run("--case " + same + " " + a).code == 0);
  const Run differs = run(a + " --case " + other);
  BOOST_TEST(differs.output == a + ": rejected: problem.tokens[0][0] is not what the case holds\n");
  BOOST_TEST(differs.code == 1);
  BOOST_TEST(run(a + " --case " + broken).code == 2);
  BOOST_TEST(run(a + " --case /nonexistent.json", "2>/dev/null").output.empty());
  BOOST_TEST(run(a + " --case /nonexistent.json").code == 2);
}

BOOST_AUTO_TEST_CASE(bad_usage_is_exit_2) {
  for (const char* arguments : {"", "--case", "--case a.json", "--frobnicate a.json", "a.json --case b.json --case c.json", "-x"}) {
    const Run seen = run(arguments);
    BOOST_TEST(seen.code == 2, arguments);
    BOOST_TEST(seen.output.starts_with("attest-check: "), arguments);
  }
}

BOOST_AUTO_TEST_CASE(rules_lists_each_rule_once_as_claim_and_kind) {
  const Run seen = run("--rules", "2>/dev/null");
  BOOST_TEST(seen.code == 0);
  std::istringstream lines(seen.output);
  std::set<std::string> rules;
  for (std::string line; std::getline(lines, line);) BOOST_TEST(rules.insert(line).second, line);
  BOOST_TEST(rules.size() == all_rules().size());
  BOOST_TEST(rules.contains("p-svm svm-infeasible"));
  BOOST_TEST(!rules.contains("p-svm census"));
}

BOOST_AUTO_TEST_CASE(help_and_version_fit_eighty_columns) {
  const Run help = run("--help", "2>/dev/null");
  BOOST_TEST(help.code == 0);
  BOOST_TEST(help.output.starts_with("usage: attest-check CERT... [--case CASE]\n"));
  std::size_t start = 0;
  for (std::size_t end = help.output.find('\n'); end != std::string::npos; end = help.output.find('\n', start)) {
    BOOST_TEST(end - start < 80U);
    start = end + 1;
  }
  const Run version = run("--version", "2>/dev/null");
  BOOST_TEST(version.code == 0);
  BOOST_TEST(version.output.starts_with("attest-check "));
  BOOST_TEST(version.output.size() > std::string("attest-check \n").size());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest::check::test
