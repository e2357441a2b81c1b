#pragma once

#include "limit_clauses.hpp"

#include <memory>

namespace attest {

/// The iterates of a descent, enclosed: every step is taken in balls of so many bits, from an exact start.
/// [docs/certificate.md, section 4.20]
class EnclosedRun {
 public:
  enum class State {
    there,
    imprecise,  ///< too little is left to go on, or the gradient is not shown to differ from 0
    out_of_time
  };

  EnclosedRun() = default;
  EnclosedRun(const EnclosedRun&) = delete;
  EnclosedRun& operator=(const EnclosedRun&) = delete;
  virtual ~EnclosedRun() = default;

  /// Goes on to an iterate, while at least `least_accuracy` bits after the point are known.
  State advance_to(std::size_t iterate, slong least_accuracy, const Budget& budget);

  std::size_t iterate() const { return iterate_; }
  /// How many bits after the point are known of every component.
  virtual slong accuracy() const = 0;
  virtual LimitIterate<PreciseBall> now() const = 0;
  /// How many bits the gradient had at least below its largest term: a checker whose numbers have their bits after the point needs so many
  /// more of them.
  slong faintness() const { return faintness_; }
  /// The run stopped where checkers may not tell the gradient from 0.
  bool is_too_faint() const { return too_faint_; }

 protected:
  /// False where it is too faint.
  bool note_faintness(double lost_bits);

 private:
  /// False if the step is not defined on the whole enclosure.
  virtual bool step() = 0;

  std::size_t iterate_ = 0;
  slong faintness_ = 0;
  bool too_faint_ = false;
};

/// What the clauses ask of a point over p that lies within `radius` of a centre.
LimitIterate<PreciseBall> iterate_around(const LimitRows& rows, const BallVector& centre, const mag_t radius, slong bits);

/// A run over p by its components, over W by the coefficients of its rows; both in balls.
std::unique_ptr<EnclosedRun> enclose_run(const LimitRows& rows, const DescentRule& rule, slong bits);
std::unique_ptr<EnclosedRun> enclose_prompt_run(const LimitRows& rows, const DescentRule& rule, slong bits);
std::unique_ptr<EnclosedRun> enclose_weight_run(const LimitRows& rows, const DescentRule& rule, slong bits);

}  // namespace attest
