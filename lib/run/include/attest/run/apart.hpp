#pragma once

#include "attest/base/progress.hpp"
#include "attest/run/run_options.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <type_traits>
#include <variant>

namespace attest {

/// Why a worker process brought no answer: it crashed, was killed, threw, ran out of memory or past its time.
struct NoAnswer {
  std::string reason;
};

/// compute_apart of an answer that is written already.
std::variant<nlohmann::ordered_json, NoAnswer> compute_written_apart(const std::function<nlohmann::ordered_json(const Budget&)>& compute,
                                                                     const RunOptions& options);

/// Computes in a worker process of its own, with the budget and the limits that a claim has, so that nothing that happens there
/// reaches this process. The answer is a small value that has to_json and from_json.
template <class Compute>
auto compute_apart(const Compute& compute, const RunOptions& options)
    -> std::variant<std::invoke_result_t<Compute, const Budget&>, NoAnswer> {
  using Answer = std::invoke_result_t<Compute, const Budget&>;
  const std::variant<nlohmann::ordered_json, NoAnswer> written =
      compute_written_apart([&](const Budget& budget) { return nlohmann::ordered_json(compute(budget)); }, options);
  if (const auto* none = std::get_if<NoAnswer>(&written)) return *none;
  return std::get<nlohmann::ordered_json>(written).get<Answer>();
}

}  // namespace attest
