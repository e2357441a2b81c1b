#include "attest/graph/versions.hpp"
#include "attest/report/file_names.hpp"
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
  std::vector<std::string> data;
  std::string save_case;
  bool verbose = false;
  RunFlags flags;
};

/// Where the case of each audit is saved: in the file, or of several in a folder.
std::vector<NamedOutput> saved_files(const std::string& target, const std::vector<DataSet>& sets) {
  std::vector<NamedOutput> files;
  if (target.empty()) return files;
  if (sets.size() == 1) return {{"--save-case", target}};
  FileNames names;
  for (const DataSet& set : sets)
    files.push_back({"--save-case", (std::filesystem::path(target) / (names.unique(set.data.name) + ".json")).string()});
  return files;
}

/// Why the cases could not be saved. Makes the folder of several.
std::optional<std::string> unwritable_cases(const std::string& target, const std::vector<NamedOutput>& files) {
  if (files.size() > 1)
    if (auto reason = target == standard_output ? std::optional<std::string>("--save-case: several cases need a folder, not -")
                                                : why_no_folder(target))
      return reason;
  for (const NamedOutput& file : files)
    if (auto reason = why_not_writable(file.file)) return reason;
  return std::nullopt;
}

std::vector<std::filesystem::path> files_of_sets(const std::vector<DataSet>& sets) {
  std::vector<std::filesystem::path> files;
  for (const DataSet& set : sets)
    for (std::filesystem::path& file : files_read({&set.data, 1})) files.push_back(std::move(file));
  return files;
}

std::optional<std::string> write_outputs(const AuditOptions& options, const std::vector<AuditResult>& audits,
                                         const std::vector<NamedOutput>& saved, const Json& found) {
  if (auto fault = options.flags.files.write(found)) return fault;
  for (std::size_t k = 0; k < saved.size(); ++k)
    if (auto fault = write_file(saved[k].file, saved_case(audits[k].set, audits[k].entries, saved[k].file))) return fault;
  return std::nullopt;
}

/// What is said of one of them: of several less.
std::string said(const Json& one, const AuditOptions& options, const Paint& paint, std::size_t count) {
  if (options.flags.quiet) return audit_faults(one);
  return audit_text(one, paint, options.verbose ? AuditDetail::everything : count == 1 ? AuditDetail::one_screen : AuditDetail::answer);
}

int audit_data(AuditOptions options) {
  DataList list = read_data_sets(options.data, options.flags.label_coding());
  if (!list.faults.empty()) {
    for (const InputFault& fault : list.faults) fmt::print(stderr, "attest: {}\n", to_string(fault));
    return exit_code::bad_input;
  }
  if (list.sets.empty()) return refuse("found no data set in these folders, expected a case, or an archive with an array X");
  const std::vector<NamedOutput> saved = saved_files(options.save_case, list.sets);
  if (const auto reason = options.flags.unwritable_output(files_of_sets(list.sets), saved)) return refuse(*reason);
  if (const auto reason = unwritable_cases(options.save_case, saved)) return refuse(*reason);
  for (const std::filesystem::path& file : list.left_out) fmt::print(stderr, "attest: {}: left out, it has no array X\n", file.string());

  const bool console = options.flags.files.use_standard_output() || options.save_case == standard_output;
  Terminal terminal(options.flags.quiet, console ? stderr : stdout);
  const Interruption interruption(options.flags.files);
  const PoolMonitor monitor{
      {},
      [&](std::size_t done, std::size_t total, const std::string& what) { terminal.show_progress(done, total, what); },
      [&] { return interruption.heard(); }};
  FileNames stems;
  std::vector<AuditResult> audits;
  std::vector<Json> entries;
  const std::size_t count = list.sets.size();
  for (DataSet& set : list.sets) {
    if (interruption.heard()) break;
    const std::string stem = stems.unique(set.data.name);
    audits.push_back(run_audit(std::move(set), options.flags.run, monitor, stem));
    entries.push_back(audits.back().case_entry());
    terminal.show_text((entries.size() == 1 || options.flags.quiet ? "" : "\n") + said(entries.back(), options, terminal.paint(), count));
  }
  const Json found = results({ATTEST_VERSION, casadi_version(), ipopt_version(), options.flags.run.seed}, entries);
  if (interruption.heard()) return keep_finished(found, options.flags.files);
  if (count > 1 && !options.flags.quiet && !options.verbose)
    terminal.show_text(fmt::format("\n{} data sets (--verbose prints every claim of each, --html a page of all)\n", count));
  if (const auto fault = write_outputs(options, audits, saved, found)) {
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
  attest audit a.npz b.npz folder/            several, one after the other
  attest audit my.json --save-case kept.json  what was found, as a case)",
                  [options] { return audit_data(*options); }};
  command.options.push_back(
      {.name = "DATA",
       .target = &options->data,
       .about =
           "a case, or a .npz or .safetensors with X, Y and\nperhaps v, W, Z, lengths, mask, relevant; or\nseveral, or folders with them",
       .required = true});
  command.options.push_back({"--save-case", &options->save_case,
                             "write what was found as a case that expects it\n(of several data sets: a folder of cases)", "FILE"});
  options->flags.add_options(command, "claims");
  command.options.push_back({"--verbose", &options->verbose, "print every claim with its evidence"});
  options->flags.add_label_option(command);
  command.options.push_back({"--quiet", &options->flags.quiet, "print only claims that ended early"});
  return command;
}

}  // namespace attest
