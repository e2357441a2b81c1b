#include "attest/certificate/codec.hpp"

#include <utility>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

/// [x,y,…] of `count` things, each written by `write`.
template <class Write>
void write_list(std::size_t count, const TextSink& sink, Write write) {
  for (std::size_t k = 0; k < count; ++k) {
    sink(k == 0 ? "[" : ",");
    write(k);
  }
  sink(count == 0 ? "[]" : "]");
}

void write_row(const ExactMatrix& matrix, std::size_t row, const TextSink& sink) {
  write_list(matrix.columns(), sink, [&](std::size_t c) { sink("\"" + to_string(matrix.at(row, c)) + "\""); });
}

void write_rows(const ExactMatrix& matrix, const TextSink& sink) {
  write_list(matrix.rows(), sink, [&](std::size_t r) { write_row(matrix, r, sink); });
}

void write_problem(const Problem& problem, const TextSink& sink) {
  sink("{\"tokens\":");
  write_list(problem.sample_count(), sink, [&](std::size_t i) { write_rows(problem.tokens[i], sink); });
  sink(",\"labels\":" + Json(problem.labels).dump());
  if (problem.v) {
    sink(",\"v\":");
    write_row(*problem.v, 0, sink);
  }
  for (const auto& [name, matrix] : {std::pair("W", &problem.W), std::pair("queries", &problem.queries)}) {
    if (!*matrix) continue;
    sink(std::string(",\"") + name + "\":");
    write_rows(**matrix, sink);
  }
  const Json loss = problem.loss.name().empty() ? Json{{"expression", problem.loss.expression().text()}} : Json(problem.loss.name());
  sink(",\"loss\":" + loss.dump() + "}");
}

}  // namespace

Json encode(const Rational& value) { return to_string(value); }

Json encode(const std::vector<Rational>& values) {
  Json list = Json::array();
  for (const Rational& value : values) list.push_back(encode(value));
  return list;
}

void write_text(const Certificate& certificate, const Problem& problem, const TextSink& sink) {
  const WrittenCertificate text = written(certificate);
  sink("{\"attest_certificate\":1,\"claim\":" + Json(text.claim).dump() + ",\"problem\":");
  write_problem(problem, sink);
  sink(",\"statement\":" + text.statement.dump() + ",\"witness\":" + text.witness.dump() + "}");
}

std::string text_of(const Certificate& certificate, const Problem& problem) {
  std::string text;
  write_text(certificate, problem, [&](std::string_view part) { text += part; });
  return text;
}

}  // namespace attest
