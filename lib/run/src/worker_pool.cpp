#include "attest/run/worker_pool.hpp"

#include "attest/report/file_names.hpp"
#include "claim_worker.hpp"
#include "decided_codec.hpp"
#include "worker_process.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <list>

namespace attest {
namespace {

/// The claims of a case, or some of them, under way or waiting.
struct CaseRun {
  CaseRun(ClaimSource source, std::size_t from, std::size_t to, unsigned most)
      : claims(std::move(source)), first(from), end(to), most_workers(most), next(from), checked(to - from) {}
  bool finished() const { return done == checked.size(); }
  bool wants_worker() const { return next < end && workers < most_workers; }

  ClaimSource claims;
  std::size_t first;                  // the claims are those from here
  std::size_t end;                    // to before this one
  unsigned most_workers;              // at once
  std::size_t next;                   // claim to hand out
  std::vector<CheckedClaim> checked;  // the claims from the first, as far as they are done
  std::size_t done = 0;
  unsigned workers = 0;
};

/// A worker process and the claim that it is at.
struct Worker {
  Worker(CaseRun& of, const RunOptions& options)
      : run(of), process([&](MessageStream& parent) { check_claims(of.claims, options, parent); }) {}
  const ClaimRequest& request() const { return run.claims.source->claims[claim]; }

  CaseRun& run;
  WorkerProcess process;
  std::size_t claim = 0;
  bool retired = false;
};

/// File-name stems that are safe and differ from case to case.
std::vector<std::string> unique_stems(std::span<const Case> cases) {
  FileNames names;
  std::vector<std::string> stems;
  for (const Case& one : cases) stems.push_back(names.unique(one.name));
  return stems;
}

class Pool {
 public:
  /// `finished` hears of each run, in order; of the last ones when they are interrupted.
  Pool(std::vector<CaseRun> runs, const RunOptions& options, const PoolMonitor& monitor, std::function<void(const CaseRun&)> finished)
      : options_(options), monitor_(monitor), runs_(std::move(runs)), finished_(std::move(finished)) {
    for (const CaseRun& run : runs_) total_ += run.checked.size();
  }

  void run() {
    while (reported_ < runs_.size() && !interrupted()) {
      start_workers();
      listen();
      end_late_workers();
      workers_.remove_if([](const Worker& worker) { return worker.retired; });
      for (; reported_ < runs_.size() && runs_[reported_].finished(); ++reported_) finished_(runs_[reported_]);
    }
    workers_.clear();
    for (; reported_ < runs_.size(); ++reported_) finished_(runs_[reported_]);  // of an interrupted run, as far as they came
  }

 private:
  bool interrupted() const { return monitor_.interrupted && monitor_.interrupted(); }

  void start_workers() {
    for (CaseRun& run : runs_)
      while (workers_.size() < options_.jobs && run.wants_worker()) {
        ++run.workers;
        hand_out(workers_.emplace_back(run, options_));
      }
  }

  /// The next claim to a worker that has none; it retires when none is left.
  void hand_out(Worker& worker) {
    CaseRun& run = worker.run;
    if (run.next == run.end) return retire(worker);
    worker.claim = run.next++;
    worker.process.begin_task();
    worker.process.send({{"claim", worker.claim}});  // if it is gone, its end will be heard
    tell(worker, "");
  }

  static void retire(Worker& worker) {
    worker.retired = true;
    --worker.run.workers;
  }

  void listen() {
    std::vector<pollfd> sockets;
    for (const Worker& worker : workers_) sockets.push_back({worker.process.socket(), POLLIN, 0});
    if (sockets.empty()) return;
    constexpr int wait_milliseconds = 100;
    ::poll(sockets.data(), sockets.size(), wait_milliseconds);
    auto socket = sockets.begin();
    for (Worker& worker : workers_)
      if ((socket++)->revents != 0) listen_to(worker);
  }

  void listen_to(Worker& worker) {
    const auto messages = worker.process.receive();
    if (!messages) return bury(worker, "");
    for (const Json& message : *messages) hear(worker, message);
  }

  void hear(Worker& worker, const Json& message) {
    if (message.contains("progress")) {
      const Json& progress = message.at("progress");
      const double fraction = progress.at(0).is_number() ? progress.at(0).get<double>() : -1;
      const std::string share = fraction >= 0 ? fmt::format("{:.0f}% of ", 100 * fraction) : "";
      return tell(worker, fmt::format(", {}{}", share, progress.at(1).get<std::string>()));
    }
    take(worker, {message.at("entry"), decode_decided(worker.request(), message.at("decided"))});
    tell(worker, "");
    hand_out(worker);
  }

  void take(const Worker& worker, CheckedClaim checked) {
    worker.run.checked[worker.claim - worker.run.first] = std::move(checked);
    ++worker.run.done;
    ++done_;
  }

  void tell(const Worker& worker, const std::string& doing) const {
    if (monitor_.progress) monitor_.progress(done_, total_, worker.run.claims.source->name + ": " + worker.request().claim + doing);
  }

  void end_late_workers() {
    for (Worker& worker : workers_) {
      if (worker.retired) continue;
      const std::string reason = worker.process.why_late(options_);
      if (reason.empty()) continue;
      worker.process.kill();
      bury(worker, reason);
    }
  }

  /// A worker that ended early leaves its claim undecided.
  void bury(Worker& worker, const std::string& known_reason) {
    const auto [reason, seconds] = worker.process.wait();
    Finding finding;
    finding.message = known_reason.empty() ? reason : known_reason;
    CheckedClaim checked{claim_entry(worker.request(), finding, {}, seconds), decided_claim(worker.request(), finding)};
    checked.entry["passed"] = false;  // even where undecided was expected: the claim did not say so itself
    checked.entry["ended_early"] = checked.decided.ended_early = true;
    take(worker, std::move(checked));
    retire(worker);
  }

  const RunOptions& options_;
  const PoolMonitor& monitor_;
  std::vector<CaseRun> runs_;
  std::list<Worker> workers_;
  std::size_t total_ = 0;
  std::size_t done_ = 0;
  std::size_t reported_ = 0;
  std::function<void(const CaseRun&)> finished_;
};

}  // namespace

std::vector<Json> run_cases(std::span<const Case> cases, const RunOptions& options, const PoolMonitor& monitor) {
  const std::vector<std::string> stems = unique_stems(cases);
  std::vector<CaseRun> runs;
  for (std::size_t k = 0; k < cases.size(); ++k) runs.emplace_back(ClaimSource{&cases[k], stems[k], true}, 0, cases[k].claims.size(), 1);
  std::vector<Json> cases_done;
  Pool(std::move(runs), options, monitor, [&](const CaseRun& run) {
    std::vector<Json> entries;
    for (const CheckedClaim& one : run.checked)
      if (!one.entry.is_null()) entries.push_back(one.entry);
    if (entries.empty() && !run.finished()) return;
    cases_done.push_back(case_entry(*run.claims.source, entries));
    if (monitor.case_done) monitor.case_done(cases_done.back());
  }).run();
  return cases_done;
}

std::vector<CheckedClaim> run_claims(const Case& one, std::size_t first, const RunOptions& options, const PoolMonitor& monitor,
                                     const std::string& stem) {
  std::vector<CaseRun> runs;
  runs.emplace_back(ClaimSource{&one, stem.empty() ? unique_stems({&one, 1}).front() : stem, false}, first, one.claims.size(),
                    options.jobs);
  std::vector<CheckedClaim> checked;
  Pool(std::move(runs), options, monitor, [&](const CaseRun& run) { checked = run.checked; }).run();
  return checked;
}

}  // namespace attest
