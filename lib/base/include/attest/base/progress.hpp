#pragma once

#include <chrono>
#include <functional>
#include <string_view>

namespace attest {

/// Told by long work how far it is: a fraction from 0 to 1 (negative: unknown) and what it is doing.
using Progress = std::function<void(double fraction, std::string_view what)>;

/// The CPU time that a piece of work may take: of this process, all its threads together.
class Budget {
 public:
  explicit Budget(double seconds);
  bool spent() const;
  double seconds_left() const;

 private:
  std::chrono::steady_clock::time_point deadline_;  // on the process's CPU clock
};

}  // namespace attest
