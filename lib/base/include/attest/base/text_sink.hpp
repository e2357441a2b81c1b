#pragma once

#include <functional>
#include <string_view>

namespace attest {

/// Takes the next piece of a text.
using TextSink = std::function<void(std::string_view)>;

/// Gives a text piece by piece, so that nobody need hold all of it.
using TextSource = std::function<void(const TextSink&)>;

}  // namespace attest
