#include "audit_entry.hpp"

#include "optional_json.hpp"

namespace attest {
namespace {

Json shape_of(const Problem& problem) {
  Json counts = Json::array();
  for (const ExactMatrix& tokens : problem.tokens) counts.push_back(tokens.rows());
  return {{"n", problem.sample_count()}, {"T", std::move(counts)}, {"d", problem.dimension()}};
}

/// The optional parts that the data have.
Json given_of(const Problem& problem) {
  Json given = Json::array();
  if (problem.v) given.push_back("v");
  if (problem.W) given.push_back("W");
  if (problem.queries) given.push_back("queries");
  return given;
}

/// A list with an object for each of the values.
template <class Values, class Encode>
Json list_of(const Values& values, const Encode& encode) {
  Json list = Json::array();
  for (const auto& value : values) list.push_back(encode(value));
  return list;
}

Json encode_remark(const Remark& remark) {
  return {{"level", remark.level == Remark::Level::warning ? "warning" : "note"}, {"message", remark.message}};
}
Json encode_selection(const AuditedSelection& one) { return {{"selection", one.selection}, {"why", one.why}}; }
Json encode_advice(const Advice& advice) { return {{"theorem", advice.theorem}, {"message", advice.message}}; }
Json encode_skipped(const SkippedClaim& skipped) {
  return {{"claim", skipped.claim}, {"selection", skipped.selection ? Json(*skipped.selection) : Json()}, {"reason", skipped.reason}};
}

Json encode_share(const DestinationShare& one) {
  return {{"selection", or_null(one.selection)},
          {"name", one.name},
          {"start", one.radius == 0 ? Json("0") : Json(one.radius)},
          {"starts", one.starts},
          {"share", one.share},
          {"grade", name_of(one.grade)}};
}
Json encode_expected(const std::optional<Expectation>& expected) {
  Json list = Json::array();
  if (!expected) return list;
  for (const ExpectedError& one : expected->errors)
    list.push_back({{"name", expected->name},
                    {"norm", one.norm},
                    {"path_error", or_null(one.path_error)},
                    {"seen_error", or_null(one.seen_error)},
                    {"bound", or_null(one.bound)}});
  return list;
}
Json encode_rate(const std::optional<Expectation>& expected) {
  if (!expected || !expected->rate) return {};
  return {{"name", expected->name}, {"constant", expected->rate->constant}, {"from_norm", expected->rate->from_norm}};
}
Json encode_change(const std::optional<KeyChange>& change) {
  return change ? Json{{"theorems", change->theorems}, {"message", change->message}} : Json();
}
Json encode_names(const std::vector<NamedSelection>& names) {
  Json named = Json::object();
  for (const NamedSelection& one : names) named[one.name] = one.selection;
  return named;
}

}  // namespace

Json audit_entry(const Problem& problem, const AuditReport& report) {
  const Headline& headline = report.headline;
  return {{"headline", headline.sentence},
          {"destinations", list_of(headline.destinations, encode_share)},
          {"names", encode_names(headline.names)},
          {"expected", encode_expected(headline.expected)},
          {"rate", encode_rate(headline.expected)},
          {"change", encode_change(headline.change)},
          {"without_svm", headline.without_svm},
          {"relevant", report.relevant},
          {"shape", shape_of(problem)},
          {"given", given_of(problem)},
          {"loss", problem.loss.name().empty() ? problem.loss.expression().text() : problem.loss.name()},
          {"sanity", list_of(report.sanity, encode_remark)},
          {"selections", list_of(report.selections, encode_selection)},
          {"advice", list_of(report.advice, encode_advice)},
          {"skipped", list_of(report.skipped, encode_skipped)}};
}

}  // namespace attest
