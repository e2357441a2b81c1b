#include "attest/base/progress.hpp"

#include "attest/base/cpu_time.hpp"

namespace attest {
namespace {

using Clock = std::chrono::steady_clock;

/// Inner loops ask at every step, and reading the CPU clock takes longer than some of them.
constexpr auto look_interval = std::chrono::milliseconds(1);

Clock::time_point on_cpu_clock(double seconds) {
  return Clock::time_point(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)));
}

/// The CPU clock as it was at most a moment ago.
class CpuClock {
 public:
  Clock::time_point now() {
    const auto looked = Clock::now();
    if (looked < next_look_) return last_;
    next_look_ = looked + look_interval;
    return last_ = on_cpu_clock(cpu_seconds());
  }
  void look() { next_look_ = {}; }

 private:
  Clock::time_point next_look_;
  Clock::time_point last_;
};

thread_local CpuClock cpu_clock;

}  // namespace

// CPU time, so that no verdict depends on what else the machine does; of all threads, so that work counts the same whether one
// does it or two.
Budget::Budget(double seconds) : deadline_(on_cpu_clock(cpu_seconds() + seconds)) {
  cpu_clock.look();  // a process that was forked has a clock of its own
}

bool Budget::spent() const { return cpu_clock.now() >= deadline_; }

double Budget::seconds_left() const { return std::chrono::duration<double>(deadline_.time_since_epoch()).count() - cpu_seconds(); }

}  // namespace attest
