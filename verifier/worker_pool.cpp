#include "worker_pool.hpp"

#include <fmt/format.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <set>
#include <stdexcept>

namespace attest {
namespace {

using Clock = std::chrono::steady_clock;

/// Exit codes by which a worker says why it ended early.
constexpr int worker_out_of_memory = 101;
constexpr int worker_threw = 102;

/// A claim watches its own budget; a worker that has used this much CPU time for one does not.
double hard_cpu_limit(const RunOptions& options) { return options.budget_seconds + std::max(1.0, 0.1 * options.budget_seconds); }

/// A worker that waits uses no CPU time. The limit is wide, since a busy machine is no reason to end one.
double wall_limit(const RunOptions& options) { return options.wall_seconds.value_or(10 * options.budget_seconds + 60); }

double seconds_of(const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); }

/// The CPU time of a worker, all its threads together.
double cpu_seconds_of(pid_t worker) {
  clockid_t clock{};
  timespec used{};
  if (::clock_getcpuclockid(worker, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return 0;  // it is gone, as its pipe will say
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

/// A case, or some of its claims, under way or waiting.
struct CaseRun {
  const Case* source = nullptr;
  std::string stem;
  std::size_t first = 0;      // its claims are those from here
  std::size_t end = 0;        // to before this one
  std::vector<Json> entries;  // of the claims that are done
  pid_t worker = -1;
  int pipe = -1;
  std::string unread;
  std::string last_words;  // of a worker that threw
  Clock::time_point claim_begin;
  double cpu_seconds_before = 0;  // that the worker had used when the claim began
  std::string doing;

  std::size_t next() const { return first + entries.size(); }
  bool finished() const { return next() == end; }
};

/// File-name stems that are safe and differ from case to case.
std::vector<std::string> unique_stems(std::span<const Case> cases) {
  std::set<std::string> taken;
  std::vector<std::string> stems;
  for (const Case& one : cases) {
    std::string stem = one.name;
    for (char& c : stem)
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_') c = '_';
    std::string unique = stem;
    for (int k = 2; !taken.insert(unique).second; ++k) unique = fmt::format("{}~{}", stem, k);
    stems.push_back(unique);
  }
  return stems;
}

/// An allocation beyond the machine's memory fails in the worker instead of waking the kernel's killer.
void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__)
  const auto bytes = static_cast<rlim_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_AS, &limit);
#endif
}

[[noreturn]] void be_worker(const CaseRun& run, const RunOptions& options, int pipe) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_NAME, "attest-worker");
  // IPOPT's BLAS, which is loaded with the first program: its threads wait by turning, and that would count as CPU time.
  ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
  limit_memory();
  try {
    work(*run.source, run.next(), run.end, options, run.stem, pipe);
  } catch (const std::bad_alloc&) {
    ::_exit(worker_out_of_memory);
  } catch (const std::exception& fault) {
    const std::string words = Json{{"threw", fault.what()}}.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    [[maybe_unused]] const auto written = ::write(pipe, words.data(), words.size());
    ::_exit(worker_threw);
  }
  ::_exit(0);
}

class Pool {
 public:
  /// `finished` hears of each run, in order.
  Pool(std::vector<CaseRun> runs, const RunOptions& options, const PoolMonitor& monitor, std::function<void(const CaseRun&)> finished)
      : options_(options), monitor_(monitor), runs_(std::move(runs)), finished_(std::move(finished)) {
    for (const CaseRun& run : runs_) total_ += run.end - run.first;
  }

  void run() {
    while (reported_ < runs_.size()) {
      start_workers();
      listen();
      end_late_workers();
      for (; reported_ < runs_.size() && runs_[reported_].finished() && runs_[reported_].worker < 0; ++reported_) finished_(runs_[reported_]);
    }
  }

 private:
  void start_workers() {
    unsigned busy = 0;
    for (const CaseRun& run : runs_) busy += run.worker >= 0 ? 1 : 0;
    for (CaseRun& run : runs_) {
      if (busy >= options_.jobs) return;
      if (run.worker >= 0 || run.finished()) continue;
      start(run);
      ++busy;
    }
  }

  void start(CaseRun& run) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
    std::fflush(nullptr);
    const pid_t worker = ::fork();
    if (worker < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
    if (worker == 0) {
      ::close(ends[0]);
      be_worker(run, options_, ends[1]);
    }
    ::close(ends[1]);
    run.worker = worker;
    run.pipe = ends[0];
    run.unread.clear();
    run.last_words.clear();
    run.claim_begin = Clock::now();
    run.cpu_seconds_before = 0;
  }

  void listen() {
    std::vector<pollfd> pipes;
    std::vector<CaseRun*> owners;
    for (CaseRun& run : runs_) {
      if (run.worker < 0) continue;
      pipes.push_back({run.pipe, POLLIN, 0});
      owners.push_back(&run);
    }
    if (pipes.empty()) return;
    constexpr int wait_milliseconds = 100;
    ::poll(pipes.data(), pipes.size(), wait_milliseconds);
    for (std::size_t k = 0; k < pipes.size(); ++k)
      if (pipes[k].revents != 0) read_from(*owners[k]);
  }

  void read_from(CaseRun& run) {
    char buffer[65536];
    const ssize_t got = ::read(run.pipe, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) return;
    if (got <= 0) {
      bury(run, "");
      return;
    }
    run.unread.append(buffer, static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (std::size_t end; (end = run.unread.find('\n', begin)) != std::string::npos; begin = end + 1)
      hear(run, Json::parse(run.unread.substr(begin, end - begin)));
    run.unread.erase(0, begin);
  }

  void hear(CaseRun& run, const Json& message) {
    const std::string name = run.source->name;
    if (message.contains("done")) {
      run.entries.push_back(message.at("entry"));
      ++done_;
    } else if (message.contains("start")) {
      run.claim_begin = Clock::now();
      run.cpu_seconds_before = message.at("cpu_seconds").get<double>();
      run.doing = name + ": " + run.source->claims[run.next()].claim;
    } else if (message.contains("progress")) {
      const Json& progress = message.at("progress");
      const double fraction = progress.at(0).is_number() ? progress.at(0).get<double>() : -1;
      const std::string share = fraction >= 0 ? fmt::format("{:.0f}% of ", 100 * fraction) : "";
      run.doing = fmt::format("{}: {}, {}{}", name, run.source->claims[run.next()].claim, share,
                              progress.at(1).get<std::string>());
    } else {
      run.last_words = message.at("threw").get<std::string>();
    }
    if (monitor_.progress) monitor_.progress(done_, total_, run.doing);
  }

  void end_late_workers() {
    for (CaseRun& run : runs_) {
      if (run.worker < 0) continue;
      const std::string reason = why_late(run);
      if (reason.empty() || has_more_to_say(run)) continue;  // it may be at its next claim already
      ::kill(run.worker, SIGKILL);
      bury(run, reason);
    }
  }

  std::string why_late(const CaseRun& run) const {
    if (cpu_seconds_of(run.worker) - run.cpu_seconds_before > hard_cpu_limit(options_))
      return fmt::format("stopped: still running past its budget of {:g} s of CPU time", options_.budget_seconds);
    const double limit = wall_limit(options_);
    if (std::chrono::duration<double>(Clock::now() - run.claim_begin).count() > limit)
      return fmt::format("stopped: not done after {:g} s on the clock, with a budget of {:g} s of CPU time", limit, options_.budget_seconds);
    return "";
  }

  static bool has_more_to_say(const CaseRun& run) {
    pollfd pipe{run.pipe, POLLIN, 0};
    return ::poll(&pipe, 1, 0) > 0;
  }

  /// Ends a worker's run; the claim that it left unfinished, if any, is undecided.
  void bury(CaseRun& run, const std::string& known_reason) {
    int status = 0;
    rusage used{};
    while (::wait4(run.worker, &status, 0, &used) < 0 && errno == EINTR) {
    }
    ::close(run.pipe);
    run.worker = -1;
    if (run.finished()) return;
    const ClaimRequest& request = run.source->claims[run.next()];
    Finding finding;
    finding.message = known_reason.empty() ? reason_of(status, run) : known_reason;
    const double seconds = std::max(0.0, seconds_of(used.ru_utime) + seconds_of(used.ru_stime) - run.cpu_seconds_before);
    Json entry = claim_entry(request, finding, {}, seconds);
    entry["passed"] = false;  // even where undecided was expected: the claim did not say so itself
    entry["ended_early"] = true;
    run.entries.push_back(std::move(entry));
    ++done_;
  }

  static std::string reason_of(int status, const CaseRun& run) {
    if (WIFSIGNALED(status))
      return fmt::format("the worker process was ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status) == worker_out_of_memory) return "the worker process ran out of memory";
    if (WEXITSTATUS(status) == worker_threw) return "internal fault: " + run.last_words;
    return fmt::format("the worker process ended early with exit code {}", WEXITSTATUS(status));
  }

  const RunOptions& options_;
  const PoolMonitor& monitor_;
  std::vector<CaseRun> runs_;
  std::size_t total_ = 0;
  std::size_t done_ = 0;
  std::size_t reported_ = 0;
  std::function<void(const CaseRun&)> finished_;
};

}  // namespace

std::vector<Json> run_cases(std::span<const Case> cases, const RunOptions& options, const PoolMonitor& monitor) {
  const std::vector<std::string> stems = unique_stems(cases);
  std::vector<CaseRun> runs(cases.size());
  for (std::size_t k = 0; k < cases.size(); ++k) {
    runs[k].source = &cases[k];
    runs[k].stem = stems[k];
    runs[k].end = cases[k].claims.size();
  }
  std::vector<Json> entries;
  Pool(std::move(runs), options, monitor, [&](const CaseRun& run) {
    entries.push_back(case_entry(*run.source, run.entries));
    if (monitor.case_done) monitor.case_done(entries.back());
  }).run();
  return entries;
}

std::vector<Json> run_claims(const Case& one, std::size_t first, const RunOptions& options, const PoolMonitor& monitor) {
  const std::string stem = unique_stems({&one, 1}).front();
  std::vector<CaseRun> runs(one.claims.size() - first);
  for (std::size_t k = 0; k < runs.size(); ++k) {
    runs[k].source = &one;
    runs[k].stem = stem;
    runs[k].first = first + k;
    runs[k].end = first + k + 1;
  }
  std::vector<Json> entries;
  Pool(std::move(runs), options, monitor, [&](const CaseRun& run) { entries.push_back(run.entries.front()); }).run();
  return entries;
}

}  // namespace attest
