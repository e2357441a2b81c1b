#include "case_arrays.hpp"

#include "attest/model/npy.hpp"
#include "json_reader.hpp"
#include "text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>

namespace attest {
namespace {

std::string numbers(std::size_t count) { return std::to_string(count) + (count == 1 ? " number" : " numbers"); }

/// {"file": "data.npz", "array": "X"}
struct ArrayName {
  std::string file;
  std::string array;

  std::string text() const { return printable(array.empty() ? file : file + ":" + array); }
};

bool names_a_file(const JsonValue& value) { return value.get<JsonValue::Object>() != nullptr; }

ArrayName read_name(const JsonValue& value, const JsonPlace& place) {
  constexpr std::array<std::string_view, 2> keys{"file", "array"};
  const JsonValue::Object& object = as_object(value, place, "an array's file");
  refuse_unknown_keys(object, keys, place);
  constexpr std::string_view expected_file = "the name of a .npy or .npz file";
  constexpr std::string_view expected_array = "the name of an array of the .npz file";
  ArrayName name;
  name.file = as_string(required_member(object, "file", place, expected_file), place.member("file"), expected_file);
  if (const JsonValue* array = find_member(object, "array")) {
    name.array = as_string(*array, place.member("array"), expected_array);
    if (name.array.empty()) fail(place.member("array"), "an empty text", std::string(expected_array));
  }
  if (std::filesystem::path(name.file).extension() == ".safetensors")
    fail(place.member("file"), "a .safetensors file", "a .npy or .npz file: `attest audit --save-case` writes such data into a case");
  if (name.array.empty() && std::filesystem::path(name.file).extension() == ".npz")
    fail(place, "no array", "array: " + std::string(expected_array));
  return name;
}

struct FileArray {
  std::string name;
  NumericArray content;
};

/// Every number of it is finite.
FileArray read_file(const JsonValue& value, const JsonPlace& place, const std::filesystem::path& folder) {
  const ArrayName name = read_name(value, place);
  auto result = read_array(folder / name.file, name.array);
  if (const auto* fault = std::get_if<ArrayFault>(&result))
    fail(place, printable(fault->found) + " (" + name.text() + ")", fault->expected);
  FileArray array{name.text(), std::get<NumericArray>(std::move(result))};
  if (array.content.booleans) fail(place, "numbers of type b1 (booleans) (" + name.text() + ")", "f2, f4, f8, i1 to i8 or u1 to u8");
  const std::vector<double>& values = array.content.values;
  const auto wrong = std::find_if(values.begin(), values.end(), [](double number) { return !std::isfinite(number); });
  if (wrong != values.end()) {
    const std::string where = index_text(array.content.shape, static_cast<std::size_t>(wrong - values.begin()));
    fail(place, (std::isnan(*wrong) ? "nan" : *wrong > 0 ? "inf" : "-inf") + (" at " + where + " of " + array.name), "finite numbers");
  }
  return array;
}

void expect_shape(const FileArray& array, const JsonPlace& place, const std::vector<std::size_t>& shape) {
  if (array.content.shape != shape)
    fail(place, "shape " + shape_text(array.content.shape) + " of " + array.name, "shape " + shape_text(shape));
}

std::vector<ExactMatrix> tokens_of_file(FileArray array, const JsonPlace& place) {
  const std::vector<std::size_t>& shape = array.content.shape;
  if (shape.size() != 3 || array.content.values.empty())
    fail(place, "shape " + shape_text(shape) + " of " + array.name, "shape (n, T, d): samples, tokens, numbers, each at least 1");
  const std::size_t size = shape[1] * shape[2];
  const auto numbers = std::make_shared<const std::vector<double>>(std::move(array.content.values));
  std::vector<ExactMatrix> samples;
  samples.reserve(shape[0]);
  for (std::size_t i = 0; i < shape[0]; ++i) samples.push_back(ExactMatrix::part_of(numbers, i * size, shape[1], shape[2]));
  return samples;
}

void append_row(std::vector<Rational>& values, const JsonValue& row, const JsonPlace& place, std::size_t size) {
  const std::string expected = "an array of " + numbers(size);
  const JsonValue::Array& items = as_array(row, place, expected);
  if (items.size() != size) fail(place, describe(row), expected);
  for (std::size_t i = 0; i < size; ++i) values.push_back(as_double_range(items[i], place.item(i)));
}

ExactMatrix read_rows(const JsonValue::Array& rows, const JsonPlace& place, std::size_t columns) {
  std::vector<Rational> values;
  values.reserve(rows.size() * columns);
  for (std::size_t i = 0; i < rows.size(); ++i) append_row(values, rows[i], place.item(i), columns);
  return ExactMatrix::from_rationals(rows.size(), columns, std::move(values));
}

constexpr std::string_view expected_tokens =
    "a non-empty array of samples, each a non-empty array of tokens, each a non-empty array of numbers";

/// d: the length of the first token; every other one must have it too.
std::size_t dimension_of(const JsonValue::Array& samples, const JsonPlace& place) {
  const JsonPlace first = place.item(0);
  const JsonValue::Array& tokens = as_list(samples.front(), first, "a non-empty array of tokens");
  return as_list(tokens.front(), first.item(0), "a non-empty array of numbers").size();
}

std::vector<ExactMatrix> tokens_written(const JsonValue& value, const JsonPlace& place) {
  const JsonValue::Array& samples = as_list(value, place, expected_tokens);
  const std::size_t dimension = dimension_of(samples, place);
  std::vector<ExactMatrix> matrices;
  matrices.reserve(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i)
    matrices.push_back(read_rows(as_list(samples[i], place.item(i), "a non-empty array of tokens"), place.item(i), dimension));
  return matrices;
}

std::vector<int> labels_of_file(const FileArray& array, const JsonPlace& place, std::size_t count) {
  expect_shape(array, place, {count});
  std::vector<int> labels;
  for (std::size_t i = 0; i < count; ++i) {
    const double label = array.content.values[i];
    if (label != 1.0 && label != -1.0) fail(place, to_string(exact_value(label)) + " at " + index_step(i) + " of " + array.name, "1 or -1");
    labels.push_back(label > 0.0 ? 1 : -1);
  }
  return labels;
}

}  // namespace

std::vector<ExactMatrix> CaseArrays::tokens(const JsonValue& value, const JsonPlace& place) const {
  return names_a_file(value) ? tokens_of_file(read_file(value, place, folder_), place) : tokens_written(value, place);
}

std::vector<int> CaseArrays::labels(const JsonValue& value, const JsonPlace& place, std::size_t count) const {
  if (names_a_file(value)) return labels_of_file(read_file(value, place, folder_), place, count);
  const std::string expected = "an array of " + std::to_string(count) + (count == 1 ? " label" : " labels") + ", one a sample";
  const JsonValue::Array& items = as_array(value, place, expected);
  if (items.size() != count) fail(place, describe(value), expected);
  std::vector<int> labels;
  for (std::size_t i = 0; i < count; ++i) {
    const Rational label = as_rational(items[i], place.item(i));
    if (abs(label) != 1) fail(place.item(i), describe(items[i]), "1 or -1");
    labels.push_back(label.sign());
  }
  return labels;
}

ExactMatrix CaseArrays::vector(const JsonValue& value, const JsonPlace& place, std::size_t size) const {
  if (names_a_file(value)) {
    FileArray array = read_file(value, place, folder_);
    expect_shape(array, place, {size});
    return ExactMatrix::from_doubles(1, size, std::move(array.content.values));
  }
  std::vector<Rational> values;
  append_row(values, value, place, size);
  return ExactMatrix::from_rationals(1, size, std::move(values));
}

ExactMatrix CaseArrays::matrix(const JsonValue& value, const JsonPlace& place, std::size_t rows, std::size_t columns) const {
  if (names_a_file(value)) {
    FileArray array = read_file(value, place, folder_);
    expect_shape(array, place, {rows, columns});
    return ExactMatrix::from_doubles(rows, columns, std::move(array.content.values));
  }
  const std::string expected = "an array of " + std::to_string(rows) + (rows == 1 ? " row" : " rows") + " of " + numbers(columns);
  const JsonValue::Array& items = as_array(value, place, expected);
  if (items.size() != rows) fail(place, describe(value), expected);
  return read_rows(items, place, columns);
}

}  // namespace attest
