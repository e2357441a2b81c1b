#pragma once

#include "attest/certificate/assumption_b_kinds.hpp"
#include "attest/certificate/bracket_kinds.hpp"
#include "attest/certificate/census_kind.hpp"
#include "attest/certificate/descent_kinds.hpp"
#include "attest/certificate/loss_kinds.hpp"
#include "attest/certificate/path_kinds.hpp"
#include "attest/certificate/point_kinds.hpp"
#include "attest/certificate/selection_kinds.hpp"
#include "attest/certificate/svm_kinds.hpp"

#include <memory>
#include <variant>

/// What certificates state and show, a type a kind, a header a family. docs/certificate.md, section 4, says what each must satisfy.
namespace attest::certified {

using Kind = std::variant<LossBounds, LossNotDecreasing, LossFlat, GloballyOptimal, NotGloballyOptimal, SvmOptimal, SvmInfeasible,
                          LocallyOptimal, Outscored, Infeasible, Census, AssumptionB, AssumptionBRefuted, NuclearBracket, Rank,
                          EverySelection, EqualScores, BetterNeighbour, NoBetterNeighbour, IndependentRows, SlackTokens, NoSlackTokens,
                          LogisticLoss, NotLogistic, DescentBasin, DescentCone, DescentWedge, PathEnvelope, PathRatio, JointEnvelope,
                          NoStationaryPoint, StationaryPoint, SparsityNorm, SparsityInfeasible, HeadBounds, HeadEnvelope, FirstStep,
                          NotFirstStep, SvmBracket, BracketedOptimum, BracketedRival, CurvatureBound>;

template <class One, class Kinds = Kind>
inline constexpr bool is_kind = false;
template <class One, class... Kinds>
inline constexpr bool is_kind<One, std::variant<Kinds...>> = (std::is_same_v<One, Kinds> || ...);

}  // namespace attest::certified

namespace attest {

/// Evidence for one statement about one problem, as docs/certificate.md specifies it; codec.hpp writes it. A handle of one kind: who
/// passes it on, as nearly all code does, compiles nothing of the kinds.
class Certificate {
 public:
  /// One of the kinds; certificate.cpp has them all.
  template <class One>
  requires certified::is_kind<One> Certificate(One one);

  const certified::Kind& kind() const { return *kind_; }

 private:
  std::shared_ptr<const certified::Kind> kind_;
};

}  // namespace attest
