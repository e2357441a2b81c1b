#include "attest/report/descriptor.hpp"

#include <sstream>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

Json encode_part(const ParameterSpec& parameter) {
  Json encoded = {{"name", parameter.name},
                  {"kind", name_of(parameter.kind)},
                  {"values", values_of(parameter)},
                  {"about", parameter.about},
                  {"required", parameter.required}};
  if (!parameter.choices.empty()) encoded["choices"] = parameter.choices;
  if (!parameter.fallback.empty()) encoded["default"] = parameter.fallback;
  return encoded;
}

Json encode_part(const Need& need) {
  Json encoded = {{"field", need.field}};
  if (!need.unless.empty()) encoded["unless"] = need.unless;
  return encoded;
}

Json encode_part(const NumberSpec& number) { return {{"name", number.name}, {"about", number.about}}; }

Json encode_part(HypothesisId id) { return name_of(id); }

template <class List>
Json encode_parts(const List& list) {
  Json encoded = Json::array();
  for (const auto& entry : list) encoded.push_back(encode_part(entry));
  return encoded;
}

Json encode_paragraphs(std::string_view text) {
  Json list = Json::array();
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) list.push_back(line);
  return list;
}

}  // namespace

std::string_view name_of(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::selection: return "selection";
    case ParameterKind::rational: return "rational";
    case ParameterKind::positive: return "positive";
    case ParameterKind::above_one: return "above-one";
    case ParameterKind::count: return "count";
    case ParameterKind::interval: return "interval";
    case ParameterKind::choice: return "choice";
    case ParameterKind::flag: return "flag";
    case ParameterKind::point: return "point";
    case ParameterKind::points: return "points";
    case ParameterKind::matrices: return "matrices";
    case ParameterKind::selections: return "selections";
    case ParameterKind::head: return "head";
    case ParameterKind::whole: return "whole";
    case ParameterKind::rows: return "rows";
    case ParameterKind::samples: return "samples";
    case ParameterKind::run: return "run";
  }
  return {};
}

std::string_view name_of(AuditSection section) {
  switch (section) {
    case AuditSection::assumptions: return "assumptions";
    case AuditSection::optima: return "optima";
    case AuditSection::svms: return "svms";
    case AuditSection::theorems: return "theorems";
    case AuditSection::numerics: return "numerics";
  }
  return {};
}

std::string values_of(const ParameterSpec& parameter) {
  switch (parameter.kind) {
    case ParameterKind::selection: return "a list of token indices, one a sample";
    case ParameterKind::rational: return "a number";
    case ParameterKind::positive: return "a number above 0";
    case ParameterKind::above_one: return "a number above 1";
    case ParameterKind::count: return "a whole number from 1 to 10^12";
    case ParameterKind::interval: return "[low, high] with low <= high";
    case ParameterKind::choice: break;
    case ParameterKind::flag: return "true or false";
    case ParameterKind::point: return "a vector of d numbers";
    case ParameterKind::points: return "a list of vectors of d numbers";
    case ParameterKind::matrices: return "a list of d x d matrices, each by rows";
    case ParameterKind::selections: return "a list of selections";
    case ParameterKind::head: return "a head";
    case ParameterKind::whole: return "a whole number from 0 to 10^12";
    case ParameterKind::rows: return "a list of tokens [i, t]";
    case ParameterKind::samples: return "a list of samples [i]";
    case ParameterKind::run: return "{\"file\": F}, F a .npz with p, W, or K and Q";
  }
  std::string words;
  for (std::size_t k = 0; k < parameter.choices.size(); ++k)
    words += (k == 0 ? "" : k + 1 == parameter.choices.size() ? " or " : ", ") + std::string(parameter.choices[k]);
  return words;
}

Json encode_descriptors(std::span<const Claim> claims) {
  Json list = Json::array();
  for (const Claim& claim : claims)
    list.push_back({{"name", claim.schema.name},
                    {"title", claim.title},
                    {"summary", claim.summary},
                    {"source", claim.source},
                    {"words", claim.words},
                    {"formula", claim.formula},
                    {"text", encode_paragraphs(claim.text)},
                    {"parameters", encode_parts(claim.schema.parameters)},
                    {"needs", encode_parts(claim.schema.needs)},
                    {"numbers", encode_parts(claim.numbers)},
                    {"hypotheses", encode_parts(claim.hypotheses)},
                    {"section", name_of(claim.section)}});
  return list;
}

}  // namespace attest
