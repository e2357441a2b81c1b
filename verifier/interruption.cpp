#include "interruption.hpp"

#include "exit_code.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

volatile std::sig_atomic_t heard_signal = 0;

void hear(int /*signal*/) { heard_signal = 1; }

constexpr std::array<int, 2> signals{SIGINT, SIGTERM};

}  // namespace

Interruption::Interruption(const ReportFiles& files) {
  heard_signal = 0;
  struct sigaction action = {};
  action.sa_handler = hear;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (std::size_t k = 0; k < signals.size(); ++k) ::sigaction(signals[k], &action, &before_[k]);
  // To the end of the program: the rest of the table is written then.
  if (!files.none()) std::signal(SIGPIPE, SIG_IGN);
}

Interruption::~Interruption() {
  for (std::size_t k = 0; k < signals.size(); ++k) ::sigaction(signals[k], &before_[k], nullptr);
}

bool Interruption::heard() const { return heard_signal != 0; }

int keep_finished(Json results, ReportFiles files) {
  std::size_t finished = 0;
  for (const Json& one : results.at("cases")) finished += one.at("claims").size();
  if (finished == 0) {
    fmt::print(stderr, "attest: interrupted before a claim was finished; nothing is kept\n");
    return exit_code::not_as_expected;
  }
  results["interrupted"] = true;
  if (files.json.empty()) files.json = "attest-interrupted.json";
  if (const auto fault = files.write(results)) {
    fmt::print(stderr, "attest: {}\n", *fault);
    return exit_code::internal_fault;
  }
  fmt::print(stderr, "attest: interrupted; the results of {} finished claim{} are in {}\n", finished, finished == 1 ? "" : "s",
             files.json == standard_output ? "the standard output" : files.json);
  return exit_code::not_as_expected;
}

}  // namespace attest
