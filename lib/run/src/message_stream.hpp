#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace attest {

/// One end of the line between a worker process and its parent. A message is a line of JSON; messages go both ways.
class MessageStream {
 public:
  /// Owns the socket.
  explicit MessageStream(int socket) : socket_(socket) {}
  ~MessageStream();
  MessageStream(const MessageStream&) = delete;
  MessageStream& operator=(const MessageStream&) = delete;

  /// False when the other end is gone.
  bool send(const nlohmann::ordered_json& message) const;
  /// Waits until something comes: the messages that are whole then, perhaps none. Nothing when the other end is gone.
  std::optional<std::vector<nlohmann::ordered_json>> receive();
  /// Whether receive would not wait.
  bool has_more() const;
  int socket() const { return socket_; }

 private:
  int socket_;
  std::string unread_;
};

}  // namespace attest
