#include "weight_program.hpp"

#include <fmt/format.h>

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
  finding.certificate = Certificate{"w-svm",
                                    {{"kind", "svm-infeasible"}, {"selection", program.selection()}},
                                    {{"lambda", encode_multipliers(program, infeasible.multipliers)}}};
  return finding;
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
