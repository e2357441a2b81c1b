#include "crew.hpp"

namespace attest {
namespace {

/// A round of work takes some 100 microseconds; sleeping and waking would cost a good part of that.
constexpr int spins_before_sleep = 4000;

unsigned wait_for_change(const std::atomic<unsigned>& value, unsigned old) {
  for (int spin = 0; spin < spins_before_sleep; ++spin)
    if (const unsigned now = value.load(std::memory_order_acquire); now != old) return now;
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

}  // namespace

Crew::Crew(unsigned size) {
  for (unsigned member = 1; member < size; ++member) threads_.emplace_back([this, member] { serve(member); });
}

Crew::~Crew() {
  work_ = nullptr;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Crew::run(const std::function<void(unsigned)>& work) {
  if (!threads_.empty()) {
    work_ = &work;
    busy_.store(static_cast<unsigned>(threads_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }
  work(0);
  unsigned left = busy_.load(std::memory_order_acquire);
  while (left != 0) left = wait_for_change(busy_, left);
}

void Crew::serve(unsigned member) {
  unsigned seen = 0;
  while (true) {
    seen = wait_for_change(round_, seen);
    if (work_ == nullptr) return;
    (*work_)(member);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_all();
  }
}

}  // namespace attest
