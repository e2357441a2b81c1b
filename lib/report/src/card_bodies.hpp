#pragma once

#include <string>

namespace attest {

/// What cards hold when they are opened. A page carries the first of it as it is; what would make it slow to open goes along packed, and a
/// script unpacks it for the card that is opened.
class CardBodies {
 public:
  /// The element to put into the card.
  std::string place(std::string body);
  /// What is packed, as an element for the end of the page; empty where nothing is.
  std::string packed() const;

 private:
  std::size_t carried_ = 0;  // bytes that the page carries as they are
  std::size_t count_ = 0;    // bodies that are packed
  std::string together_;     // these, each ended by a separator
};

}  // namespace attest
