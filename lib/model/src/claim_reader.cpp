#include "claim_reader.hpp"

#include "attest/base/spelling.hpp"
#include "head_reader.hpp"
#include "json_reader.hpp"
#include "text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <stdexcept>

namespace attest {
namespace {

constexpr std::int64_t largest_count = 1'000'000'000'000;

std::optional<std::size_t> whole_number(const JsonValue& value) {
  const auto* number = value.get<JsonValue::Number>();
  if (number == nullptr) return std::nullopt;
  std::size_t whole = 0;
  const char* end = number->text.data() + number->text.size();
  const auto [stop, error] = std::from_chars(number->text.data(), end, whole);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return whole;
}

Selection read_selection(const JsonValue& value, const JsonPlace& place, const Problem& problem) {
  const std::size_t n = problem.sample_count();
  const std::string expected = "an array of " + std::to_string(n) + (n == 1 ? " token index" : " token indices") + ", one a sample";
  const JsonValue::Array& items = as_array(value, place, expected);
  if (items.size() != n) fail(place, describe(value), expected);
  Selection selection;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t tokens = problem.token_count(i);
    const std::optional<std::size_t> index = whole_number(items[i]);
    if (!index || *index >= tokens)
      fail(place.item(i), describe(items[i]),
           "a whole number from 0 to " + std::to_string(tokens - 1) + ", the index of a token of sample " + std::to_string(i));
    selection.push_back(*index);
  }
  return selection;
}

std::vector<Selection> read_selections(const JsonValue& value, const JsonPlace& place, const Problem& problem) {
  const JsonValue::Array& items = as_list(value, place, "a non-empty array of selections");
  std::vector<Selection> selections;
  for (std::size_t i = 0; i < items.size(); ++i) selections.push_back(read_selection(items[i], place.item(i), problem));
  return selections;
}

/// Each row once: [i, t], or [i] where a name has one index.
RowNames read_row_names(std::size_t indices, const JsonValue& value, const JsonPlace& place, const Problem& problem) {
  const std::string expected = indices == 1 ? "a sample [i]" : "a token [i, t]";
  const JsonValue::Array& items = as_array(value, place, "an array of rows, each " + expected);
  RowNames rows;
  for (std::size_t k = 0; k < items.size(); ++k) {
    std::vector<std::size_t> row;
    for (const JsonValue& item : as_array(items[k], place.item(k), expected)) {
      const std::optional<std::size_t> index = whole_number(item);
      const std::size_t limit = row.empty() ? problem.sample_count() : problem.token_count(row.front());
      if (!index || *index >= limit || row.size() == indices) fail(place.item(k), describe(items[k]), expected + " of the data");
      row.push_back(*index);
    }
    if (row.size() != indices || std::find(rows.begin(), rows.end(), row) != rows.end())
      fail(place.item(k), describe(items[k]), expected + " of the data that is not listed before");
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Above the bound also as a double: the solvers would take 1e-400 for 0.
Rational read_above(int bound, const JsonValue& value, const JsonPlace& place) {
  const Rational number = as_double_range(value, place);
  if (!(nearest_double(number) > bound)) fail(place, describe(value), "a number above " + std::to_string(bound));
  return number;
}

std::int64_t read_count(int least, const JsonValue& value, const JsonPlace& place) {
  const std::string expected = "a whole number from " + std::to_string(least) + " to 10^12";
  if (value.get<JsonValue::Number>() == nullptr) fail(place, describe(value), expected);
  const Rational number = as_rational(value, place);
  if (denominator(number) != 1 || number < least || number > largest_count) fail(place, describe(value), expected);
  return numerator(number).machine_word();
}

RationalInterval read_interval(const JsonValue& value, const JsonPlace& place) {
  constexpr std::string_view expected = "[low, high] with low <= high";
  const JsonValue::Array& items = as_array(value, place, expected);
  if (items.size() != 2) fail(place, describe(value), std::string(expected));
  const RationalInterval interval{as_rational(items[0], place.item(0)), as_rational(items[1], place.item(1))};
  if (interval.low > interval.high) fail(place, "[" + describe(items[0]) + ", " + describe(items[1]) + "]", std::string(expected));
  return interval;
}

RationalPoint read_point(const JsonValue& value, const JsonPlace& place, std::size_t dimension) {
  const std::string expected = "an array of " + std::to_string(dimension) + (dimension == 1 ? " number" : " numbers");
  const JsonValue::Array& items = as_array(value, place, expected);
  if (items.size() != dimension) fail(place, describe(value), expected);
  RationalPoint point;
  for (std::size_t i = 0; i < dimension; ++i) point.push_back(as_double_range(items[i], place.item(i)));
  return point;
}

std::vector<RationalPoint> read_points(const JsonValue& value, const JsonPlace& place, std::size_t dimension) {
  const JsonValue::Array& items = as_list(value, place, "a non-empty array of points");
  std::vector<RationalPoint> points;
  for (std::size_t i = 0; i < items.size(); ++i) points.push_back(read_point(items[i], place.item(i), dimension));
  return points;
}

/// [1, 0], or [[1, 0]] as lists of points are written.
std::vector<RationalPoint> read_one_point(const JsonValue& value, const JsonPlace& place, std::size_t dimension) {
  const auto* items = value.get<JsonValue::Array>();
  const bool listed = items != nullptr && items->size() == 1 && (*items)[0].get<JsonValue::Array>() != nullptr;
  return {listed ? read_point((*items)[0], place.item(0), dimension) : read_point(value, place, dimension)};
}

std::vector<RationalPoint> read_matrices(const JsonValue& value, const JsonPlace& place, std::size_t dimension) {
  const JsonValue::Array& items = as_list(value, place, "a non-empty array of matrices");
  const std::string expected = "an array of " + std::to_string(dimension) + (dimension == 1 ? " row" : " rows");
  std::vector<RationalPoint> matrices;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const JsonValue::Array& rows = as_array(items[i], place.item(i), expected);
    if (rows.size() != dimension) fail(place.item(i), describe(items[i]), expected);
    RationalPoint& matrix = matrices.emplace_back();
    for (std::size_t r = 0; r < dimension; ++r) {
      const RationalPoint row = read_point(rows[r], place.item(i).item(r), dimension);
      matrix.insert(matrix.end(), row.begin(), row.end());
    }
  }
  return matrices;
}

std::string read_choice(const JsonValue& value, const JsonPlace& place, std::span<const std::string_view> choices) {
  const std::string* word = value.get<std::string>();
  if (word == nullptr || std::find(choices.begin(), choices.end(), *word) == choices.end())
    fail(place, describe(value), one_of(choices, word == nullptr ? "" : *word));
  return *word;
}

bool read_flag(const JsonValue& value, const JsonPlace& place) {
  const bool* flag = value.get<bool>();
  if (flag == nullptr) fail(place, describe(value), "true or false");
  return *flag;
}

/// {"file": "run.npz"}, relative to the folder.
TrainingRun read_run(const JsonValue& value, const JsonPlace& place, const Problem& problem, const std::filesystem::path& folder) {
  constexpr std::array<std::string_view, 1> keys{"file"};
  const JsonValue::Object& object = as_object(value, place, "an object such as {\"file\": \"run.npz\"}");
  refuse_unknown_keys(object, keys, place);
  constexpr std::string_view expected = "the name of a .npz file";
  const std::string& file = as_string(required_member(object, "file", place, expected), place.member("file"), expected);
  auto read = read_training_run(folder / file, file, problem);
  if (const auto* fault = std::get_if<InputFault>(&read))
    fail(place, fault->found + " (" + printable(fault->path.empty() ? file : file + ":" + fault->path) + ")", fault->expected);
  return std::get<TrainingRun>(std::move(read));
}

ParameterValue read_parameter(const ParameterSpec& spec, const JsonValue& value, const JsonPlace& place, const Problem& problem,
                              const std::filesystem::path& folder) {
  switch (spec.kind) {
    case ParameterKind::selection: return read_selection(value, place, problem);
    case ParameterKind::rational: return as_rational(value, place);
    case ParameterKind::positive: return read_above(0, value, place);
    case ParameterKind::above_one: return read_above(1, value, place);
    case ParameterKind::count: return read_count(1, value, place);
    case ParameterKind::whole: return read_count(0, value, place);
    case ParameterKind::interval: return read_interval(value, place);
    case ParameterKind::choice: return read_choice(value, place, spec.choices);
    case ParameterKind::flag: return read_flag(value, place);
    case ParameterKind::point: return read_one_point(value, place, problem.dimension());
    case ParameterKind::points: return read_points(value, place, problem.dimension());
    case ParameterKind::matrices: return read_matrices(value, place, problem.dimension());
    case ParameterKind::selections: return read_selections(value, place, problem);
    case ParameterKind::rows: return read_row_names(2, value, place, problem);
    case ParameterKind::samples: return read_row_names(1, value, place, problem);
    case ParameterKind::head: return read_head(value, place, problem);
    case ParameterKind::run: return read_run(value, place, problem, folder);
  }
  throw std::logic_error("read_parameter: no such kind");
}

const ClaimSchema& find_schema(const JsonValue::Object& entry, const JsonPlace& place, std::span<const ClaimSchema> schemas) {
  std::vector<std::string_view> names;
  for (const ClaimSchema& schema : schemas) names.push_back(schema.name);
  const std::string name = read_choice(required_member(entry, "claim", place, "the name of a claim"), place.member("claim"), names);
  return *std::find_if(schemas.begin(), schemas.end(), [&](const ClaimSchema& schema) { return schema.name == name; });
}

void refuse_unknown_parameters(const JsonValue::Object& entry, const JsonPlace& place, const ClaimSchema& schema) {
  std::vector<std::string_view> keys{"claim", "expect", "grade"};
  for (const ParameterSpec& spec : schema.parameters) keys.push_back(spec.name);
  refuse_unknown_keys(entry, keys, place);
}

bool has_field(const Problem& problem, std::string_view field) {
  if (field == "v") return problem.v.has_value();
  throw std::logic_error("a claim needs " + std::string(field) + ", which no case can have");
}

void require_needs(const ClaimSchema& schema, const ClaimRequest& request, const JsonPlace& place, const Problem& problem) {
  for (const Need& need : schema.needs) {
    if (has_field(problem, need.field)) continue;
    if (request.parameters.contains(need.unless)) continue;
    const std::string field(need.field);
    const std::string instead = need.unless.empty() ? "" : ", or the parameter `" + std::string(need.unless) + "`";
    fail(place, "no " + field, field + " in the case, since the claim `" + request.claim + "` needs it" + instead);
  }
}

void require_pairs(const ClaimSchema& schema, const ClaimRequest& request, const JsonPlace& place) {
  if (!schema.paired) return;
  const auto* list = request.find<std::vector<Selection>>(schema.paired->list);
  if (list == nullptr) return;
  const auto* with = request.find<std::vector<RationalPoint>>(schema.paired->with);
  const std::size_t wanted = with == nullptr ? 0 : with->size();
  if (list->size() != wanted)
    fail(place.member(schema.paired->list), "an array of " + std::to_string(list->size()),
         wanted == 0 ? "`" + std::string(schema.paired->with) + "` beside it"
                     : "one entry for each of the " + std::to_string(wanted) + " `" + std::string(schema.paired->with) + "`");
}

template <class Word>
Word read_word(const JsonValue& value, const JsonPlace& place, std::optional<Word> (*parse)(std::string_view), std::string_view expected) {
  const std::optional<Word> word = parse(as_string(value, place, expected));
  if (!word) fail(place, describe(value), std::string(expected));
  return *word;
}

ClaimRequest read_claim(const JsonValue& value, const JsonPlace& place, std::span<const ClaimSchema> schemas, const Problem& problem,
                        const std::filesystem::path& folder) {
  const JsonValue::Object& entry = as_object(value, place, "an object such as {\"claim\": …}");
  const ClaimSchema& schema = find_schema(entry, place, schemas);
  refuse_unknown_parameters(entry, place, schema);
  ClaimRequest request;
  request.claim = schema.name;
  if (const JsonValue* expect = find_member(entry, "expect"))
    request.expect = read_word(*expect, place.member("expect"), parse_verdict, "holds, fails, undecided or inapplicable");
  if (const JsonValue* grade = find_member(entry, "grade"))
    request.grade = read_word(*grade, place.member("grade"), parse_grade, "observed or proved");
  for (const ParameterSpec& spec : schema.parameters) {
    const JsonValue* given = find_member(entry, spec.name);
    if (given != nullptr)
      request.parameters.emplace(spec.name, read_parameter(spec, *given, place.member(spec.name), problem, folder));
    else if (spec.required)
      fail(place, "no " + std::string(spec.name), std::string(spec.name) + ", which the claim `" + request.claim + "` requires");
  }
  require_needs(schema, request, place, problem);
  require_pairs(schema, request, place);
  return request;
}

}  // namespace

std::vector<ClaimRequest> read_claims(const JsonValue& value, const JsonPlace& place, std::span<const ClaimSchema> schemas,
                                      const Problem& problem, const std::filesystem::path& folder) {
  const JsonValue::Array& items = as_list(value, place, "a non-empty array of claims: `attest verify` needs at least one");
  std::vector<ClaimRequest> requests;
  for (std::size_t i = 0; i < items.size(); ++i) requests.push_back(read_claim(items[i], place.item(i), schemas, problem, folder));
  return requests;
}

}  // namespace attest
