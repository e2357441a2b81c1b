#include "worker_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <stdexcept>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

/// Exit codes by which a worker says why it ended early.
constexpr int worker_out_of_memory = 101;
constexpr int worker_threw = 102;

/// A task watches its own budget; a worker that has used this much CPU time for one does not.
double hard_cpu_limit(const RunOptions& options) { return options.budget_seconds + std::max(1.0, 0.1 * options.budget_seconds); }

/// A worker that waits uses no CPU time. The limit is wide, since a busy machine is no reason to end one.
double wall_limit(const RunOptions& options) { return options.wall_seconds.value_or(10 * options.budget_seconds + 60); }

double seconds_of(const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); }

/// An allocation beyond the machine's memory fails in the worker instead of waking the kernel's killer.
void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__)
  const auto bytes = static_cast<rlim_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_AS, &limit);
#endif
}

[[noreturn]] void be_worker(const std::function<void(MessageStream&)>& work, int socket) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_NAME, "attest-worker");
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE})
    ::signal(signal, signal == SIGINT ? SIG_IGN : SIG_DFL);  // what the parent hears is its own
  // IPOPT's BLAS, which is loaded with the first program: its threads wait by turning, and that would count as CPU time.
  ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
  limit_memory();
  MessageStream messages(socket);
  try {
    work(messages);
  } catch (const std::bad_alloc&) {
    ::_exit(worker_out_of_memory);
  } catch (const std::exception& fault) {
    messages.send({{"threw", fault.what()}});
    ::_exit(worker_threw);
  }
  ::_exit(0);
}

[[noreturn]] void fail(const char* call) { throw std::runtime_error(std::string(call) + ": " + std::strerror(errno)); }

}  // namespace

WorkerProcess::WorkerProcess(const std::function<void(MessageStream&)>& work) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("socketpair");
  messages_ = std::make_unique<MessageStream>(ends[0]);
  std::fflush(nullptr);
  process_ = ::fork();
  if (process_ == 0) {
    ::close(ends[0]);
    be_worker(work, ends[1]);
  }
  ::close(ends[1]);
  if (process_ < 0) fail("fork");
  task_begin_ = Clock::now();
}

WorkerProcess::~WorkerProcess() {
  if (process_ < 0) return;
  kill();
  wait();
}

void WorkerProcess::begin_task() {
  task_begin_ = Clock::now();
  cpu_seconds_before_ = cpu_seconds();
}

double WorkerProcess::cpu_seconds() const {
  clockid_t clock{};
  timespec used{};
  if (::clock_getcpuclockid(process_, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return 0;  // it is gone, as its socket will say
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

std::string WorkerProcess::why_late(const RunOptions& options) const {
  const bool spent = cpu_seconds() - cpu_seconds_before_ > hard_cpu_limit(options);
  const bool long_ago = std::chrono::duration<double>(Clock::now() - task_begin_).count() > wall_limit(options);
  if ((!spent && !long_ago) || messages_->has_more()) return "";
  if (spent) return fmt::format("stopped: still running past its budget of {:g} s of CPU time", options.budget_seconds);
  return fmt::format("stopped: not done after {:g} s on the clock, with a budget of {:g} s of CPU time", wall_limit(options),
                     options.budget_seconds);
}

std::optional<std::vector<Json>> WorkerProcess::receive() {
  auto received = messages_->receive();
  if (received)
    std::erase_if(*received, [&](const Json& message) {
      const bool threw = message.contains("threw");
      if (threw) last_words_ = message.at("threw").get<std::string>();
      return threw;
    });
  return received;
}

void WorkerProcess::kill() {
  if (process_ > 0) ::kill(process_, SIGKILL);  // -1 would be everybody
}

WorkerProcess::End WorkerProcess::wait() {
  int status = 0;
  rusage used{};
  while (::wait4(process_, &status, 0, &used) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return {reason_of(status), std::max(0.0, seconds_of(used.ru_utime) + seconds_of(used.ru_stime) - cpu_seconds_before_)};
}

std::string WorkerProcess::reason_of(int status) const {
  if (WIFSIGNALED(status))
    return fmt::format("the worker process was ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) == worker_out_of_memory) return "the worker process ran out of memory";
  if (WEXITSTATUS(status) == worker_threw) return "internal fault: " + last_words_;
  return fmt::format("the worker process ended early with exit code {}", WEXITSTATUS(status));
}

}  // namespace attest
