#include "attest/run/apart.hpp"
#include "../occurrences.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

namespace attest {
namespace {

using Numbers = std::vector<int>;

RunOptions with_budget(double seconds) {
  RunOptions options;
  options.budget_seconds = seconds;
  return options;
}

/// Why a computation brought no answer.
template <class Compute>
std::string reason_of(const Compute& compute, const RunOptions& options = with_budget(60)) {
  const auto found = compute_apart(compute, options);
  BOOST_TEST_REQUIRE(std::holds_alternative<NoAnswer>(found));
  return std::get<NoAnswer>(found).reason;
}

BOOST_AUTO_TEST_SUITE(apart)

BOOST_AUTO_TEST_CASE(an_answer_comes_back_as_it_was) {
  const auto found = compute_apart([](const Budget&) { return Numbers{3, -1, 4}; }, with_budget(60));
  BOOST_TEST_REQUIRE(std::holds_alternative<Numbers>(found));
  BOOST_TEST(std::get<Numbers>(found) == (Numbers{3, -1, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_long_answer_comes_whole) {
  const auto found = compute_apart([](const Budget&) { return Numbers(1'000'000, 7); }, with_budget(60));
  BOOST_TEST_REQUIRE(std::holds_alternative<Numbers>(found));
  BOOST_TEST((std::get<Numbers>(found) == Numbers(1'000'000, 7)));
}

BOOST_AUTO_TEST_CASE(what_is_changed_there_is_not_changed_here) {
  int here = 1;
  compute_apart([&](const Budget&) { return here = 2; }, with_budget(60));
  BOOST_TEST(here == 1);
}

BOOST_AUTO_TEST_CASE(the_budget_is_that_of_a_claim) {
  const auto left = compute_apart([](const Budget& budget) { return budget.seconds_left(); }, with_budget(7));
  BOOST_TEST_REQUIRE(std::holds_alternative<double>(left));
  BOOST_TEST((std::get<double>(left) > 6 && std::get<double>(left) <= 7));
}

BOOST_AUTO_TEST_CASE(a_crash_is_a_reason) {
  BOOST_TEST(has(reason_of([](const Budget&) -> int {
                   std::signal(SIGABRT, SIG_DFL);
                   std::abort();
                 }),
                 "ended by signal 6"));
}

BOOST_AUTO_TEST_CASE(an_exception_is_a_reason) {
  BOOST_TEST(reason_of([](const Budget&) -> int { throw std::runtime_error("it is \xff broken"); }) ==
             "internal fault: it is \xEF\xBF\xBD broken");
}

BOOST_AUTO_TEST_CASE(an_end_without_a_word_is_a_reason) {
  BOOST_TEST(reason_of([](const Budget&) -> int { std::_Exit(5); }) == "the worker process ended early with exit code 5");
}

#if !defined(__SANITIZE_ADDRESS__)
BOOST_AUTO_TEST_CASE(memory_that_the_machine_has_not_is_a_reason) {
  const auto greedy = [](const Budget&) {
    std::vector<std::vector<double>> all;
    while (true) all.emplace_back(std::size_t{1} << 33).front() = 1;  // 64 GiB a step, of which one page is touched
    return 0;
  };
  BOOST_TEST(reason_of(greedy) == "the worker process ran out of memory");
}
#endif

BOOST_AUTO_TEST_CASE(a_computation_that_does_not_watch_its_budget_is_ended) {
  const auto endless = [](const Budget&) {
    volatile unsigned k = 0;
    while (k == 0) {
    }
    return 0;
  };
  BOOST_TEST(has(reason_of(endless, with_budget(0.1)), "past its budget of 0.1 s of CPU time"));
}

BOOST_AUTO_TEST_CASE(a_computation_that_waits_is_ended_by_the_clock) {
  RunOptions options = with_budget(60);
  options.wall_seconds = 0.3;
  const auto asleep = [](const Budget&) {
    std::this_thread::sleep_for(std::chrono::hours(1));
    return 0;
  };
  BOOST_TEST(has(reason_of(asleep, options), "not done after 0.3 s on the clock"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
