#include "message_stream.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace attest {

using Json = nlohmann::ordered_json;

MessageStream::~MessageStream() { ::close(socket_); }

bool MessageStream::send(const Json& message) const {
  // Messages may hold text from outside; what is not UTF-8 is replaced, never thrown at.
  const std::string line = message.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t sent = ::send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::optional<std::vector<Json>> MessageStream::receive() {
  char buffer[65536];
  const ssize_t got = ::read(socket_, buffer, sizeof buffer);
  if (got < 0 && errno == EINTR) return std::vector<Json>{};
  if (got <= 0) return std::nullopt;
  unread_.append(buffer, static_cast<std::size_t>(got));
  std::vector<Json> messages;
  std::size_t begin = 0;
  for (std::size_t end; (end = unread_.find('\n', begin)) != std::string::npos; begin = end + 1)
    messages.push_back(Json::parse(unread_.substr(begin, end - begin)));
  unread_.erase(0, begin);
  return messages;
}

bool MessageStream::has_more() const {
  pollfd socket{socket_, POLLIN, 0};
  return ::poll(&socket, 1, 0) > 0;
}

}  // namespace attest
