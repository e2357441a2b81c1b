#include "attest/claims/claim.hpp"
#include "attest/graph/versions.hpp"
#include "attest/run/case_list.hpp"
#include "attest/run/trace_files.hpp"
#include "attest/run/worker_pool.hpp"
#include "claim_text.hpp"
#include "commands.hpp"
#include "exit_code.hpp"
#include "interruption.hpp"
#include "output_file.hpp"
#include "run_flags.hpp"
#include "terminal.hpp"

#include <fmt/format.h>

#include <memory>

namespace attest {
namespace {

struct VerifyOptions {
  std::vector<std::string> paths;
  std::vector<std::string> only;
  std::string trace;
  RunFlags flags;
};

/// The files of --trace, under its name; a fault unless one claim `descent` is checked.
std::variant<std::vector<NamedOutput>, std::string> trace_outputs(const std::string& trace, const std::vector<Case>& cases) {
  std::vector<NamedOutput> outputs;
  if (trace.empty()) return outputs;
  if (std::filesystem::path(trace).extension() != ".npz") return fmt::format("--trace: found {}, expected a file named .npz", trace);
  std::size_t found = 0;
  for (const Case& one : cases)
    for (const ClaimRequest& request : one.claims) {
      if (request.claim != "descent" || ++found > 1) continue;
      for (const auto& file : trace_files(trace, request)) outputs.push_back({"--trace", file.string()});
    }
  if (found != 1) return fmt::format("--trace: found {} claims `descent` in the cases, expected one", found);
  return outputs;
}

std::optional<std::string> unknown_claim(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (!find_claim(name)) return "--only: " + not_a_claim(name);
  return std::nullopt;
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
  const auto traces = trace_outputs(options.trace, list.cases);
  if (const auto* reason = std::get_if<std::string>(&traces)) return refuse(*reason);
  const auto& more = std::get<std::vector<NamedOutput>>(traces);
  if (const auto reason = options.flags.unwritable_output(files_read(list.cases), more)) return refuse(*reason);
  for (const NamedOutput& output : more)
    if (const auto reason = why_not_writable(output.file)) return refuse(*reason);
  if (!options.trace.empty()) options.flags.run.trace = options.trace;

  Terminal terminal(options.flags.quiet, options.flags.files.use_standard_output() ? stderr : stdout);
  const Interruption interruption(options.flags.files);
  const PoolMonitor monitor{
      [&](const Json& entry) { terminal.show_case(entry); },
      [&](std::size_t done, std::size_t total, const std::string& what) { terminal.show_progress(done, total, what); },
      [&] { return interruption.heard(); }};
  const std::vector<Json> entries = run_cases(list.cases, options.flags.run, monitor);
  const Json found = results({ATTEST_VERSION, casadi_version(), ipopt_version(), options.flags.run.seed}, entries);
  terminal.show_summary(found);
  if (interruption.heard()) return keep_finished(found, options.flags.files);
  if (const auto fault = options.flags.files.write(found)) {
    fmt::print(stderr, "attest: {}\n", *fault);
    return exit_code::internal_fault;
  }
  return found.at("summary").at("failed") == 0 ? exit_code::success : exit_code::not_as_expected;
}

}  // namespace

Command verify_command() {
  auto options = std::make_shared<VerifyOptions>();
  Command command{"verify",
                  "Check the claims of cases",
                  {},
                  R"(Examples:
  attest verify cases/                        every case below a folder
  attest verify my.json --html report.html    and a report to open
  attest verify my.json --only p-svm,census   only these claims
  attest verify my.json --certificates proofs --json out.json --quiet)",
                  [options] { return verify(*options); }};
  command.options.push_back({.name = "PATH", .target = &options->paths, .about = "case files, or folders with cases", .required = true});
  options->flags.add_options(command, "cases");
  command.options.push_back(
      {.name = "--only", .target = &options->only, .about = "check only these claims", .value = "CLAIM[,...]", .comma_separated = true});
  command.options.push_back({"--trace", &options->trace,
                             "write the run of the one claim `descent` for track\n(from its other starts: F-1.npz, F-2.npz, ...)",
                             "F.npz"});
  command.options.push_back({"--quiet", &options->flags.quiet, "print only what is not as expected"});
  return command;
}

}  // namespace attest
