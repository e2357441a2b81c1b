#pragma once

#include "attest/certificate/codec.hpp"

namespace attest::certified {

// Each kind as docs/certificate.md writes it, in a file a family.

WrittenCertificate write_kind(const LossBounds& kind);
WrittenCertificate write_kind(const LossNotDecreasing& kind);
WrittenCertificate write_kind(const LossFlat& kind);
WrittenCertificate write_kind(const GloballyOptimal& kind);
WrittenCertificate write_kind(const NotGloballyOptimal& kind);
WrittenCertificate write_kind(const SvmOptimal& kind);
WrittenCertificate write_kind(const SvmInfeasible& kind);
WrittenCertificate write_kind(const LocallyOptimal& kind);
WrittenCertificate write_kind(const Outscored& kind);
WrittenCertificate write_kind(const Infeasible& kind);
WrittenCertificate write_kind(const Census& kind);
WrittenCertificate write_kind(const AssumptionB& kind);
WrittenCertificate write_kind(const AssumptionBRefuted& kind);
WrittenCertificate write_kind(const NuclearBracket& kind);
WrittenCertificate write_kind(const Rank& kind);
WrittenCertificate write_kind(const EverySelection& kind);
WrittenCertificate write_kind(const EqualScores& kind);
WrittenCertificate write_kind(const BetterNeighbour& kind);
WrittenCertificate write_kind(const NoBetterNeighbour& kind);
WrittenCertificate write_kind(const IndependentRows& kind);
WrittenCertificate write_kind(const SlackTokens& kind);
WrittenCertificate write_kind(const NoSlackTokens& kind);
WrittenCertificate write_kind(const LogisticLoss&);
WrittenCertificate write_kind(const NotLogistic& kind);
WrittenCertificate write_kind(const DescentBasin& kind);
WrittenCertificate write_kind(const DescentCone& kind);
WrittenCertificate write_kind(const DescentWedge& kind);
WrittenCertificate write_kind(const PathEnvelope& kind);
WrittenCertificate write_kind(const PathRatio& kind);
WrittenCertificate write_kind(const JointEnvelope& kind);
WrittenCertificate write_kind(const NoStationaryPoint& kind);
WrittenCertificate write_kind(const StationaryPoint& kind);
WrittenCertificate write_kind(const SparsityNorm& kind);
WrittenCertificate write_kind(const SparsityInfeasible& kind);
WrittenCertificate write_kind(const HeadBounds& kind);
WrittenCertificate write_kind(const HeadEnvelope& kind);
WrittenCertificate write_kind(const FirstStep& kind);
WrittenCertificate write_kind(const NotFirstStep& kind);
WrittenCertificate write_kind(const SvmBracket& kind);
WrittenCertificate write_kind(const BracketedOptimum& kind);
WrittenCertificate write_kind(const BracketedRival& kind);
WrittenCertificate write_kind(const CurvatureBound& kind);

}  // namespace attest::certified
