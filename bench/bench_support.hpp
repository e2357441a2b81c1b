#pragma once

// What the benchmark programs share: data from .npy files, medians, peak memory.

#include "attest/base/cpu_time.hpp"
#include "attest/model/npy.hpp"
#include "attest/model/problem.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace attest::bench {

/// The CPU time of this process: others on the machine do not count.
struct Clock {
  using time_point = double;
  static time_point now() { return cpu_seconds(); }
};

inline double seconds_since(Clock::time_point begin) { return Clock::now() - begin; }

/// Of several threads the time on the clock counts.
using WallClock = std::chrono::steady_clock;
inline double seconds_since(WallClock::time_point begin) { return std::chrono::duration<double>(WallClock::now() - begin).count(); }

inline double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

inline NumericArray load(const std::string& file) {
  auto read = read_array(file, "");
  if (const auto* fault = std::get_if<ArrayFault>(&read)) throw std::runtime_error(file + ": found " + fault->found);
  return std::get<NumericArray>(std::move(read));
}

/// Tokens n x T x d; every label is 1.
inline Problem load_tokens(const std::string& file) {
  const NumericArray array = load(file);
  const std::size_t n = array.shape.at(0);
  const std::size_t T = array.shape.at(1);
  const std::size_t d = array.shape.at(2);
  Problem problem;
  for (std::size_t i = 0; i < n; ++i) {
    const auto begin = array.values.begin() + static_cast<std::ptrdiff_t>(i * T * d);
    problem.tokens.push_back(ExactMatrix::from_doubles(T, d, std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(T * d))));
    problem.labels.push_back(1);
  }
  return problem;
}

/// Loading the data needs memory too; what is measured begins after it.
inline void forget_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

inline double peak_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmHWM:" && status >> word) return std::stod(word) / 1024;
  return 0;
}

}  // namespace attest::bench
