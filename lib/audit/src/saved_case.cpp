#include "attest/audit/saved_case.hpp"

#include "attest/base/verdict.hpp"
#include "entry.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace attest {
namespace {

namespace fs = std::filesystem;

/// A whole number that any reader of JSON keeps, or the rational as text.
Json exact_number(const Rational& number) {
  const Integer limit = Integer(1) << 53;
  if (denominator(number) == 1 && abs(numerator(number)) < limit) return numerator(number).convert_to<std::int64_t>();
  return to_string(number);
}

Json exact_row(const ExactMatrix& matrix, std::size_t row) {
  Json list = Json::array();
  for (std::size_t c = 0; c < matrix.columns(); ++c) list.push_back(exact_number(matrix.at(row, c)));
  return list;
}

Json exact_rows(const ExactMatrix& matrix) {
  Json list = Json::array();
  for (std::size_t r = 0; r < matrix.rows(); ++r) list.push_back(exact_row(matrix, r));
  return list;
}

struct EncodeParameter {
  Json operator()(const Rational& number) const { return exact_number(number); }
  Json operator()(const RationalInterval& interval) const { return {exact_number(interval.low), exact_number(interval.high)}; }
  Json operator()(const std::vector<RationalPoint>& points) const {
    Json list = Json::array();
    for (const RationalPoint& point : points) {
      Json entries = Json::array();
      for (const Rational& entry : point) entries.push_back(exact_number(entry));
      list.push_back(std::move(entries));
    }
    return list;
  }
  Json operator()(const Head&) const { throw std::logic_error("an audit plans no claim with a head"); }
  template <class Plain>
  Json operator()(const Plain& value) const {
    return value;
  }
};

/// The claim with what was found as what is expected. What the audit searched for is written down: verify need not search.
Json expectation(const ClaimRequest& request, const Json& entry) {
  Json claim = {{"claim", request.claim}};
  claim.update(encode_parameters(request));
  if (request.claim == "assumption-b") claim["selection"] = entry.at("selection");
  if (request.claim == "census" && entry.at("numbers").at("count") > 0) claim["selections"] = entry.at("numbers").at("selections");
  claim["expect"] = entry.at("verdict");
  claim["grade"] = entry.at("grade");
  return claim;
}

/// The data of an archive by their names in it, as seen from the case.
void name_arrays(Json& root, const DataSet& set, const fs::path& target) {
  const fs::path folder = fs::weakly_canonical(fs::absolute(target)).parent_path();
  const std::string file = fs::proximate(fs::weakly_canonical(fs::absolute(set.data.file)), folder).string();
  for (const auto& [field, array] : set.arrays) root[field] = {{"file", file}, {"array", array}};
}

void write_values(Json& root, const Problem& problem) {
  root["tokens"] = Json::array();
  for (const ExactMatrix& sample : problem.tokens) root["tokens"].push_back(exact_rows(sample));
  root["labels"] = problem.labels;
  if (problem.v) root["v"] = exact_row(*problem.v, 0);
  if (problem.W) root["W"] = exact_rows(*problem.W);
  if (problem.queries) root["queries"] = exact_rows(*problem.queries);
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

Json encode_parameters(const ClaimRequest& request) {
  Json parameters = Json::object();
  for (const auto& [name, value] : request.parameters) parameters[name] = std::visit(EncodeParameter{}, value);
  return parameters;
}

std::string saved_case(const DataSet& set, std::span<const Json> entries, const fs::path& target) {
  Json claims = Json::array();
  std::size_t undecided = 0;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (has_verdict(&entries[k], name_of(Verdict::undecided)))
      ++undecided;
    else
      claims.push_back(expectation(set.data.claims[k], entries[k]));
  }
  const std::string left_out = undecided == 0 ? "" : fmt::format(" Left out: {} that {} undecided.", undecided, undecided == 1 ? "was" : "were");
  Json root = {{"name", set.data.name},
               {"about", fmt::format("{}{}Written by attest audit: what it found is expected.{}", set.data.about, set.data.about.empty() ? "" : " ", left_out)}};
  if (!set.data.source.empty()) root["source"] = set.data.source;
  if (set.arrays.empty())
    write_values(root, set.data.problem);
  else
    name_arrays(root, set, target);
  root["claims"] = std::move(claims);
  return laid_out(root);
}

}  // namespace attest
