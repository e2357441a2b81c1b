#pragma once

#include "attest/certificate/codec.hpp"

namespace attest::certified {

using Json = nlohmann::ordered_json;
using Program = SvmProgram::Kind;

// What kinds of several families share, as certificates write it.

inline Json encode_row(const RowName& row, Program program = Program::p) {
  return program == Program::v ? Json::array({row.sample}) : Json::array({row.sample, row.token});
}

inline Json encode_rows(const std::vector<RowName>& rows, Program program = Program::p) {
  Json list = Json::array();
  for (const RowName& row : rows) list.push_back(encode_row(row, program));
  return list;
}

inline Json encode_multipliers(const Multipliers& multipliers, Program program = Program::p) {
  Json list = Json::array();
  for (const auto& [row, weight] : multipliers) {
    Json entry = encode_row(row, program);
    entry.push_back(encode(weight));
    list.push_back(std::move(entry));
  }
  return list;
}

/// {"w", "lambda"}; of the W-SVM {"lambda"}.
inline Json encode_solution(const Solution& solution, Program program = Program::p) {
  Json encoded = Json::object();
  if (program != Program::w) encoded["w"] = encode(solution.w);
  encoded["lambda"] = encode_multipliers(solution.lambda, program);
  return encoded;
}

inline const char* claim_of(Program program) {
  switch (program) {
    case Program::p: return "p-svm";
    case Program::v: return "v-svm";
    case Program::joint: return "joint-svm";
    case Program::w: return "w-svm";
  }
  return "";
}

/// Local optimality for W stands with the W-SVM.
inline const char* locality_of(Program program) { return program == Program::w ? "w-svm" : "locally-optimal"; }

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

inline Json encode_interval(const RationalInterval& interval) { return Json::array({encode(interval.low), encode(interval.high)}); }

inline const char* over_name(Parametrisation over) { return over == Parametrisation::weights ? "W" : "p"; }

/// A vector, or for W a matrix by rows.
inline Json encode_point(const std::vector<Rational>& entries, Parametrisation over, std::size_t dimension) {
  return over == Parametrisation::weights ? encode_matrix(entries, dimension, dimension) : encode(entries);
}

inline Json encode_lists(const std::vector<std::vector<Rational>>& lists) {
  Json encoded = Json::array();
  for (const auto& list : lists) encoded.push_back(encode(list));
  return encoded;
}

inline Json encode_loss(const LossBlock& loss) {
  return {{"interval", encode_interval(loss.interval)},
          {"slope_sup", encode(loss.slope_sup)},
          {"m0", encode(loss.m0)},
          {"m1", encode(loss.m1)},
          {"cuts", encode(loss.cuts)}};
}

}  // namespace attest::certified
