#include "data_archive.hpp"

#include "archive.hpp"
#include "attest/model/npy.hpp"
#include "attest/model/problem_fault.hpp"
#include "json_tree.hpp"
#include "text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>

namespace attest {
namespace {

constexpr std::array<std::string_view, 8> known{"X", "Y", "v", "W", "Z", "lengths", "mask", "relevant"};
constexpr const char* how_to_write_data = "numpy.savez(\"data.npz\", X=X, Y=Y, v=v)";

using Shape = std::vector<std::size_t>;

[[noreturn]] void fail(std::string_view array, std::string found, std::string expected) {
  throw CaseFault{std::string(array), std::move(found), std::move(expected)};
}

std::string number_text(double number) {
  return std::isnan(number) ? "nan" : std::isinf(number) ? (number > 0 ? "inf" : "-inf") : to_string(exact_value(number));
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + printable(name);
  return text;
}

class ArchiveReader {
 public:
  ArchiveReader(const std::filesystem::path& file, LabelCoding labels) : file_(file), coding_(labels), names_(archive_arrays(file)) {}

  DataSet read(std::string name) {
    DataSet set;
    set.data.name = std::move(name);
    set.data.file = file_;
    Problem& problem = set.data.problem;
    read_tokens(problem);
    read_labels(problem);
    const std::size_t n = problem.sample_count();
    const std::size_t d = problem.dimension();
    if (has("v")) problem.v = matrix("v", {d}, "v");
    if (has("W")) problem.W = matrix("W", {d, d}, "W");
    if (has("Z")) problem.queries = matrix("Z", {n, d}, "queries");
    if (has("relevant")) set.relevant = relevant(problem);
    if (const auto fault = fault_of(problem)) throw CaseFault{fault->path, fault->found, fault->expected};
    set.arrays = fields_;
    note_others(set);
    return set;
  }

 private:
  bool has(std::string_view array) const { return std::ranges::find(names_, array) != names_.end(); }

  NumericArray array_of(const std::string& name) const {
    if (!has(name))
      fail(name, "no such array",
           "an array " + name + " beside " + (names_.empty() ? "nothing" : listed(names_)) + ": " + how_to_write_data);
    auto result = read_array(file_, name);
    if (const auto* fault = std::get_if<ArrayFault>(&result)) fail(name, printable(fault->found), fault->expected);
    return std::get<NumericArray>(std::move(result));
  }

  static void expect_shape(std::string_view name, const NumericArray& array, const Shape& shape) {
    if (array.shape == shape) return;
    const auto size = [](const Shape& sides) { return std::accumulate(sides.begin(), sides.end(), std::size_t{1}, std::multiplies{}); };
    const std::string fix =
        size(array.shape) == size(shape) ? ": " + std::string(name) + " = " + std::string(name) + ".reshape" + shape_text(shape) : "";
    fail(name, "shape " + shape_text(array.shape), "shape " + shape_text(shape) + fix);
  }

  static void refuse_booleans(std::string_view name, const NumericArray& array) {
    if (array.booleans) fail(name, "booleans", "numbers");
  }

  /// What a case may name as it is: checkers read .npz alone.
  void may_be_named(std::string_view field, const std::string& array) {
    if (file_.extension() == ".npz") fields_.emplace(field, array);
  }

  ExactMatrix matrix(const std::string& name, const Shape& shape, std::string_view field) {
    NumericArray array = array_of(name);
    expect_shape(name, array, shape);
    refuse_booleans(name, array);
    for (std::size_t k = 0; k < array.values.size(); ++k)
      if (!std::isfinite(array.values[k])) fail(name, number_text(array.values[k]) + " at " + index_text(shape, k), "finite numbers");
    may_be_named(field, name);
    return ExactMatrix::from_doubles(shape.size() == 1 ? 1 : shape[0], shape.back(), std::move(array.values));
  }

  void read_tokens(Problem& problem) {
    NumericArray array = array_of("X");
    const Shape& shape = array.shape;
    if (shape.size() != 3 || array.values.empty())
      fail("X", "shape " + shape_text(shape),
           std::string("shape (n, T, d): samples, tokens, numbers, each at least 1") +
               (shape.size() == 2 && !array.values.empty() ? "; of one sample: X = X[None]" : ""));
    refuse_booleans("X", array);
    const Shape counts = token_counts(shape[0], shape[1]);
    const auto numbers = std::make_shared<const std::vector<double>>(std::move(array.values));
    for (std::size_t i = 0; i < shape[0]; ++i) {
      const std::size_t start = i * shape[1] * shape[2];
      const std::size_t size = counts[i] * shape[2];
      for (std::size_t k = start; k < start + size; ++k)
        if (!std::isfinite((*numbers)[k])) fail("X", number_text((*numbers)[k]) + " at " + index_text(shape, k), "finite numbers");
      problem.tokens.push_back(ExactMatrix::part_of(numbers, start, counts[i], shape[2]));
    }
    if (!has("lengths") && !has("mask")) may_be_named("tokens", "X");
  }

  /// How many of each sample's T tokens there are: what is beyond is padding, whatever stands there.
  Shape token_counts(std::size_t n, std::size_t T) const {
    Shape counts(n, T);
    if (has("lengths")) counts = whole_numbers("lengths", n, 1, std::vector<std::size_t>(n, T));
    if (!has("mask")) return counts;
    const Shape masked = mask_counts(n, T);
    const auto [one, other] = std::ranges::mismatch(counts, masked);
    if (has("lengths") && one != counts.end())
      fail("mask", std::to_string(*other) + " tokens in sample " + std::to_string(one - counts.begin()),
           "the " + std::to_string(*one) + " that lengths says: leave one of the two out");
    return masked;
  }

  Shape mask_counts(std::size_t n, std::size_t T) const {
    const NumericArray mask = array_of("mask");
    expect_shape("mask", mask, {n, T});
    Shape counts;
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t count = 0;
      for (std::size_t t = 0; t < T; ++t) {
        const double value = mask.values[i * T + t];
        const std::string where = " at " + index_text(mask.shape, i * T + t);
        if (value != 0 && value != 1) fail("mask", number_text(value) + where, "1 for a token, 0 for padding");
        if (value == 1 && count != t)
          fail("mask", "1 after 0" + where, "padding at the end of a sample alone: move its tokens to the front");
        count += value == 1 ? 1 : 0;
      }
      if (count == 0) fail("mask", "no token in sample " + std::to_string(i), "at least one a sample");
      counts.push_back(count);
    }
    return counts;
  }

  /// n whole numbers from `least` to those of `most`.
  Shape whole_numbers(const std::string& name, std::size_t n, std::size_t least, const Shape& most) const {
    const NumericArray array = array_of(name);
    expect_shape(name, array, {n});
    refuse_booleans(name, array);
    Shape numbers;
    for (std::size_t i = 0; i < n; ++i) {
      const double value = array.values[i];
      if (!(value == std::floor(value) && value >= static_cast<double>(least) && value <= static_cast<double>(most[i])))
        fail(name, number_text(value) + " at " + index_text({n}, i),
             "a whole number from " + std::to_string(least) + " to " + std::to_string(most[i]));
      numbers.push_back(static_cast<std::size_t>(value));
    }
    return numbers;
  }

  void read_labels(Problem& problem) {
    const NumericArray array = array_of("Y");
    expect_shape("Y", array, {problem.sample_count()});
    const bool all_zero_one = std::ranges::all_of(array.values, [](double label) { return label == 0 || label == 1; });
    const double negative = coding_ == LabelCoding::signs ? -1 : 0;
    for (std::size_t i = 0; i < array.values.size(); ++i) {
      const double label = array.values[i];
      if (label != 1 && label != negative)
        fail("Y", number_text(label) + " at " + index_text(array.shape, i),
             coding_ == LabelCoding::zero_one ? "1 or 0, since --labels 01 is given"
             : all_zero_one                   ? "1 or -1: give --labels 01, or write Y = 2*Y - 1"
                                              : "1 or -1");
      problem.labels.push_back(label == 1 ? 1 : -1);
    }
    if (coding_ == LabelCoding::signs && !array.booleans) may_be_named("labels", "Y");
  }

  Selection relevant(const Problem& problem) const {
    Shape last;
    for (std::size_t i = 0; i < problem.sample_count(); ++i) last.push_back(problem.token_count(i) - 1);
    return whole_numbers("relevant", problem.sample_count(), 0, last);
  }

  void note_others(DataSet& set) const {
    std::vector<std::string> others = names_;
    std::erase_if(others, [](const std::string& array) { return std::ranges::find(known, array) != known.end(); });
    if (others.empty()) return;
    set.notes.push_back((others.size() == 1 ? "the array " : "the arrays ") + listed(others) + " of the archive " +
                        (others.size() == 1 ? "is" : "are") + " not looked at: known are X, Y, v, W, Z, lengths, mask, relevant");
  }

  const std::filesystem::path& file_;
  LabelCoding coding_;
  std::vector<std::string> names_;
  std::map<std::string, std::string> fields_;
};

}  // namespace

DataSet read_data_archive(const std::filesystem::path& file, std::string name, LabelCoding labels) {
  return ArchiveReader(file, labels).read(std::move(name));
}

}  // namespace attest
