#include "attest/certificate/certified.hpp"

namespace attest {

template <class One>
requires certified::is_kind<One> Certificate::Certificate(One one) : kind_(std::make_shared<const certified::Kind>(std::move(one))) {}

template Certificate::Certificate(certified::LossBounds one);
template Certificate::Certificate(certified::LossNotDecreasing one);
template Certificate::Certificate(certified::LossFlat one);
template Certificate::Certificate(certified::GloballyOptimal one);
template Certificate::Certificate(certified::NotGloballyOptimal one);
template Certificate::Certificate(certified::SvmOptimal one);
template Certificate::Certificate(certified::SvmInfeasible one);
template Certificate::Certificate(certified::LocallyOptimal one);
template Certificate::Certificate(certified::Outscored one);
template Certificate::Certificate(certified::Infeasible one);
template Certificate::Certificate(certified::Census one);
template Certificate::Certificate(certified::AssumptionB one);
template Certificate::Certificate(certified::AssumptionBRefuted one);
template Certificate::Certificate(certified::NuclearBracket one);
template Certificate::Certificate(certified::Rank one);
template Certificate::Certificate(certified::EverySelection one);
template Certificate::Certificate(certified::EqualScores one);
template Certificate::Certificate(certified::BetterNeighbour one);
template Certificate::Certificate(certified::NoBetterNeighbour one);
template Certificate::Certificate(certified::IndependentRows one);
template Certificate::Certificate(certified::SlackTokens one);
template Certificate::Certificate(certified::NoSlackTokens one);
template Certificate::Certificate(certified::LogisticLoss one);
template Certificate::Certificate(certified::NotLogistic one);
template Certificate::Certificate(certified::DescentBasin one);
template Certificate::Certificate(certified::DescentCone one);
template Certificate::Certificate(certified::DescentWedge one);
template Certificate::Certificate(certified::PathEnvelope one);
template Certificate::Certificate(certified::PathRatio one);
template Certificate::Certificate(certified::JointEnvelope one);
template Certificate::Certificate(certified::NoStationaryPoint one);
template Certificate::Certificate(certified::StationaryPoint one);
template Certificate::Certificate(certified::SparsityNorm one);
template Certificate::Certificate(certified::SparsityInfeasible one);
template Certificate::Certificate(certified::HeadBounds one);
template Certificate::Certificate(certified::HeadEnvelope one);
template Certificate::Certificate(certified::FirstStep one);
template Certificate::Certificate(certified::NotFirstStep one);
template Certificate::Certificate(certified::SvmBracket one);
template Certificate::Certificate(certified::BracketedOptimum one);
template Certificate::Certificate(certified::BracketedRival one);
template Certificate::Certificate(certified::CurvatureBound one);

}  // namespace attest
