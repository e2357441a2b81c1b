#include "certified_run.hpp"

#include "attest/exact/certificates.hpp"

namespace attest {
namespace {

certified::Method certified_method(StepRule rule) {
  switch (rule) {
    case StepRule::constant: return certified::Method::constant;
    case StepRule::normalised: return certified::Method::normalised;
    case StepRule::flow: return certified::Method::flow;
  }
  return certified::Method::flow;
}

}  // namespace

certified::DescentRun certify_run(const LimitFacts& facts, const std::vector<Multiplier>& multipliers, const DescentRule& rule,
                                  std::optional<std::vector<Rational>> start, std::size_t iterations, std::size_t run_bits) {
  return {rule.parametrisation,
          facts.program->selection(),
          certified_method(rule.rule),
          std::move(start),
          rule.step,
          iterations,
          certified_multipliers(*facts.program, multipliers),
          {facts.interval, facts.loss->slope_sup, facts.loss->m0, facts.loss->m1, facts.loss->cuts},
          run_bits};
}

}  // namespace attest
