#pragma once

#include "attest/run/run_options.hpp"
#include "message_stream.hpp"

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attest {

/// A process for work that may crash, hang or ask for all memory: it does one task after the other, as it and its parent agree.
/// Its address space is limited to the machine's memory. It is ended when it is destroyed, and when its parent dies.
class WorkerProcess {
 public:
  /// Forks; `work` is done in the new process, which ends with it.
  explicit WorkerProcess(const std::function<void(MessageStream&)>& work);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// From now on time counts for the next task.
  void begin_task();
  /// Why the task has overrun its limits; empty when it has not. Late is only who has nothing more to say: it may be done already.
  std::string why_late(const RunOptions& options) const;

  bool send(const nlohmann::ordered_json& message) const { return messages_->send(message); }
  /// Waits for messages. Nothing when the process has ended.
  std::optional<std::vector<nlohmann::ordered_json>> receive();
  int socket() const { return messages_->socket(); }

  /// How a process ended that should not have.
  struct End {
    std::string reason;
    double cpu_seconds;  ///< of its last task
  };
  /// Waits for the end of a process that has no more to say, or was killed.
  End wait();
  void kill();

 private:
  double cpu_seconds() const;
  std::string reason_of(int status) const;

  pid_t process_ = -1;
  std::unique_ptr<MessageStream> messages_;
  std::string last_words_;  // of one that threw
  std::chrono::steady_clock::time_point task_begin_;
  double cpu_seconds_before_ = 0;  // that the process had used when the task began
};

}  // namespace attest
