#include "attest/graph/versions.hpp"
#include "attest/report/saved_case.hpp"
#include "attest/run/audit.hpp"
#include "attest/run/case_list.hpp"
#include "audit_view.hpp"
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

struct AuditOptions {
  std::string data;
  std::string save_case;
  bool verbose = false;
  RunFlags flags;
};

std::optional<std::string> write_outputs(const AuditOptions& options, const AuditResult& audit, const Json& found) {
  if (auto fault = options.flags.files.write(found)) return fault;
  return options.save_case.empty() ? std::nullopt : write_file(options.save_case, saved_case(audit.set, audit.entries, options.save_case));
}

int audit_data(AuditOptions options) {
  auto read = read_data(options.data, options.flags.label_coding());
  if (const auto* fault = std::get_if<InputFault>(&read)) return refuse(to_string(*fault));
  const std::vector<NamedOutput> more = {{"--save-case", options.save_case}};
  if (const auto reason = options.flags.unwritable_output(files_read({&std::get<DataSet>(read).data, 1}), more)) return refuse(*reason);
  if (!options.save_case.empty())
    if (const auto reason = why_not_writable(options.save_case)) return refuse(*reason);

  const bool console = options.flags.files.use_standard_output() || options.save_case == standard_output;
  Terminal terminal(options.flags.quiet, console ? stderr : stdout);
  const Interruption interruption(options.flags.files);
  const PoolMonitor monitor{
      {},
      [&](std::size_t done, std::size_t total, const std::string& what) { terminal.show_progress(done, total, what); },
      [&] { return interruption.heard(); }};
  const AuditResult audit = run_audit(std::get<DataSet>(std::move(read)), options.flags.run, monitor);
  const Json found = results({ATTEST_VERSION, casadi_version(), ipopt_version(), options.flags.run.seed}, {audit.case_entry()});
  const Json& one = found.at("cases").front();
  terminal.show_text(options.flags.quiet ? audit_faults(one) : audit_text(one, terminal.paint(), options.verbose));
  if (interruption.heard()) return keep_finished(found, options.flags.files);
  if (const auto fault = write_outputs(options, audit, found)) {
    fmt::print(stderr, "attest: {}\n", *fault);
    return exit_code::internal_fault;
  }
  return found.at("summary").at("failed") == 0 ? exit_code::success : exit_code::not_as_expected;
}

}  // namespace

Command audit_command() {
  auto options = std::make_shared<AuditOptions>();
  options->flags.run.budget_seconds = 20;
  Command command{"audit",
                  "Say what holds on a data set",
                  {},
                  R"(Examples:
  attest audit data.npz                       arrays X, Y and perhaps v, W, Z
  attest audit data.npz --html report.html    and a report to open
  attest audit data.npz --verbose             every claim, not one screen
  attest audit my.json --save-case kept.json  what was found, as a case)",
                  [options] { return audit_data(*options); }};
  command.options.push_back({.name = "DATA",
                             .target = &options->data,
                             .about = "a case, or a .npz or .safetensors with X, Y and\nperhaps v, W, Z, lengths, mask, relevant",
                             .required = true});
  command.options.push_back({"--save-case", &options->save_case, "write what was found as a case that expects it", "FILE"});
  options->flags.add_options(command, "claims");
  command.options.push_back({"--verbose", &options->verbose, "print every claim with its evidence"});
  options->flags.add_label_option(command);
  command.options.push_back({"--quiet", &options->flags.quiet, "print only claims that ended early"});
  return command;
}

}  // namespace attest
