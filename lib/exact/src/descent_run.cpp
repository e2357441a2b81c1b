#include "descent_run.hpp"

#include "checker_limits.hpp"
#include "run_step.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

LimitIterate<PreciseBall> iterate_around(const LimitRows& rows, const BallVector& centre, const mag_t radius, slong bits) {
  LimitIterate<PreciseBall> at{{}, PreciseBall()};
  for (std::size_t c = 0; c < rows.count(); ++c) {
    at.y.push_back(for_clauses(dot(rows.row(c, bits), centre, bits).get()));
    widen(at.y.back().get(), rows.figures()->length[c], radius);
  }
  PreciseBall norm = sqrt(dot(centre, centre, bits));
  arb_add_error_mag(norm.get(), radius);
  at.norm_squared = for_clauses(square(norm).get());
  return at;
}

bool EnclosedRun::note_faintness(double lost_bits) {
  too_faint_ = !(lost_bits <= checker_limits::most_faintness);
  if (too_faint_) return false;
  faintness_ = std::max(faintness_, static_cast<slong>(std::ceil(lost_bits)));
  return true;
}

EnclosedRun::State EnclosedRun::advance_to(std::size_t iterate, slong least_accuracy, const Budget& budget) {
  while (iterate_ < iterate) {
    if (budget.spent()) return State::out_of_time;
    if (!step() || accuracy() < least_accuracy) return State::imprecise;
    ++iterate_;
  }
  return State::there;
}

std::unique_ptr<EnclosedRun> enclose_run(const LimitRows& rows, const DescentRule& rule, slong bits) {
  return rows.over_weights() ? enclose_weight_run(rows, rule, bits) : enclose_prompt_run(rows, rule, bits);
}

}  // namespace attest
