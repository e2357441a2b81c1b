// attest-check: the independent checker of attest certificates (docs/certificate.md).

#include <algorithm>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "case_data.hpp"
#include "rules.hpp"

namespace {

using namespace attest::check;

enum ExitCode { all_accepted = 0, some_rejected = 1, unusable_input = 2, internal_fault = 3 };

constexpr const char* usage =
    "usage: attest-check CERT... [--case CASE]\n"
    "\n"
    "Checks attest certificates: exact arithmetic, no solver, no trust in the\n"
    "program that wrote them. Prints one line a certificate:\n"
    "  CERT: accepted (KIND, CLAIM)\n"
    "  CERT: rejected: WHY\n"
    "\n"
    "  --case CASE   also demand that the certificates' data are those of the case\n"
    "  --rules       list the rules, one a line: CLAIM KIND\n"
    "  --help        print this text\n"
    "  --version     print the version\n"
    "\n"
    "exit status: 0 all accepted, 1 some rejected, 2 bad usage or a file that\n"
    "cannot be read, 3 internal fault\n";

struct Arguments {
  std::vector<std::string> certificates;
  std::optional<std::string> case_file;
};

int complain(const std::string& what, int code) {
  std::cerr << "attest-check: " << what << '\n';
  return code;
}

int check_file(const std::string& file, const Problem* case_problem) {
  const auto bytes = read_file(file);
  if (!bytes) return complain("cannot read " + file, unusable_input);
  try {
    const JsonDocument document = JsonDocument::parse(*bytes);
    const Accepted accepted = check_certificate(document.root(), case_problem);
    std::cout << file << ": accepted (" << accepted.kind << ", " << accepted.claim << ")\n";
    return all_accepted;
  } catch (const Rejected& why) {
    std::cout << file << ": rejected: " << why.what() << '\n';
    return some_rejected;
  }
}

int check_all(const Arguments& arguments) {
  std::optional<Problem> case_problem;
  if (arguments.case_file) {
    try {
      case_problem.emplace(read_case(*arguments.case_file));
    } catch (const Rejected& why) {
      return complain("case " + *arguments.case_file + ": " + why.what(), unusable_input);
    }
  }
  int worst = all_accepted;
  for (const std::string& file : arguments.certificates) worst = std::max(worst, check_file(file, case_problem ? &*case_problem : nullptr));
  if (!std::cout.flush()) return complain("cannot write the results", internal_fault);
  return worst;
}

int run(const std::vector<std::string>& words) {
  Arguments arguments;
  bool options = true;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!options || !word.starts_with('-')) {
      arguments.certificates.push_back(word);
    } else if (word == "--") {
      options = false;
    } else if (word == "--help") {
      std::cout << usage;
      return all_accepted;
    } else if (word == "--rules") {
      for (const RuleName& rule : all_rules()) std::cout << rule.claim << ' ' << rule.kind << '\n';
      return all_accepted;
    } else if (word == "--version") {
      std::cout << "attest-check " ATTEST_VERSION "\n";
      return all_accepted;
    } else if (word == "--case" && i + 1 < words.size() && !arguments.case_file) {
      arguments.case_file = words[++i];
    } else {
      return complain("bad option " + word + " (see --help)", unusable_input);
    }
  }
  if (arguments.certificates.empty()) return complain("no certificate named (see --help)", unusable_input);
  return check_all(arguments);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& fault) {
    return complain(std::string("internal fault: ") + fault.what(), internal_fault);
  }
}
