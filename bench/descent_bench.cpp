// descent_bench TOKENS.npy HEAD.npy THREADS: normalised descent with step 0.1 from 0, as one line of JSON: the median
// seconds an iteration on the clock and of CPU time, the prompt after 200 iterations, and the seconds that one read of as many numbers as
// the keys have takes with the same threads.

#include "attest/solve/descent_kernel.hpp"
#include "bench_support.hpp"

#include <nlohmann/json.hpp>

#include <atomic>
#include <iostream>
#include <thread>

namespace {

using namespace attest;
using namespace attest::bench;

constexpr int compared_iterations = 200;
constexpr double step = 0.1;

void descend(DescentKernel& kernel, Eigen::VectorXd& p, LogVector& gradient, int iterations) {
  for (int k = 0; k < iterations; ++k) {
    kernel.gradient(p, gradient);
    p -= step / gradient.vector.norm() * gradient.vector;
  }
}

/// Seconds an iteration, the median over batches of about 20 ms: on the clock, and of all threads together.
struct IterationTime {
  double clock;
  double cpu;
};

IterationTime time_iterations(DescentKernel& kernel, Eigen::VectorXd p) {
  LogVector gradient;
  std::vector<double> times;
  std::vector<double> cpu_times;
  int batch = 1;
  const auto begin = WallClock::now();
  while (times.size() < 3 || seconds_since(begin) < 2) {
    const auto start = WallClock::now();
    const auto cpu_start = Clock::now();
    descend(kernel, p, gradient, batch);
    const double seconds = seconds_since(start);
    if (seconds < 0.01) {
      batch *= 2;
      continue;
    }
    times.push_back(seconds / batch);
    cpu_times.push_back(seconds_since(cpu_start) / batch);
  }
  return {median(times), median(cpu_times)};
}

double sum_of(const double* begin, const double* end) {
  double a = 0;
  double b = 0;
  double c = 0;
  double d = 0;
#pragma omp simd reduction(+ : a, b, c, d)
  for (const double* x = begin; x < end - 3; x += 4) {
    a += x[0];
    b += x[1];
    c += x[2];
    d += x[3];
  }
  return a + b + c + d;
}

/// The limit: every number read once, by threads that do nothing else, many times over.
double time_read(std::size_t numbers, unsigned threads) {
  const std::vector<double> data(numbers, 1.0);
  std::atomic<double> kept = 0;
  std::vector<double> times;
  const std::size_t repeats = std::max<std::size_t>(1, 20'000'000 / numbers);
  for (int round = 0; round < 11; ++round) {
    const auto start = WallClock::now();
    std::vector<std::thread> crew;
    for (unsigned member = 0; member < threads; ++member)
      crew.emplace_back([&, member] {
        for (std::size_t k = 0; k < repeats; ++k)
          kept = sum_of(data.data() + numbers * member / threads, data.data() + numbers * (member + 1) / threads);
      });
    for (std::thread& thread : crew) thread.join();
    times.push_back(seconds_since(start) / static_cast<double>(repeats));
  }
  return median(times);
}

int run(const char* tokens_file, const char* head_file, unsigned threads) {
  Problem problem = load_tokens(tokens_file);
  problem.v = ExactMatrix::from_doubles(1, problem.dimension(), load(head_file).values);
  DescentKernel kernel(problem, exact_scores(problem), threads);
  LogVector gradient;
  Eigen::VectorXd p = Eigen::VectorXd::Zero(kernel.dimension());
  descend(kernel, p, gradient, compared_iterations);
  const std::size_t numbers = problem.sample_count() * problem.token_count(0) * problem.dimension();
  const IterationTime time = time_iterations(kernel, p);
  const nlohmann::ordered_json line = {{"threads", kernel.threads()},
                                       {"seconds", time.clock},
                                       {"cpu_seconds", time.cpu},
                                       {"read_seconds", time_read(numbers, kernel.threads())},
                                       {"p", std::vector<double>(p.begin(), p.end())},
                                       {"peak_mib", peak_mib()}};
  std::cout << line.dump() << "\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: descent_bench TOKENS.npy HEAD.npy THREADS\n";
    return 2;
  }
  return run(argv[1], argv[2], static_cast<unsigned>(std::stoul(argv[3])));
}
