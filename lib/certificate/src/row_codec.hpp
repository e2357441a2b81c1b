#pragma once

#include "attest/certificate/codec.hpp"

namespace attest::certified {

using Json = nlohmann::ordered_json;
using Program = SvmProgram::Kind;

// Rows, multipliers and solutions as certificates write them.

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

}  // namespace attest::certified
