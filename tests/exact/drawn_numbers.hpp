#pragma once

// Numbers drawn at random, the same ones in every run.

#include <random>

namespace attest {

inline int pick(std::mt19937& random, int low, int high) {
  return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
}

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  int pick(int low, int high) { return attest::pick(random_, low, high); }
  double normal() { return normal_(random_); }
  double unit() { return static_cast<double>(random_()) / 4294967296.0; }

 private:
  std::mt19937 random_;
  std::normal_distribution<double> normal_;
};

}  // namespace attest
