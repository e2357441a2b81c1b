#pragma once

#include "attest/report/results.hpp"

#include <string>

namespace attest {

/// A tracked run as text for a terminal: the verdict first, then a table of its checkpoints. `case_entry` has the claim trajectory alone.
std::string track_text(const Json& case_entry);

}  // namespace attest
