#include "attest/audit/advice.hpp"
#include "attest/audit/plan.hpp"
#include "attest/audit/sanity.hpp"
#include "attest/audit/saved_case.hpp"
#include "attest/graph/versions.hpp"
#include "audit_view.hpp"
#include "case_list.hpp"
#include "commands.hpp"
#include "exit_code.hpp"
#include "output_file.hpp"
#include "run_flags.hpp"
#include "terminal.hpp"
#include "worker_pool.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <iterator>
#include <memory>

namespace attest {
namespace {

struct AuditOptions {
  std::string data;
  std::string save_case;
  RunFlags flags;
};

Json shape_of(const Problem& problem) {
  Json counts = Json::array();
  for (const ExactMatrix& tokens : problem.tokens) counts.push_back(tokens.rows());
  return {{"n", problem.sample_count()}, {"T", std::move(counts)}, {"d", problem.dimension()}};
}

/// The optional parts that the data have.
Json given_of(const Problem& problem) {
  Json given = Json::array();
  if (problem.v) given.push_back("v");
  if (problem.W) given.push_back("W");
  if (problem.queries) given.push_back("queries");
  return given;
}

/// An audit under way: the claims that were planned so far, and what became of them.
class Audit {
 public:
  Audit(DataSet set, const RunOptions& run, Terminal& terminal) : set_(std::move(set)), run_(run), terminal_(terminal) {
    report_ = {{"shape", shape_of(problem())}, {"given", given_of(problem())}, {"loss", problem().loss.name().empty() ? problem().loss.expression().text() : problem().loss.name()}, {"sanity", Json::array()}, {"selections", Json::array()}, {"advice", Json::array()}, {"skipped", Json::array()}};
    for (const Remark& remark : check_sanity(problem()))
      report_["sanity"].push_back({{"level", remark.level == Remark::Level::warning ? "warning" : "note"}, {"message", remark.message}});
    for (const std::string& note : set_.notes) report_["sanity"].push_back({{"level", "note"}, {"message", note}});
  }

  void run() {
    carry_out(plan_data_claims(problem(), run_.budget_seconds));
    carry_out(plan_selection_claims(problem(), entries_, run_.budget_seconds));
    carry_out(plan_joint_claims(problem(), entries_, run_.budget_seconds));
    for (const Advice& advice : advise(entries_)) report_["advice"].push_back({{"theorem", advice.theorem}, {"message", advice.message}});
  }

  Json case_entry() const {
    Json entry = attest::case_entry(set_.data, entries_);
    entry["audit"] = report_;
    return entry;
  }
  std::string saved(const std::string& target) const { return saved_case(set_, entries_, target); }

 private:
  const Problem& problem() const { return set_.data.problem; }

  void carry_out(AuditPlan plan) {
    for (const auto& [selection, why] : plan.selections) report_["selections"].push_back({{"selection", selection}, {"why", why}});
    for (const auto& [claim, selection, reason] : plan.skipped)
      report_["skipped"].push_back({{"claim", claim}, {"selection", selection ? Json(*selection) : Json()}, {"reason", reason}});
    const std::size_t first = entries_.size();
    std::ranges::move(plan.claims, std::back_inserter(set_.data.claims));
    const PoolMonitor monitor{{}, [&](std::size_t done, std::size_t total, const std::string& what) {
                                terminal_.show_progress(first + done, first + total, what);
                              }};
    for (Json& entry : run_claims(set_.data, first, run_, monitor)) {
      take_as_found(entry);
      entries_.push_back(std::move(entry));
    }
  }

  /// An audit expects what it finds; only a claim that ended early has not passed.
  static void take_as_found(Json& entry) {
    entry["expect"] = entry.at("verdict");
    entry["expect_grade"] = entry.at("grade");
    entry["passed"] = !entry.contains("ended_early");
  }

  DataSet set_;
  const RunOptions& run_;
  Terminal& terminal_;
  std::vector<Json> entries_;
  Json report_;
};

std::optional<std::string> write_outputs(const AuditOptions& options, const Audit& audit, const Json& found) {
  if (auto fault = options.flags.files.write(found)) return fault;
  return options.save_case.empty() ? std::nullopt : write_file(options.save_case, audit.saved(options.save_case));
}

int audit_data(AuditOptions options) {
  auto read = read_data(options.data);
  if (const auto* fault = std::get_if<InputFault>(&read)) return refuse(to_string(*fault));
  const std::vector<NamedOutput> more = {{"--save-case", options.save_case}};
  if (const auto reason = options.flags.unwritable_output(files_read({&std::get<DataSet>(read).data, 1}), more)) return refuse(*reason);
  if (!options.save_case.empty())
    if (const auto reason = why_not_writable(options.save_case)) return refuse(*reason);

  const bool console = options.flags.files.use_standard_output() || options.save_case == standard_output;
  Terminal terminal(options.flags.quiet, console ? stderr : stdout);
  Audit audit(std::get<DataSet>(std::move(read)), options.flags.run, terminal);
  audit.run();
  const Json found = results({ATTEST_VERSION, casadi_version(), ipopt_version(), options.flags.run.seed}, {audit.case_entry()});
  const Json& one = found.at("cases").front();
  terminal.show_text(options.flags.quiet ? audit_faults(one) : audit_text(one));
  if (const auto fault = write_outputs(options, audit, found)) {
    fmt::print(stderr, "attest: {}\n", *fault);
    return exit_code::internal_fault;
  }
  return found.at("summary").at("failed") == 0 ? exit_code::success : exit_code::not_as_expected;
}

}  // namespace

void add_audit_command(CLI::App& app, int& code) {
  auto options = std::make_shared<AuditOptions>();
  options->flags.run.budget_seconds = 20;
  CLI::App* command = app.add_subcommand("audit", "Say what holds on a data set");
  command->add_option("DATA", options->data, "a case, or a .npz with X, Y and perhaps v, W, Z")->required();
  command->add_option("--save-case", options->save_case, "write what was found as a case that expects it")->type_name("FILE");
  options->flags.add_options(*command, "claims");
  command->add_flag("--quiet", options->flags.quiet, "print only claims that ended early");
  command->footer(R"(Examples:
  attest audit data.npz                       arrays X, Y and perhaps v, W, Z
  attest audit data.npz --html report.html    and a report to open
  attest audit my.json --save-case kept.json  what was found, as a case)");
  command->callback([options, &code] { code = audit_data(*options); });
}

}  // namespace attest
