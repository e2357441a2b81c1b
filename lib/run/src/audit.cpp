#include "attest/run/audit.hpp"

#include "audit_entry.hpp"
#include "loose_selection.hpp"

#include <algorithm>
#include <iterator>

namespace attest {
namespace {

/// An audit under way: the claims that were planned so far, and what became of them.
class Audit {
 public:
  Audit(DataSet set, const RunOptions& options, const PoolMonitor& monitor, const std::string& stem)
      : result_{std::move(set), {}, {}, {}}, options_(options), monitor_(monitor), stem_(stem) {
    report().sanity = check_sanity(problem());
    for (const std::string& note : result_.set.notes) report().sanity.push_back({Remark::Level::note, note});
  }

  AuditResult run() {
    carry_out(plan_data_claims(problem(), options_.budget_seconds));
    if (!interrupted()) carry_out(plan_selection_claims(problem(), result_.decided, loose_selection(), options_.budget_seconds));
    if (!interrupted()) carry_out(plan_joint_claims(problem(), result_.decided, options_.budget_seconds));
    report().advice = advise(result_.decided);
    report().headline = headline_of(largest_scores(problem()), result_.decided, report().selections);
    if (result_.set.relevant && problem().v)
      report().relevant = compare_with_relevant(problem(), *result_.set.relevant, reached_from_zero());
    return std::move(result_);
  }

 private:
  bool interrupted() const { return monitor_.interrupted && monitor_.interrupted(); }
  const Problem& problem() const { return result_.set.data.problem; }
  AuditReport& report() { return result_.report; }

  std::optional<Selection> reached_from_zero() const {
    for (const DestinationShare& one : result_.report.headline.destinations)
      if (one.radius == 0) return one.selection;
    return std::nullopt;
  }

  LooseSelection loose_selection() const {
    const auto optimal = selection_to_loosen(problem(), result_.decided);
    return optimal ? find_loose_selection(problem(), *optimal, options_) : LooseSelection{};
  }

  void carry_out(AuditPlan plan) {
    Case& data = result_.set.data;
    const std::size_t first = data.claims.size();
    std::ranges::move(plan.selections, std::back_inserter(report().selections));
    std::ranges::move(plan.skipped, std::back_inserter(report().skipped));
    std::ranges::move(plan.claims, std::back_inserter(data.claims));
    const PoolMonitor monitor{{},
                              [&](std::size_t done, std::size_t total, const std::string& what) {
                                if (monitor_.progress) monitor_.progress(first + done, first + total, what);
                              },
                              monitor_.interrupted};
    std::size_t place = first;
    for (auto& [entry, decided] : run_claims(data, first, options_, monitor, stem_)) {
      if (entry.is_null()) {
        data.claims.erase(data.claims.begin() + static_cast<std::ptrdiff_t>(place));
        continue;
      }
      ++place;
      take_as_found(entry);
      result_.entries.push_back(std::move(entry));
      result_.decided.push_back(std::move(decided));
    }
  }

  /// An audit expects what it finds; only a claim that ended early has not passed.
  static void take_as_found(Json& entry) {
    entry["expect"] = entry.at("verdict");
    entry["expect_grade"] = entry.at("grade");
    entry["passed"] = !entry.contains("ended_early");
  }

  AuditResult result_;
  const RunOptions& options_;
  const PoolMonitor& monitor_;
  std::string stem_;  // of certificates
};

}  // namespace

Json AuditResult::case_entry() const {
  Json entry = attest::case_entry(set.data, entries);
  entry["audit"] = audit_entry(set.data.problem, report);
  return entry;
}

AuditResult run_audit(DataSet set, const RunOptions& options, const PoolMonitor& monitor, const std::string& stem) {
  return Audit(std::move(set), options, monitor, stem).run();
}

}  // namespace attest
