#include "attest/base/progress.hpp"

namespace attest {

using Clock = std::chrono::steady_clock;

Budget::Budget(double seconds)
    : deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))) {}

bool Budget::spent() const { return Clock::now() >= deadline_; }

double Budget::seconds_left() const { return std::chrono::duration<double>(deadline_ - Clock::now()).count(); }

}  // namespace attest
