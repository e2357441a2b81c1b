#include "parameters_json.hpp"

#include "attest/claims/claim.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

Json encode_list(const std::vector<Rational>& numbers) {
  Json list = Json::array();
  for (const Rational& number : numbers) list.push_back(encode_exact(number));
  return list;
}

Json encode_lists(const std::vector<std::vector<Rational>>& rows) {
  Json list = Json::array();
  for (const auto& row : rows) list.push_back(encode_list(row));
  return list;
}

/// The matrices by rows.
Json encode_matrices(const std::vector<RationalPoint>& matrices) {
  Json list = Json::array();
  for (const RationalPoint& matrix : matrices) {
    const auto dimension = static_cast<std::ptrdiff_t>(std::lround(std::sqrt(matrix.size())));
    Json rows = Json::array();
    for (auto row = matrix.begin(); row != matrix.end(); row += dimension) rows.push_back(encode_list({row, row + dimension}));
    list.push_back(std::move(rows));
  }
  return list;
}

/// How a case names an activation; empty for a written one.
std::string activation_name(const std::optional<Expression>& activation) {
  if (!activation) return "relu";
  const std::string text = activation->text();
  return text == "tanh(u)" ? "tanh" : text == "(1+tanh(u/2))/2" ? "sigmoid" : "";
}

struct EncodeParameter {
  ParameterKind kind;

  Json operator()(const Rational& number) const { return encode_exact(number); }
  Json operator()(const RationalInterval& interval) const { return {encode_exact(interval.low), encode_exact(interval.high)}; }
  Json operator()(const std::vector<RationalPoint>& points) const {
    if (kind == ParameterKind::point) return encode_list(points.front());
    return kind == ParameterKind::matrices ? encode_matrices(points) : encode_lists(points);
  }
  /// A written function of v.x is one unit; the unit of tanh(u) is a network's as well.
  Json operator()(const Head& head) const {
    const std::string name = activation_name(head.activation);
    if (name.empty()) return {{"expression", head.activation->text()}};
    return {{"weights", encode_lists(head.weights)},
            {"activation", name},
            {"output", encode_list(head.output)},
            {"bias", encode_list(head.bias)}};
  }
  Json operator()(const TrainingRun& run) const { return {{"file", run.file}}; }
  template <class Plain>
  Json operator()(const Plain& value) const {
    return value;
  }
};

}  // namespace

Json encode_exact(const Rational& number) {
  const Integer limit = Integer(1) << 53;
  if (denominator(number) == 1 && abs(numerator(number)) < limit) return numerator(number).machine_word();
  return to_string(number);
}

Json encode_parameters(const ClaimRequest& request) {
  Json parameters = Json::object();
  const std::vector<ParameterSpec>& known = find_claim(request.claim)->schema.parameters;
  for (const auto& [name, value] : request.parameters)
    parameters[name] = std::visit(EncodeParameter{std::ranges::find(known, name, &ParameterSpec::name)->kind}, value);
  return parameters;
}

}  // namespace attest
