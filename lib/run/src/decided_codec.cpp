#include "decided_codec.hpp"

#include "optional_json.hpp"

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

// Both processes are the same program: the number of an enumerator means the same to both.
template <class Enum>
int number_of(Enum value) {
  return static_cast<int>(value);
}

template <class Enum>
Enum enumerator(const Json& number) {
  return static_cast<Enum>(number.get<int>());
}

Json encode_hypothesis(const DecidedHypothesis& one) {
  return {{"id", number_of(one.id)}, {"verdict", number_of(one.verdict)}, {"message", one.message}, {"obstacle", number_of(one.obstacle)}};
}

DecidedHypothesis decode_hypothesis(const Json& one) {
  return {enumerator<HypothesisId>(one.at("id")), enumerator<Verdict>(one.at("verdict")), one.at("message").get<std::string>(),
          enumerator<Obstacle>(one.at("obstacle"))};
}

std::optional<double> number_or_none(const Json& value) { return value.is_null() ? std::nullopt : std::optional(value.get<double>()); }

Json encode_destinations(const Destinations& from) {
  Json reached = Json::array();
  for (const ReachedSelection& one : from.reached) reached.push_back({one.selection, one.runs, one.proved});
  Json expected = Json::array();
  for (const ExpectedError& one : from.expected)
    expected.push_back({one.norm, or_null(one.path_error), or_null(one.seen_error), or_null(one.bound)});
  return {{"radius", from.radius},
          {"starts", from.starts},
          {"reached", std::move(reached)},
          {"undecided", from.undecided},
          {"why", from.why_undecided},
          {"expected", std::move(expected)},
          {"rate", from.rate ? Json{from.rate->constant, from.rate->from_norm} : Json()}};
}

Destinations decode_destinations(const Json& one) {
  Destinations from{one.at("radius").get<double>(), one.at("starts").get<std::size_t>()};
  for (const Json& reached : one.at("reached"))
    from.reached.push_back({reached.at(0).get<Selection>(), reached.at(1).get<std::size_t>(), reached.at(2).get<std::size_t>()});
  from.undecided = one.at("undecided").get<std::size_t>();
  from.why_undecided = one.at("why").get<std::string>();
  for (const Json& expected : one.at("expected"))
    from.expected.push_back(
        {expected.at(0).get<double>(), number_or_none(expected.at(1)), number_or_none(expected.at(2)), number_or_none(expected.at(3))});
  if (const Json& rate = one.at("rate"); !rate.is_null()) from.rate = ProvedRate{rate.at(0).get<double>(), rate.at(1).get<double>()};
  return from;
}

}  // namespace

Json encode_decided(const DecidedClaim& decided) {
  Json hypotheses = Json::array();
  for (const DecidedHypothesis& one : decided.hypotheses) hypotheses.push_back(encode_hypothesis(one));
  return {{"verdict", number_of(decided.verdict)},
          {"grade", number_of(decided.grade)},
          {"message", decided.message},
          {"selection", decided.selection ? Json(*decided.selection) : Json()},
          {"hypotheses", std::move(hypotheses)},
          {"locally_optimal", decided.discoveries.locally_optimal},
          {"largest_margin_proved", decided.discoveries.largest_margin_proved},
          {"dropped_samples", or_null(decided.discoveries.dropped_samples)},
          {"destinations", decided.destinations ? encode_destinations(*decided.destinations) : Json()}};
}

DecidedClaim decode_decided(const ClaimRequest& request, const Json& message) {
  DecidedClaim decided{request.claim, request.parameters};
  decided.verdict = enumerator<Verdict>(message.at("verdict"));
  decided.grade = enumerator<Grade>(message.at("grade"));
  decided.message = message.at("message").get<std::string>();
  if (!message.at("selection").is_null()) decided.selection = message.at("selection").get<Selection>();
  for (const Json& one : message.at("hypotheses")) decided.hypotheses.push_back(decode_hypothesis(one));
  decided.discoveries.locally_optimal = message.at("locally_optimal").get<std::vector<Selection>>();
  decided.discoveries.largest_margin_proved = message.at("largest_margin_proved").get<bool>();
  if (const Json& dropped = message.at("dropped_samples"); !dropped.is_null())
    decided.discoveries.dropped_samples = dropped.get<std::vector<std::size_t>>();
  if (!message.at("destinations").is_null()) decided.destinations = decode_destinations(message.at("destinations"));
  return decided;
}

}  // namespace attest
