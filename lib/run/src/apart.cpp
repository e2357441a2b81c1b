#include "attest/run/apart.hpp"

#include "worker_process.hpp"

#include <poll.h>

namespace attest {

using Json = nlohmann::ordered_json;

std::variant<Json, NoAnswer> compute_written_apart(const std::function<Json(const Budget&)>& compute, const RunOptions& options) {
  WorkerProcess worker([&](MessageStream& parent) { parent.send({{"answer", compute(Budget(options.budget_seconds))}}); });
  while (true) {
    constexpr int wait_milliseconds = 100;
    pollfd socket{worker.socket(), POLLIN, 0};
    if (::poll(&socket, 1, wait_milliseconds) > 0) {
      const auto messages = worker.receive();
      if (!messages) return NoAnswer{worker.wait().reason};
      if (!messages->empty()) return messages->front().at("answer");
    }
    if (std::string reason = worker.why_late(options); !reason.empty()) return NoAnswer{std::move(reason)};
  }
}

}  // namespace attest
