#include "attest/model/sweep_spec.hpp"

#include "attest/base/spelling.hpp"
#include "attest/model/case_file.hpp"
#include "case_parts.hpp"
#include "claim_reader.hpp"
#include "json_reader.hpp"
#include "text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>

namespace attest {
namespace {

constexpr std::array<std::string_view, 12> sweep_keys{"name", "about", "law",  "file", "n",    "T",
                                                      "d",    "noise", "runs", "seed", "loss", "claims"};
/// More is a slip of the pen: a row takes some hundred bytes.
constexpr std::size_t most_data_sets = 100'000'000;
constexpr std::size_t largest_size = 1'000'000;

std::size_t whole_in(const JsonValue& value, const JsonPlace& place, std::size_t least, std::size_t most) {
  const Rational number = as_rational(value, place);
  if (denominator(number) != 1 || number < least || number > most)
    fail(place, describe(value), "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return static_cast<std::size_t>(numerator(number).machine_word());
}

double noise_in(const JsonValue& value, const JsonPlace& place) {
  const Rational number = as_double_range(value, place);
  if (number < 0) fail(place, describe(value), "a number from 0 on");
  return nearest_double(number);
}

/// One value, or a list of different ones.
template <class Value>
std::vector<Value> read_axis(const JsonValue& value, const JsonPlace& place,
                             const std::function<Value(const JsonValue&, const JsonPlace&)>& read) {
  if (value.get<JsonValue::Array>() == nullptr) return {read(value, place)};
  const JsonValue::Array& items = as_list(value, place, "a value, or a non-empty array of values");
  std::vector<Value> values;
  for (std::size_t k = 0; k < items.size(); ++k) {
    const Value one = read(items[k], place.item(k));
    if (std::ranges::find(values, one) != values.end()) fail(place.item(k), describe(items[k]) + " again", "each value once");
    values.push_back(one);
  }
  return values;
}

class SweepReader {
 public:
  SweepReader(const std::filesystem::path& file, std::span<const ClaimSchema> schemas) : file_(file), schemas_(schemas) {}

  SweepSpec read() {
    spec_.text = read_text(file_, "a sweep");
    const JsonValue tree = parse_json(spec_.text);
    const JsonValue::Object& root = as_object(tree, top_, "an object with law, n, T, d, runs and claims");
    refuse_unknown_keys(root, sweep_keys, top_);
    spec_.name = read_name(root, file_);
    spec_.about = read_optional_text(root, "about");
    read_law(root);
    const std::size_t unbounded = std::size_t{1} << 53;
    spec_.runs = whole(root, "runs", 1, most_data_sets).front();
    if (const JsonValue* seed = find_member(root, "seed")) spec_.seed = whole_in(*seed, top_.member("seed"), 0, unbounded);
    if (const JsonValue* loss = find_member(root, "loss")) spec_.loss = read_loss(*loss, top_.member("loss"));
    read_grid(root);
    read_claims_of_cells(required_member(root, "claims", top_, "a non-empty array of claims"));
    return std::move(spec_);
  }

 private:
  void read_law(const JsonValue::Object& root) {
    const JsonValue& value = required_member(root, "law", top_, one_of(token_law_names(), ""));
    const std::string& name = as_string(value, top_.member("law"), one_of(token_law_names(), ""));
    const auto law = token_law(name);
    if (!law) fail(top_.member("law"), describe(value), one_of(token_law_names(), name));
    spec_.law = *law;
    const JsonValue* file = find_member(root, "file");
    const JsonPlace place = top_.member("file");
    if ((file != nullptr) != (spec_.law == TokenLaw::file))
      fail(place, file != nullptr ? describe(*file) : "none",
           file != nullptr ? "none: only the law file has one" : "the name of a case or an .npz");
    if (file == nullptr) return;
    auto data = read_data(file_.parent_path() / as_string(*file, place, "the name of a case or an .npz"));
    if (const auto* fault = std::get_if<InputFault>(&data)) fail(place, to_string(*fault), "data to draw from");
    spec_.source = std::get<DataSet>(std::move(data)).data.problem;
    spec_.loss = spec_.source->loss;
  }

  std::vector<std::size_t> whole(const JsonValue::Object& root, std::string_view key, std::size_t least, std::size_t most) const {
    const JsonValue& value = required_member(root, key, top_, "a whole number from 1 on");
    if (key == "runs") return {whole_in(value, top_.member(key), least, most)};
    return read_axis<std::size_t>(value, top_.member(key),
                                  [&](const JsonValue& one, const JsonPlace& place) { return whole_in(one, place, least, most); });
  }

  std::vector<double> noises(const JsonValue::Object& root) const {
    const JsonValue* value = find_member(root, "noise");
    if (value == nullptr) return {0.0};
    if (spec_.law != TokenLaw::planted) fail(top_.member("noise"), describe(*value), "none: only the law planted has noise");
    return read_axis<double>(*value, top_.member("noise"), noise_in);
  }

  void read_grid(const JsonValue::Object& root) {
    const bool drawn = !spec_.source;
    std::size_t most_n = largest_size;
    std::size_t most_T = largest_size;
    if (!drawn) {
      most_n = spec_.source->sample_count();
      for (std::size_t i = 0; i < most_n; ++i) most_T = std::min(most_T, spec_.source->token_count(i));
      if (const JsonValue* d = find_member(root, "d"))
        fail(top_.member("d"), describe(*d), "none: the tokens of the file have their dimension");
    }
    const auto dimensions = drawn ? whole(root, "d", 1, largest_size) : std::vector{spec_.source->dimension()};
    for (const std::size_t n : whole(root, "n", 1, most_n))
      for (const std::size_t T : whole(root, "T", 1, most_T))
        for (const std::size_t d : dimensions)
          for (const double noise : noises(root)) add_cell({n, T, d, noise});
    if (spec_.cells.size() > most_data_sets / spec_.runs)
      fail(top_.member("runs"),
           std::to_string(spec_.cells.size()) + " points of the grid with " + std::to_string(spec_.runs) + " runs each",
           "at most " + std::to_string(most_data_sets) + " data sets");
  }

  void add_cell(const EnsemblePoint& point) {
    if (spec_.law == TokenLaw::orthogonal && point.d / point.T < point.n)
      fail(top_.member("d"), std::to_string(point.d) + " with n = " + std::to_string(point.n) + " and T = " + std::to_string(point.T),
           "at least n T: no more tokens than that are orthogonal");
    spec_.cells.push_back({point, {}});
  }

  /// What may be asked depends on the data: on those of the cell's first run.
  void read_claims_of_cells(const JsonValue& claims) {
    for (std::size_t k = 0; k < spec_.cells.size(); ++k)
      spec_.cells[k].claims = read_claims(claims, top_.member("claims"), schemas_, spec_.problem(k * spec_.runs), file_.parent_path());
  }

  const std::filesystem::path& file_;
  std::span<const ClaimSchema> schemas_;
  JsonPlace top_;
  SweepSpec spec_;
};

}  // namespace

std::uint64_t SweepSpec::seed_of(std::size_t index) const {
  const EnsemblePoint& point = cell(index).point;
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a, of the numbers' bytes
  for (const std::uint64_t part : {seed, std::uint64_t{point.n}, std::uint64_t{point.T}, std::uint64_t{point.d},
                                   std::bit_cast<std::uint64_t>(point.noise), std::uint64_t{run(index)}})
    for (int byte = 0; byte < 8; ++byte) hash = (hash ^ ((part >> (8 * byte)) & 0xFF)) * 1099511628211ULL;
  return hash;
}

Problem SweepSpec::problem(std::size_t index) const {
  Problem drawn = draw_problem(law, cell(index).point, seed_of(index), source ? &*source : nullptr);
  drawn.loss = loss;
  return drawn;
}

OrFault<SweepSpec> read_sweep(const std::filesystem::path& file, std::span<const ClaimSchema> schemas) {
  try {
    return SweepReader(file, schemas).read();
  } catch (const CaseFault& fault) {
    return InputFault{file.string(), fault.path, fault.found, fault.expected};
  }
}

}  // namespace attest
