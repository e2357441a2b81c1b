#pragma once

#include "attest/report/difference.hpp"
#include "text_layout.hpp"

#include <string>
#include <vector>

namespace attest {

/// Differences as text of that width, each group below the title of its cause.
std::string difference_text(const std::vector<Difference>& list, const Sides& sides, std::size_t width = usual_width);

}  // namespace attest
