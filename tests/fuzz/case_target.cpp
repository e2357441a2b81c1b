// The case reader, with claims that use every kind of parameter. What it accepts the checker must read as the same data: else no
// certificate could be checked against that case.
#include "attest/model/case_file.hpp"
#include "case_data.hpp"
#include "same_number.hpp"
#include "target.hpp"

#include <vector>

namespace {

using namespace attest;

std::vector<ClaimSchema> schemas() {
  using enum ParameterKind;
  const auto parameter = [](std::string_view name, ParameterKind kind) { return ParameterSpec{name, kind, false, "", {}}; };
  return {{"p-svm", {{"selection", selection, true, "", {}}, parameter("objective", rational), parameter("support", rows)}, {}},
          {"descent",
           {parameter("step", positive),
            parameter("iterations", count),
            parameter("starts", points),
            parameter("from", matrices),
            parameter("reaches", selections),
            parameter("head", head),
            parameter("q", above_one),
            parameter("count", whole),
            {"method", choice, false, "", {"normalised", "constant", "flow"}}},
           {{"v", ""}},
           PairedLists{"reaches", "starts"}},
          {"assumption-a", {parameter("interval", interval), parameter("exact", flag), parameter("samples", samples)}, {{"v", "interval"}}},
          {"trajectory", {parameter("run", run)}, {}},
          {"census", {}, {}}};
}

bool same(const ExactMatrix& matrix, std::size_t row, const check::ScaledVector& vector) {
  if (matrix.columns() != vector.size()) return false;
  for (std::size_t k = 0; k < vector.size(); ++k)
    if (!fuzz::same(matrix.at(row, k), vector[k])) return false;
  return true;
}

bool same(const ExactMatrix& matrix, const std::vector<check::ScaledVector>& rows) {
  if (matrix.rows() != rows.size()) return false;
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (!same(matrix, k, rows[k])) return false;
  return true;
}

bool same(const std::optional<ExactMatrix>& matrix, const std::optional<std::vector<check::ScaledVector>>& rows) {
  return matrix.has_value() == rows.has_value() && (!matrix || same(*matrix, *rows));
}

void require_same(const Problem& problem, const check::Problem& again) {
  fuzz::require(problem.labels == again.labels && problem.tokens.size() == again.tokens.size(), "both read as many samples");
  for (std::size_t i = 0; i < problem.tokens.size(); ++i)
    fuzz::require(same(problem.tokens[i], again.tokens[i]), "both read the same tokens");
  fuzz::require(problem.v.has_value() == again.v.has_value() && (!problem.v || same(*problem.v, 0, *again.v)), "both read the same v");
  fuzz::require(same(problem.W, again.W) && same(problem.queries, again.queries), "both read the same W and queries");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const fuzz::Scratch scratch;
  static const std::vector<ClaimSchema> known = schemas();
  const auto file = scratch.write("case.json", fuzz::text_of(bytes, size));
  const auto read = read_case(file, known);
  const auto data = read_data(file);
  if (const auto* fault = std::get_if<InputFault>(&data)) fuzz::require_clear(to_string(*fault));
  if (const auto* fault = std::get_if<InputFault>(&read)) {
    fuzz::require_clear(to_string(*fault));
    return 0;
  }
  fuzz::require(std::holds_alternative<DataSet>(data), "the data of a case that is read are read");
  try {
    require_same(std::get<Case>(read).problem, check::read_case(file));
  } catch (const check::Rejected& why) {
    fuzz::require(false, std::string("the checker reads what the library reads: ") + why.what());
  }
  return 0;
}
