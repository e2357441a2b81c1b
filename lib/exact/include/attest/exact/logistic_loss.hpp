#pragma once

#include "attest/model/loss.hpp"

#include <string>
#include <variant>

namespace attest {

/// The loss is log(1 + e^-u), by name or as written.
struct IsLogistic {};

/// Proved: at u it is another number.
struct NotLogistic {
  Rational u;
};

struct LogisticUndecided {
  std::string reason;
};

using LogisticDecision = std::variant<IsLogistic, NotLogistic, LogisticUndecided>;

/// A loss that is written as the logistic one is known by the tree of its expression, and nothing is simplified; another is
/// compared with it at some points, by enclosures. [docs/certificate.md, 4.18]
LogisticDecision decide_logistic(const Loss& loss);

}  // namespace attest
