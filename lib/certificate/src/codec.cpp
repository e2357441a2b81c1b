#include "attest/certificate/codec.hpp"

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

Json encode_rows(const ExactMatrix& matrix) {
  Json rows = Json::array();
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    Json row = Json::array();
    for (std::size_t c = 0; c < matrix.columns(); ++c) row.push_back(encode(matrix.at(r, c)));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json encode_problem(const Problem& problem) {
  Json tokens = Json::array();
  for (const ExactMatrix& sample : problem.tokens) tokens.push_back(encode_rows(sample));
  Json data = {{"tokens", std::move(tokens)}, {"labels", problem.labels}};
  if (problem.v) data["v"] = encode_rows(*problem.v).front();
  if (problem.W) data["W"] = encode_rows(*problem.W);
  if (problem.queries) data["queries"] = encode_rows(*problem.queries);
  if (problem.loss.name().empty())
    data["loss"] = {{"expression", problem.loss.expression().text()}};
  else
    data["loss"] = problem.loss.name();
  return data;
}

}  // namespace

Json encode(const Rational& value) { return to_string(value); }

Json encode(const std::vector<Rational>& values) {
  Json list = Json::array();
  for (const Rational& value : values) list.push_back(encode(value));
  return list;
}

Json encode(const Certificate& certificate, const Problem& problem) {
  WrittenCertificate text = written(certificate);
  return {{"attest_certificate", 1},
          {"claim", std::move(text.claim)},
          {"problem", encode_problem(problem)},
          {"statement", std::move(text.statement)},
          {"witness", std::move(text.witness)}};
}

}  // namespace attest
