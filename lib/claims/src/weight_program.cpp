#include "weight_program.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attest {

using Json = nlohmann::ordered_json;

Finding infeasible_weights(const SvmProgram& program, const SvmInfeasible& infeasible) {
  std::vector<std::size_t> rows;
  for (const Multiplier& multiplier : infeasible.multipliers) rows.push_back(multiplier.row);
  Finding finding;
  finding.selection = program.selection();
  finding.verdict = Verdict::fails;
  finding.grade = Grade::proved;
  finding.numbers["farkas_rows"] = encode_rows(program, rows);
  finding.message = fmt::format("infeasible: rows {} contradict each other", row_list(program, rows));
  finding.certificate =
      certify(certified::SvmInfeasible{program.kind(), program.selection(), certified_multipliers(program, infeasible.multipliers), {}});
  return finding;
}

Json matrix_rows(const Eigen::VectorXd& matrix) {
  const auto d = static_cast<Eigen::Index>(std::lround(std::sqrt(static_cast<double>(matrix.size()))));
  Json rows = Json::array();
  for (Eigen::Index r = 0; r < d; ++r) rows.push_back(std::vector<double>(matrix.data() + r * d, matrix.data() + (r + 1) * d));
  return rows;
}

Eigen::VectorXd entries_of(const Json& list) {
  const Json flat = list.flatten();
  Eigen::VectorXd entries(static_cast<Eigen::Index>(flat.size()));
  Eigen::Index k = 0;
  for (const Json& entry : flat) entries[k++] = entry.get<double>();
  return entries;
}

Json matrix_rows(const std::vector<Rational>& matrix, std::size_t d) {
  Json rows = Json::array();
  for (std::size_t r = 0; r < d; ++r) {
    Json row = Json::array();
    for (std::size_t c = 0; c < d; ++c) row.push_back(nearest_double(matrix[r * d + c]));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace attest
