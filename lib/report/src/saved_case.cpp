#include "attest/report/saved_case.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/base/verdict.hpp"
#include "attest/claims/claim.hpp"
#include "parameters_json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// The file as a case in that folder names it.
std::string seen_from(const fs::path& folder, const fs::path& file) {
  return fs::proximate(fs::weakly_canonical(fs::absolute(file)), folder).string();
}

Json exact_row(const ExactMatrix& matrix, std::size_t row) {
  Json list = Json::array();
  for (std::size_t c = 0; c < matrix.columns(); ++c) list.push_back(encode_exact(matrix.at(row, c)));
  return list;
}

Json exact_rows(const ExactMatrix& matrix) {
  Json list = Json::array();
  for (std::size_t r = 0; r < matrix.rows(); ++r) list.push_back(exact_row(matrix, r));
  return list;
}

/// Two digits, below the number by up to a tenth of it: a search on another machine may find a slightly smaller one.
std::string somewhat_less(double number) {
  constexpr double part = 0.95;  // two digits are within 5 %
  return fmt::format("{:.1e}", part * number);
}

/// The bracket with room for the rounding of another machine.
Json widened(double lower, double upper) {
  return {to_string(exact_value(lower * (1 - nuclear_gap_tolerance.relative))),
          to_string(exact_value(upper * (1 + nuclear_gap_tolerance.relative)))};
}

/// The numbers that a claim which holds is held to, as its parameters. What rests on exact arithmetic is demanded exactly.
void pin_numbers(Json& claim, const Json& entry) {
  const Json& numbers = entry.at("numbers");
  const Claim* known = find_claim(entry.at("claim").get<std::string>());
  const auto takes = [&](std::string_view parameter) {
    return known != nullptr &&
           std::ranges::find(known->schema.parameters, parameter, &ParameterSpec::name) != known->schema.parameters.end();
  };
  const auto pin = [&](const char* parameter, const char* number) {
    if (takes(parameter) && numbers.contains(number) && !numbers.at(number).is_null()) claim[parameter] = numbers.at(number);
  };
  if (claim.value("norm", "") == "nuclear") {
    if (numbers.contains("lower") && numbers.contains("upper")) claim["bracket"] = widened(numbers.at("lower"), numbers.at("upper"));
    return;  // its support is observed
  }
  /// Rows of a bracket are demanded where no other may be tight.
  const auto pin_rows = [&](const char* rows, const char* possible) {
    if (!numbers.contains(possible) || numbers.at(possible) == numbers.at(rows)) pin(rows, rows);
  };
  pin("objective", "objective_exact");
  pin_rows("support", "possible_support");
  pin_rows("neighbours", "possible_neighbours");
  pin("count", "count");
  if (takes("nu_lower") && numbers.contains("nu_lower") && numbers.at("nu_lower") > 0)
    claim["nu_lower"] = somewhat_less(numbers.at("nu_lower"));
}

/// The claim with what was found as what is expected. What the audit searched for is written down: verify need not search.
Json expectation(const ClaimRequest& request, const Json& entry) {
  Json claim = {{"claim", request.claim}};
  claim.update(encode_parameters(request));
  if (request.claim == "assumption-b" || request.claim == "globally-optimal") claim["selection"] = entry.at("selection");
  if (request.claim == "census" && entry.at("numbers").at("count") > 0) claim["selections"] = entry.at("numbers").at("selections");
  if (entry.at("verdict") == name_of(Verdict::holds)) pin_numbers(claim, entry);
  claim["expect"] = entry.at("verdict");
  claim["grade"] = entry.at("grade");
  return claim;
}

/// The data: by their names in an archive, as seen from the case, where it can name them, else by value.
void write_data(Json& root, const DataSet& set, const fs::path& target) {
  const auto folder = [&] { return fs::weakly_canonical(fs::absolute(target)).parent_path(); };
  const auto write = [&](const char* field, const auto& values) {
    const auto array = set.arrays.find(field);
    if (array == set.arrays.end())
      root[field] = values();
    else
      root[field] = {{"file", seen_from(folder(), set.data.file)}, {"array", array->second}};
  };
  const Problem& problem = set.data.problem;
  write("tokens", [&] {
    Json samples = Json::array();
    for (const ExactMatrix& sample : problem.tokens) samples.push_back(exact_rows(sample));
    return samples;
  });
  write("labels", [&] { return Json(problem.labels); });
  if (problem.v) write("v", [&] { return exact_row(*problem.v, 0); });
  if (problem.W) write("W", [&] { return exact_rows(*problem.W); });
  if (problem.queries) write("queries", [&] { return exact_rows(*problem.queries); });
  root["loss"] = problem.loss.name().empty() ? Json{{"expression", problem.loss.expression().text()}} : Json(problem.loss.name());
}

/// One line a field and one a claim: readable, and a change shows as a change of its line.
std::string laid_out(const Json& root) {
  std::string text = "{";
  for (const auto& [key, value] : root.items()) {
    text += fmt::format("{}\n  {}: ", text.size() > 1 ? "," : "", Json(key).dump());
    if (key != "claims") {
      text += value.dump();
      continue;
    }
    std::string claims;
    for (const Json& claim : value) claims += (claims.empty() ? "\n    " : ",\n    ") + claim.dump();
    text += "[" + claims + "]";
  }
  return text + "\n}\n";
}

}  // namespace

std::string saved_case(const DataSet& set, std::span<const Json> entries, const fs::path& target) {
  Json claims = Json::array();
  std::size_t undecided = 0;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (entries[k].at("verdict") == name_of(Verdict::undecided))
      ++undecided;
    else
      claims.push_back(expectation(set.data.claims[k], entries[k]));
  }
  const std::string left_out =
      undecided == 0 ? "" : fmt::format(" Left out: {} that {} undecided.", undecided, undecided == 1 ? "was" : "were");
  Json root = {{"name", set.data.name},
               {"about", fmt::format("{}{}Written by attest audit: what it found is expected.{}", set.data.about,
                                     set.data.about.empty() ? "" : " ", left_out)}};
  if (!set.data.source.empty()) root["source"] = set.data.source;
  write_data(root, set, target);
  root["data_sha256"] = digest_of(set.data.problem);
  root["claims"] = std::move(claims);
  return laid_out(root);
}

}  // namespace attest
