#include "attest/run/sweep.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

namespace attest {
namespace {

constexpr std::array<const char*, 4> verdicts{"holds", "fails", "undecided", "inapplicable"};

/// Of the normal distribution, for 95 %.
constexpr double z = 1.959963984540054;

struct Interval {
  double low;
  double high;
};

/// Wilson's score interval of a share, at 95 %: it stays within [0, 1] and is right where few or all hold.
Interval wilson(double hits, double count) {
  const double share = hits / count;
  const double centre = (share + z * z / (2 * count)) / (1 + z * z / count);
  const double half = z / (1 + z * z / count) * std::sqrt(share * (1 - share) / count + z * z / (4 * count * count));
  return {hits == 0 ? 0 : centre - half, hits == count ? 1 : centre + half};
}

Json share_of(std::size_t hits, std::size_t count) {
  const auto [low, high] = wilson(static_cast<double>(hits), static_cast<double>(count));
  return {{"share", static_cast<double>(hits) / static_cast<double>(count)}, {"low", low}, {"high", high}};
}

/// A number over the data sets that report it.
class Mean {
 public:
  void add(double value) {
    ++count_;
    zero_or_one_ = zero_or_one_ && (value == 0 || value == 1);
    const double before = value - mean_;
    mean_ += before / static_cast<double>(count_);
    squares_ += before * (value - mean_);
  }

  Json written() const {
    Json entry = {{"mean", mean_}, {"low", nullptr}, {"high", nullptr}, {"count", count_}};
    if (const auto known = interval()) {
      entry["low"] = known->low;
      entry["high"] = known->high;
    }
    return entry;
  }

 private:
  std::optional<Interval> interval() const {
    const auto count = static_cast<double>(count_);
    if (zero_or_one_) return wilson(std::round(mean_ * count), count);
    if (count_ < 2) return std::nullopt;
    const double half = z * std::sqrt(squares_ / (count - 1) / count);
    return Interval{mean_ - half, mean_ + half};
  }

  std::size_t count_ = 0;
  bool zero_or_one_ = true;
  double mean_ = 0;
  double squares_ = 0;  // of what the values are off the mean
};

/// A claim at a point of the grid.
struct Tally {
  std::map<std::string, std::size_t> verdicts;
  std::size_t proved = 0;
  std::optional<std::size_t> applies;  // of a theorem
  std::map<std::string, Mean> means;

  void add(const Json& claim) {
    ++verdicts[claim.at("verdict").get<std::string>()];
    proved += claim.at("grade") == name_of(Grade::proved) ? 1 : 0;
    if (const auto known = claim.find("applies"); known != claim.end()) applies = applies.value_or(0) + (known->get<bool>() ? 1 : 0);
    for (const auto& [name, value] : claim.at("numbers").items()) {
      if (value.is_number()) means[name].add(value.get<double>());
      if (value.is_boolean()) means[name].add(value.get<bool>() ? 1 : 0);
    }
  }

  Json written(const Json& claim, std::size_t count) const {
    Json entry = {{"claim", claim.at("claim")}, {"label", claim.at("label")}};
    const auto of = [&](const char* verdict) {
      const auto found = verdicts.find(verdict);
      return found == verdicts.end() ? std::size_t{0} : found->second;
    };
    for (const char* verdict : attest::verdicts) entry[verdict] = of(verdict);
    entry["proved"] = proved;
    entry.update(share_of(of("holds"), count));
    if (applies) entry["applies"] = share_of(*applies, count);
    entry["means"] = Json::object();
    for (const auto& [name, mean] : means) entry["means"][name] = mean.written();
    return entry;
  }
};

Json summarize_cell(const EnsemblePoint& point, const std::vector<const Json*>& rows) {
  Json cell = {{"n", point.n}, {"T", point.T}, {"d", point.d}, {"noise", point.noise}, {"count", rows.size()}, {"claims", Json::array()}};
  if (rows.empty()) return cell;
  std::vector<Tally> tallies(rows.front()->at("claims").size());
  for (const Json* row : rows)
    for (std::size_t k = 0; k < tallies.size(); ++k) tallies[k].add(row->at("claims").at(k));
  for (std::size_t k = 0; k < tallies.size(); ++k)
    cell["claims"].push_back(tallies[k].written(rows.front()->at("claims").at(k), rows.size()));
  return cell;
}

/// The values of the grid along one axis, in order.
template <class Member>
Json axis_of(const SweepSpec& spec, Member member) {
  Json values = Json::array();
  for (const SweepCell& cell : spec.cells)
    if (std::ranges::find(values, Json(cell.point.*member)) == values.end()) values.push_back(cell.point.*member);
  return values;
}

}  // namespace

Json summarize_sweep(const SweepSpec& spec, const std::vector<Json>& rows, const RunInfo& info) {
  std::vector<std::vector<const Json*>> of_cell(spec.cells.size());
  for (const Json& row : rows) of_cell.at(row.at("index").get<std::size_t>() / spec.runs).push_back(&row);
  Json cells = Json::array();
  for (std::size_t k = 0; k < spec.cells.size(); ++k) cells.push_back(summarize_cell(spec.cells[k].point, of_cell[k]));
  return {{"attest", {{"version", info.version}, {"casadi", info.casadi}, {"ipopt", info.ipopt}, {"seed", info.seed}}},
          {"sweep",
           {{"name", spec.name},
            {"about", spec.about},
            {"law", name_of(spec.law)},
            {"runs", spec.runs},
            {"seed", spec.seed},
            {"n", axis_of(spec, &EnsemblePoint::n)},
            {"T", axis_of(spec, &EnsemblePoint::T)},
            {"d", axis_of(spec, &EnsemblePoint::d)},
            {"noise", axis_of(spec, &EnsemblePoint::noise)},
            {"size", spec.size()},
            {"done", rows.size()}}},
          {"cells", std::move(cells)}};
}

}  // namespace attest
