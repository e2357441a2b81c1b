#include "attest/claims/claim.hpp"
#include "attest/graph/versions.hpp"
#include "case_list.hpp"
#include "commands.hpp"
#include "exit_code.hpp"
#include "output_file.hpp"
#include "report_files.hpp"
#include "terminal.hpp"
#include "worker_pool.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <system_error>
#include <thread>

namespace attest {
namespace {

namespace fs = std::filesystem;

struct VerifyOptions {
  std::vector<std::string> paths;
  std::vector<std::string> only;
  ReportFiles files;
  std::string certificates;
  bool quiet = false;
  RunOptions run;
};

int refuse(const std::string& reason) {
  fmt::print(stderr, "attest: {}\n", reason);
  return exit_code::bad_input;
}

std::optional<std::string> unknown_claim(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (find_claim(name)) continue;
    std::string known;
    for (const Claim& claim : all_claims()) known += fmt::format("{}{}", known.empty() ? "" : ", ", claim.schema.name);
    return fmt::format("--only: found {}, expected claims among: {}", name, known);
  }
  return std::nullopt;
}

/// Everything that would make the outputs fail is asked before anything is run.
std::optional<std::string> unwritable_output(const VerifyOptions& options) {
  if (auto reason = options.files.why_not_writable()) return reason;
  if (options.certificates.empty()) return std::nullopt;
  std::error_code error;
  fs::create_directories(options.certificates, error);
  if (error) return options.certificates + ": " + error.message();
  return why_not_writable(fs::path(options.certificates) / "certificate.json");
}

int verify(VerifyOptions options) {
  if (const auto reason = unknown_claim(options.only)) return refuse(*reason);
  CaseList list = read_cases(options.paths);
  if (!list.faults.empty()) {
    for (const InputFault& fault : list.faults) fmt::print(stderr, "attest: {}\n", to_string(fault));
    return exit_code::bad_input;
  }
  if (!options.only.empty()) keep_only(list.cases, options.only);
  if (list.cases.empty()) return refuse("--only: none of the cases has such a claim");
  if (const auto reason = unwritable_output(options)) return refuse(*reason);
  if (!options.certificates.empty()) options.run.certificates = options.certificates;

  Terminal terminal(options.quiet);
  const PoolMonitor monitor{[&](const Json& entry) { terminal.show_case(entry); },
                            [&](std::size_t done, std::size_t total, const std::string& what) {
                              terminal.show_progress(done, total, what);
                            }};
  const std::vector<Json> entries = run_cases(list.cases, options.run, monitor);
  const Json found = results({ATTEST_VERSION, casadi_version(), ipopt_version(), options.run.seed}, entries);
  terminal.show_summary(found);
  if (const auto fault = options.files.write(found)) {
    fmt::print(stderr, "attest: {}\n", *fault);
    return exit_code::internal_fault;
  }
  return found.at("summary").at("failed") == 0 ? exit_code::success : exit_code::not_as_expected;
}

/// CLI11's range check lets NaN through.
std::string positive_seconds(const std::string& text) {
  const std::optional<Rational> seconds = parse_decimal(text);
  const bool good = seconds && *seconds > 0 && *seconds <= 1'000'000'000;
  return good ? "" : fmt::format("found {}, expected seconds above 0 and up to 10^9", text);
}

/// CLI11 wraps -1 and 2^64 around.
std::string whole_64_bit(const std::string& text) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  const bool good = digits && *parse_decimal(text) < Rational(Integer(1) << 64);
  return good ? "" : fmt::format("found {}, expected a whole number below 2^64", text);
}

}  // namespace

void add_verify_command(CLI::App& app, int& code) {
  auto options = std::make_shared<VerifyOptions>();
  options->run.jobs = std::max(1U, std::thread::hardware_concurrency());
  CLI::App* command = app.add_subcommand("verify", "Check the claims of cases");
  command->add_option("PATH", options->paths, "case files, or folders with cases")->required();
  command->add_option("--json", options->files.json, "write the results to this file")->type_name("FILE");
  options->files.add_options(*command);
  command->add_option("--certificates", options->certificates, "write each proof to this folder")->type_name("DIR");
  command->add_option("--only", options->only, "check only these claims")->delimiter(',')->type_name("CLAIM[,...]");
  command->add_option("--budget", options->run.budget_seconds, "seconds that one claim may take")
      ->type_name("SECONDS")->check(positive_seconds)->capture_default_str();
  command->add_option("--jobs", options->run.jobs, "cases checked at once")
      ->type_name("N")->check(CLI::Range(1U, 1024U))->capture_default_str();
  command->add_option("--seed", options->run.seed, "seed of everything that is drawn")
      ->type_name("N")->check(whole_64_bit)->capture_default_str();
  command->add_flag("--quiet", options->quiet, "print only what is not as expected");
  command->footer(R"(Examples:
  attest verify cases/                        every case below a folder
  attest verify my.json --html report.html    and a report to open
  attest verify my.json --only p-svm,census   only these claims
  attest verify my.json --certificates proofs --json out.json --quiet)");
  command->callback([options, &code] { code = verify(*options); });
}

}  // namespace attest
