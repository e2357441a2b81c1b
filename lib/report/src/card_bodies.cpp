#include "card_bodies.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <stdexcept>
#include <vector>

namespace attest {
namespace {

/// A page of so many bytes opens at once.
constexpr std::size_t most_carried = 750'000;
/// Ends a body; text that is escaped has no control characters.
constexpr char separator = '\x1e';

std::vector<unsigned char> deflated(const std::string& text) {
  uLongf size = compressBound(text.size());
  std::vector<unsigned char> bytes(size);
  const int end = compress2(bytes.data(), &size, reinterpret_cast<const Bytef*>(text.data()), text.size(), Z_BEST_COMPRESSION);
  if (end != Z_OK) throw std::runtime_error("zlib: the cards of the page cannot be packed");
  bytes.resize(size);
  return bytes;
}

std::string base64(const std::vector<unsigned char>& bytes) {
  constexpr const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    unsigned group = 0;
    for (std::size_t j = 0; j < 3; ++j) group = group << 8 | (k + j < bytes.size() ? bytes[k + j] : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += k + j <= bytes.size() ? letters[group >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

}  // namespace

std::string CardBodies::place(std::string body) {
  if (carried_ + body.size() <= most_carried) {
    carried_ += body.size();
    return fmt::format("<div class=\"body\">{}</div>", body);
  }
  together_ += std::move(body) + separator;
  return fmt::format(
      "<div class=\"body\" data-packed=\"{}\"><p class=\"soft\">Opened by a script, which this browser does not run.</p></div>", count_++);
}

std::string CardBodies::packed() const {
  return together_.empty() ? "" : fmt::format("<script type=\"text/plain\" id=\"packed\">{}</script>\n", base64(deflated(together_)));
}

}  // namespace attest
