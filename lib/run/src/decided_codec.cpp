#include "decided_codec.hpp"

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
          {"largest_margin_proved", decided.discoveries.largest_margin_proved}};
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
  return decided;
}

}  // namespace attest
