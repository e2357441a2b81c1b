#include "bracket_kinds.hpp"
#include "row_codec.hpp"

namespace attest::certified {
namespace {

Json with_v(Json witness, const std::optional<Solution>& v) {
  if (v) witness["v"] = encode_solution(*v, Program::v);
  return witness;
}

Json encode_conflicts(const std::vector<Conflict>& conflicts) {
  Json list = Json::array();
  for (const Conflict& conflict : conflicts) {
    Json terms = Json::array();
    for (const Conflict::Term& term : conflict.terms) terms.push_back({term.sample, term.chosen, term.token, encode(term.weight)});
    list.push_back(std::move(terms));
  }
  return list;
}

Json encode_node(const CensusNode& node) {
  if (node.conflict) return *node.conflict;
  if (node.leaf) {
    Json entry = encode_solution(node.leaf->solution);
    if (node.leaf->neighbour) entry["neighbour"] = encode_row(*node.leaf->neighbour);
    return entry;
  }
  Json children = Json::array();
  for (const CensusNode& child : node.children) children.push_back(encode_node(child));
  return children;
}

const char* name_of(Over over) { return over == Over::all ? "all" : "support"; }

Json encode_tree(const SelectionTree& tree) {
  if (tree.weights) return *tree.weights;
  Json node = Json::array({tree.sample});
  for (const SelectionTree& child : tree.children) node.push_back(encode_tree(child));
  return node;
}

Json encode_samples(const std::vector<AssumptionB::SampleCells>& samples) {
  Json encoded = Json::array();
  for (const auto& [sample, cells] : samples) {
    Json list = Json::array();
    for (const auto& [upto, tree] : cells) list.push_back({{"upto", encode(upto)}, {"tree", encode_tree(tree)}});
    encoded.push_back({{"sample", sample}, {"cells", std::move(list)}});
  }
  return encoded;
}

/// What a witness against Assumption B holds beside v.
struct EncodeRefutation {
  Json operator()(const AssumptionBRefuted::ByLimit& by) const { return {{"by", "limit"}, {"p", encode(by.p)}, {"u", encode(by.u)}}; }
  Json operator()(const AssumptionBRefuted::BySoftRow& by) const { return {{"by", "soft-row"}, {"p", encode(by.p)}}; }
  Json operator()(const AssumptionBRefuted::ByWeightless& by) const {
    return {{"by", "weightless"}, {"p", encode(by.p)}, {"sample", by.sample}, {"y", encode(by.y)}};
  }
  Json operator()(const AssumptionBRefuted::ByPoint& by) const { return {{"by", "point"}, {"p", encode(by.p)}, {"u", encode(by.u)}}; }
};

template <class Number>
Json encode_matrix(const std::vector<Number>& entries, std::size_t rows, std::size_t columns) {
  Json list = Json::array();
  for (std::size_t r = 0; r < rows; ++r) {
    Json row = Json::array();
    for (std::size_t c = 0; c < columns; ++c) row.push_back(encode(Rational(entries[r * columns + c])));
    list.push_back(std::move(row));
  }
  return list;
}

Json encode_interval(const RationalInterval& interval) { return Json::array({encode(interval.low), encode(interval.high)}); }

const char* name_of(Parametrisation over) { return over == Parametrisation::weights ? "W" : "p"; }

/// A vector, or for W a matrix by rows.
Json encode_point(const std::vector<Rational>& entries, Parametrisation over, std::size_t dimension) {
  return over == Parametrisation::weights ? encode_matrix(entries, dimension, dimension) : encode(entries);
}

Json encode_lists(const std::vector<std::vector<Rational>>& lists) {
  Json encoded = Json::array();
  for (const auto& list : lists) encoded.push_back(encode(list));
  return encoded;
}

Json encode_loss(const LossBlock& loss) {
  return {{"interval", encode_interval(loss.interval)},
          {"slope_sup", encode(loss.slope_sup)},
          {"m0", encode(loss.m0)},
          {"m1", encode(loss.m1)},
          {"cuts", encode(loss.cuts)}};
}

const char* name_of(Method method) {
  switch (method) {
    case Method::constant: return "constant";
    case Method::normalised: return "normalised";
    case Method::flow: return "flow";
  }
  return "";
}

/// null for every start, "0" for the zero vector or matrix.
Json encode_start(const DescentRun& run) {
  if (!run.start) return Json();
  if (run.start->empty()) return "0";
  if (run.over == Parametrisation::prompt) return encode(*run.start);
  std::size_t side = 1;
  while (side * side < run.start->size()) ++side;
  return encode_matrix(*run.start, side, side);
}

/// The fields that every kind of 4.21 to 4.23 has.
WrittenCertificate encode_run(const DescentRun& run, const char* kind) {
  Json statement = {{"kind", kind},
                    {"over", name_of(run.over)},
                    {"selection", run.selection},
                    {"method", name_of(run.method)},
                    {"start", encode_start(run)},
                    {"iterations", run.iterations}};
  if (run.method != Method::flow || run.iterations > 0) statement["step"] = encode(run.step);
  return {run.over == Parametrisation::prompt ? "descent" : "w-gd",
          std::move(statement),
          {{"lambda", encode_multipliers(run.lambda)}, {"loss", encode_loss(run.loss)}, {"bits", run.bits}}};
}

Json encode_slopes(const Slopes& slopes) {
  Json list = Json::array();
  for (const auto& range : slopes) list.push_back(range ? Json::array({encode(range->least), encode(range->largest)}) : Json());
  return list;
}

Json encode_stage(const PathEnvelope::Stage& stage) {
  Json encoded = {{"shift", encode_multipliers(stage.shift)}, {"reach", encode(stage.reach)}, {"slopes", encode_slopes(stage.slopes)}};
  if (stage.floor) encoded["floor"] = encode(*stage.floor);
  return encoded;
}

Json encode_shown(const PathEnvelope::Shown& shown) {
  Json encoded = encode_stage(shown.stage);
  if (shown.stage.floor) encoded["first"] = shown.first ? encode_stage(*shown.first) : Json();
  return encoded;
}

Json encode_cone(const std::optional<PathEnvelope::Cone>& cone) {
  return cone ? Json{{"radius", encode(cone->radius)}, {"opening", encode(cone->opening)}} : Json();
}

/// null for a sample of one token.
Json encode_intervals(const std::vector<std::optional<RationalInterval>>& intervals) {
  Json list = Json::array();
  for (const auto& interval : intervals) list.push_back(interval ? encode_interval(*interval) : Json());
  return list;
}

/// What a witness holds beside its loss block.
struct EncodeNoStationaryPoint {
  Parametrisation over;
  std::size_t dimension;

  Json operator()(const NoStationaryPoint::ByDirection& by) const {
    return {{"by", "direction"}, {"u", encode_point(by.u, over, dimension)}};
  }
  Json operator()(const NoStationaryPoint::ByQuery& by) const { return {{"by", "query"}, {"q", encode(by.q)}}; }
  Json operator()(const NoStationaryPoint::ByRank&) const { return {{"by", "rank"}}; }
};

struct EncodeStationaryPoint {
  Json operator()(const StationaryPoint::ByOrigin&) const { return {{"by", "origin"}}; }
  Json operator()(const StationaryPoint::ByKrawczyk& by) const {
    return {{"by", "krawczyk"}, {"basis", encode_lists(by.basis)}, {"radius", encode(by.radius)}, {"inverse", encode_lists(by.inverse)}};
  }
};

Json encode_envelope(const std::vector<HeadEnvelope::Entry>& entries) {
  Json list = Json::array();
  for (const auto& entry : entries) list.push_back({{"radius", encode(entry.radius)}, {"square", encode(entry.square)}});
  return list;
}

Json encode_entries(const std::vector<HeadEnvelope::Entry>& entries) {
  Json list = Json::array();
  for (const auto& entry : entries)
    list.push_back({{"shift", encode_multipliers(entry.shift)},
                    {"reach", encode(entry.reach)},
                    {"slopes", encode_intervals(entry.slopes)},
                    {"near", {{"bounds", encode_intervals(entry.near.bounds)}, {"cuts", encode_lists(entry.near.cuts)}}}});
  return list;
}

struct Codec {
  WrittenCertificate operator()(const LossBounds& kind) const {
    return {"assumption-a",
            {{"kind", "loss-bounds"},
             {"interval", encode_interval(kind.interval)},
             {"slope_sup", encode(kind.slope_sup)},
             {"m0", encode(kind.m0)},
             {"m1", encode(kind.m1)},
             {"covers_scores", kind.covers_scores}},
            {{"cuts", encode(kind.cuts)}}};
  }
  WrittenCertificate operator()(const LossNotDecreasing& kind) const {
    return {"assumption-a",
            {{"kind", "loss-not-decreasing"},
             {"interval", encode_interval(kind.interval)},
             {"a", encode(kind.a)},
             {"b", encode(kind.b)},
             {"covers_scores", kind.covers_scores}},
            {{"by", kind.by_slope ? "slope" : "values"}}};
  }
  WrittenCertificate operator()(const LossFlat& kind) const {
    return {"assumption-a",
            {{"kind", "loss-flat"}, {"sample", kind.sample}, {"token", kind.token}, {"at", encode(kind.at)}},
            {{"by", kind.rational ? "rational" : "enclosure"}}};
  }
  WrittenCertificate operator()(const GloballyOptimal& kind) const {
    return {"globally-optimal",
            {{"kind", "globally-optimal"},
             {"selection", kind.selection},
             {"unique", kind.unique},
             {"gap", kind.gap ? encode(*kind.gap) : Json()}},
            Json::object()};
  }
  WrittenCertificate operator()(const NotGloballyOptimal& kind) const {
    return {"globally-optimal",
            {{"kind", "not-globally-optimal"}, {"selection", kind.selection}, {"unique", kind.unique}},
            {{"sample", kind.sample}, {"token", kind.token}}};
  }
  WrittenCertificate operator()(const SvmOptimal& kind) const {
    return {claim_of(kind.program),
            {{"kind", "svm-optimal"},
             {"selection", kind.selection},
             {"objective", encode(kind.objective)},
             {"support", encode_rows(kind.support, kind.program)}},
            with_v(encode_solution(kind.solution, kind.program), kind.v)};
  }
  WrittenCertificate operator()(const SvmInfeasible& kind) const {
    return {claim_of(kind.program),
            {{"kind", "svm-infeasible"}, {"selection", kind.selection}},
            with_v({{"lambda", encode_multipliers(kind.lambda, kind.program)}}, kind.v)};
  }
  WrittenCertificate operator()(const LocallyOptimal& kind) const {
    return {locality_of(kind.program),
            {{"kind", "locally-optimal"}, {"selection", kind.selection}, {"neighbours", encode_rows(kind.neighbours)}},
            encode_solution(kind.solution, kind.program)};
  }
  WrittenCertificate operator()(const Outscored& kind) const {
    Json witness = encode_solution(kind.solution, kind.program);
    witness["neighbour"] = encode_row(kind.neighbour);
    return {locality_of(kind.program), {{"kind", "not-locally-optimal"}, {"selection", kind.selection}}, std::move(witness)};
  }
  WrittenCertificate operator()(const Infeasible& kind) const {
    return {locality_of(kind.program),
            {{"kind", "not-locally-optimal"}, {"selection", kind.selection}},
            {{"farkas", encode_multipliers(kind.farkas)}}};
  }
  WrittenCertificate operator()(const Census& kind) const {
    return {"census",
            {{"kind", "census"}, {"count", kind.selections.size()}, {"selections", kind.selections}},
            {{"order", kind.order}, {"conflicts", encode_conflicts(kind.conflicts)}, {"tree", encode_node(kind.tree)}}};
  }
  WrittenCertificate operator()(const AssumptionB& kind) const {
    Json weights = Json::array();
    for (const Multipliers& list : kind.weights) weights.push_back(encode_multipliers(list, Program::v));
    Json witness = {{"v", encode_solution(kind.v, Program::v)}, {"weights", std::move(weights)}, {"samples", encode_samples(kind.samples)}};
    if (!kind.cover.empty()) {
      Json cover = Json::array();
      for (const auto& [row, lambda] : kind.cover) cover.push_back({{"row", encode_row(row)}, {"lambda", encode_multipliers(lambda)}});
      witness["cover"] = std::move(cover);
    }
    return {"assumption-b",
            {{"kind", "assumption-b"},
             {"selection", kind.selection},
             {"over", name_of(kind.over)},
             {"nu", encode(kind.nu)},
             {"gamma_squared", encode(kind.gamma_squared)}},
            std::move(witness)};
  }
  WrittenCertificate operator()(const AssumptionBRefuted& kind) const {
    Json witness = {{"v", encode_solution(kind.v, Program::v)}};
    witness.update(std::visit(EncodeRefutation(), kind.by));
    return {"assumption-b",
            {{"kind", "assumption-b-refuted"}, {"selection", kind.selection}, {"over", name_of(kind.over)}},
            std::move(witness)};
  }
  WrittenCertificate operator()(const NuclearBracket& kind) const {
    Json witness = {{"a", encode_matrix(kind.a, kind.rows, kind.columns)},
                    {"b", encode_matrix(kind.b, kind.rows, kind.columns)},
                    {"lambda", encode_multipliers(kind.lambda)}};
    if (!kind.root.empty()) witness["root"] = encode_lists(kind.root);
    return {"w-svm",
            {{"kind", "nuclear-bracket"}, {"selection", kind.selection}, {"lower", encode(kind.lower)}, {"upper", encode(kind.upper)}},
            std::move(witness)};
  }
  WrittenCertificate operator()(const Rank& kind) const {
    return {"overparametrised", {{"kind", "rank"}, {"token_ranks", kind.token_ranks}, {"query_rank", kind.query_rank}}, Json::object()};
  }
  WrittenCertificate operator()(const EverySelection& kind) const {
    Json matrices = Json::array();
    for (const auto& matrix : kind.matrices) matrices.push_back(encode_matrix(matrix, kind.dimension, kind.dimension));
    return {"overparametrised", {{"kind", "every-selection"}, {"count", kind.matrices.size()}}, {{"matrices", std::move(matrices)}}};
  }
  WrittenCertificate operator()(const EqualScores& kind) const {
    return {"gd-global", {{"kind", "equal-scores"}, {"selection", kind.selection}}, Json::object()};
  }
  WrittenCertificate operator()(const BetterNeighbour& kind) const {
    Json witness = encode_solution(kind.solution);
    witness["neighbour"] = encode_row(kind.neighbour);
    return {"tightness", {{"kind", "better-neighbour"}, {"selection", kind.selection}}, std::move(witness)};
  }
  WrittenCertificate operator()(const NoBetterNeighbour& kind) const {
    return {"tightness", {{"kind", "no-better-neighbour"}, {"selection", kind.selection}}, encode_solution(kind.solution)};
  }
  WrittenCertificate operator()(const IndependentRows& kind) const {
    return {"tightness",
            {{"kind", "independent-rows"}, {"selection", kind.selection}, {"rows", encode_rows(kind.rows)}},
            encode_solution(kind.solution)};
  }
  WrittenCertificate operator()(const SlackTokens& kind) const {
    return {"joint-path", {{"kind", "slack-tokens"}, {"selection", kind.selection}}, {{"v", encode_solution(kind.v, Program::v)}}};
  }
  WrittenCertificate operator()(const NoSlackTokens& kind) const {
    return {"joint-path",
            {{"kind", "no-slack-tokens"}, {"selection", kind.selection}},
            {{"v", encode_solution(kind.v, Program::v)}, {"sample", kind.sample}, {"token", kind.token}}};
  }
  WrittenCertificate operator()(const LogisticLoss&) const { return {"joint-path", {{"kind", "logistic-loss"}}, Json::object()}; }
  WrittenCertificate operator()(const NotLogistic& kind) const {
    return {"joint-path", {{"kind", "not-logistic"}, {"u", encode(kind.u)}}, Json::object()};
  }
  WrittenCertificate operator()(const DescentBasin& kind) const { return encode_run(kind.run, "descent-basin"); }
  WrittenCertificate operator()(const DescentCone& kind) const {
    WrittenCertificate text = encode_run(kind.run, "descent-cone");
    text.statement["rate"] = encode(kind.rate);
    text.witness["rho"] = encode(kind.rho);
    if (kind.run.method != Method::flow) text.witness["spectral"] = encode(kind.spectral);
    return text;
  }
  WrittenCertificate operator()(const DescentWedge& kind) const {
    WrittenCertificate text = encode_run(kind.run, "descent-wedge");
    text.witness["delta"] = encode(kind.delta);
    return text;
  }
  WrittenCertificate operator()(const PathEnvelope& kind) const {
    const bool weights = kind.program == Program::w;
    Json envelope = Json::array();
    for (const auto& [radius, square, rate] : kind.envelope)
      envelope.push_back({{"radius", encode(radius)}, {"square", encode(square)}, {"rate", rate ? encode(*rate) : Json()}});
    Json entries = Json::array();
    for (const PathEnvelope::Shown& shown : kind.entries) entries.push_back(encode_shown(shown));
    return {weights ? "w-path" : "path",
            {{"kind", "path-envelope"},
             {"over", weights ? "W" : "p"},
             {"selection", kind.selection},
             {"cone", encode_cone(kind.cone)},
             {"envelope", std::move(envelope)}},
            {{"lambda", encode_multipliers(kind.lambda)}, {"loss", encode_loss(kind.loss)}, {"entries", std::move(entries)}}};
  }
  WrittenCertificate operator()(const PathRatio& kind) const {
    return {"kq-path",
            {{"kind", "path-ratio"},
             {"selection", kind.bracket.selection},
             {"lower", encode(kind.bracket.lower)},
             {"upper", encode(kind.bracket.upper)},
             {"radius", encode(kind.radius)},
             {"offset", encode(kind.offset)}},
            {{"bracket", (*this)(kind.bracket).witness},
             {"loss", encode_loss(kind.loss)},
             {"reach", encode(kind.reach)},
             {"slopes", encode_slopes(kind.slopes)}}};
  }
  WrittenCertificate operator()(const JointEnvelope& kind) const {
    return {"joint-path",
            {{"kind", "joint-envelope"},
             {"selection", kind.b.selection},
             {"nu", encode(kind.b.nu)},
             {"gamma_squared", encode(kind.b.gamma_squared)},
             {"r", encode(kind.head_radius)},
             {"R", encode(kind.radius)},
             {"theta", encode(kind.theta)},
             {"c", encode(kind.c)},
             {"head_theta", encode(kind.head_theta)},
             {"head_c", encode(kind.head_c)}},
            {{"b", (*this)(kind.b).witness},
             {"lambda", encode_multipliers(kind.lambda)},
             {"weights", encode_multipliers(kind.weights, Program::v)},
             {"second", kind.shift ? Json{{"shift", encode(*kind.shift)}} : Json()}}};
  }
  WrittenCertificate operator()(const NoStationaryPoint& kind) const {
    Json witness = {{"loss", encode_loss(kind.loss)}};
    witness.update(std::visit(EncodeNoStationaryPoint{kind.over, kind.dimension}, kind.by));
    return {"no-stationary-point", {{"kind", "no-stationary-point"}, {"over", name_of(kind.over)}}, std::move(witness)};
  }
  WrittenCertificate operator()(const StationaryPoint& kind) const {
    return {"no-stationary-point",
            {{"kind", "stationary-point"}, {"over", name_of(kind.over)}, {"centre", encode(kind.centre)}},
            std::visit(EncodeStationaryPoint(), kind.by)};
  }
  WrittenCertificate operator()(const SparsityNorm& kind) const {
    return {"sparsity-norm",
            {{"kind", "sparsity-norm"},
             {"over", name_of(kind.over)},
             {"selection", kind.selection},
             {"epsilon", encode(kind.epsilon)},
             {"lower", encode(kind.lower)},
             {"upper", encode(kind.upper)}},
            {{"weights", encode_multipliers(kind.weights)}, {"point", encode_multipliers(kind.point)}}};
  }
  WrittenCertificate operator()(const SparsityInfeasible& kind) const {
    return {
        "sparsity-norm",
        {{"kind", "sparsity-infeasible"}, {"over", name_of(kind.over)}, {"selection", kind.selection}, {"epsilon", encode(kind.epsilon)}},
        {{"weights", encode_multipliers(kind.weights)}}};
  }
  WrittenCertificate operator()(const HeadBounds& kind) const {
    return {"head-path",
            {{"kind", "head-bounds"}, {"selection", kind.selection}, {"head", kind.head}, {"bounds", encode_intervals(kind.slopes.bounds)}},
            {{"cuts", encode_lists(kind.slopes.cuts)}}};
  }
  WrittenCertificate operator()(const HeadEnvelope& kind) const {
    return {"head-path",
            {{"kind", "head-envelope"}, {"selection", kind.selection}, {"head", kind.head}, {"envelope", encode_envelope(kind.entries)}},
            {{"lambda", encode_multipliers(kind.lambda)},
             {"loss", encode_loss(kind.loss)},
             {"bounds", encode_intervals(kind.slopes.bounds)},
             {"cuts", encode_lists(kind.slopes.cuts)},
             {"entries", encode_entries(kind.entries)}}};
  }
  WrittenCertificate operator()(const FirstStep& kind) const {
    return {"first-step",
            {{"kind", "first-step"},
             {"over", name_of(kind.over)},
             {"selection", kind.selection},
             {"start", encode_point(kind.start, kind.over, kind.dimension)}},
            Json::object()};
  }
  WrittenCertificate operator()(const NotFirstStep& kind) const {
    return {"first-step",
            {{"kind", "not-first-step"},
             {"over", name_of(kind.over)},
             {"selection", kind.selection},
             {"start", encode_point(kind.start, kind.over, kind.dimension)},
             {"row", encode_row(kind.row)}},
            {{"by", kind.at_origin ? "origin" : "enclosure"}}};
  }
  WrittenCertificate operator()(const SvmBracket& kind) const { return write_bracket(kind); }
  WrittenCertificate operator()(const BracketedOptimum& kind) const { return write_bracket(kind); }
  WrittenCertificate operator()(const BracketedRival& kind) const { return write_bracket(kind); }
  WrittenCertificate operator()(const CurvatureBound& kind) const {
    Json forms = Json::array();
    for (const bool by_tokens : kind.by_tokens) forms.push_back(by_tokens ? "tokens" : "width");
    return {"step-size",
            {{"kind", "curvature-bound"}, {"over", name_of(kind.over)}, {"bound", encode(kind.bound)}},
            {{"interval", encode_interval(kind.interval)},
             {"cuts", encode(kind.cuts)},
             {"weights", encode(kind.weights)},
             {"forms", std::move(forms)},
             {"widths", encode(kind.widths)},
             {"spread", encode(kind.spread)}}};
  }
};

}  // namespace
}  // namespace attest::certified

namespace attest {

WrittenCertificate written(const Certificate& certificate) { return std::visit(certified::Codec(), certificate.kind()); }

}  // namespace attest
