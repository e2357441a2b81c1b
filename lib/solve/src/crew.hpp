#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace attest {

/// Threads that do the same piece of work together, over and over: run(work) calls work(0) … work(size - 1), one a
/// thread, and returns when all are done. A crew of one has no threads.
class Crew {
 public:
  explicit Crew(unsigned size);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  unsigned size() const { return static_cast<unsigned>(threads_.size()) + 1; }
  void run(const std::function<void(unsigned)>& work);

 private:
  void serve(unsigned member);

  const std::function<void(unsigned)>* work_ = nullptr;  // null: go home
  std::atomic<unsigned> round_ = 0;
  std::atomic<unsigned> busy_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace attest
