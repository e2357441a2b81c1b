#include "attest/base/progress.hpp"
#include "attest/base/cpu_time.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <thread>

namespace attest {
namespace {

/// Uses the CPU until the clock of the process has gone on by so much.
void work(double seconds) {
  const double end = cpu_seconds() + seconds;
  while (cpu_seconds() < end) {
  }
}

BOOST_AUTO_TEST_SUITE(progress)

BOOST_AUTO_TEST_CASE(a_budget_of_nothing_is_spent_at_once) {
  BOOST_TEST(Budget(0).spent());
  BOOST_TEST(!Budget(3600).spent());
}

BOOST_AUTO_TEST_CASE(waiting_spends_nothing) {
  const Budget budget(0.2);
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  BOOST_TEST(!budget.spent());
  BOOST_TEST(budget.seconds_left() > 0.1);
}

BOOST_AUTO_TEST_CASE(work_spends_it_and_it_stays_spent) {
  const Budget budget(0.02);
  work(0.02);
  BOOST_TEST(budget.seconds_left() <= 0);
  while (!budget.spent()) {
  }
  for (int k = 0; k < 1000; ++k) BOOST_REQUIRE(budget.spent());
  const Budget same = budget;
  BOOST_TEST(same.spent());
}

BOOST_AUTO_TEST_CASE(the_work_of_every_thread_is_counted) {
  const Budget budget(0.05);
  std::thread(work, 0.05).join();
  BOOST_TEST(budget.seconds_left() <= 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
