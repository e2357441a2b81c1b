#pragma once

#include "attest/model/head.hpp"
#include "attest/model/problem.hpp"
#include "json_reader.hpp"

namespace attest {

/// {"expression": "tanh(u)"}: phi(v.x), which needs v; or {"weights": [[…], …], "activation": "relu", "output": […], "bias": […]}.
Head read_head(const JsonValue& value, const JsonPlace& place, const Problem& problem);

}  // namespace attest
