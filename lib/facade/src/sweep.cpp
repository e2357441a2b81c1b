#include "inner.hpp"

#include "attest/graph/versions.hpp"
#include "attest/report/sweep_page.hpp"
#include "attest/run/sweep_folder.hpp"
#include "inner_problem.hpp"

#include <set>

namespace attest {
inline namespace v1 {
namespace {

SweepSpec read_spec(const std::filesystem::path& file) {
  auto read = read_sweep(file, all_schemas());
  if (const auto* fault = std::get_if<InputFault>(&read)) throw InputError(to_string(*fault));
  return std::get<SweepSpec>(std::move(read));
}

std::vector<Json> parsed(const SweepSpec& spec, const std::vector<std::string>& texts) {
  std::vector<Json> rows;
  for (const std::string& text : texts) {
    Json row = Json::parse(text, nullptr, false);
    if (!row.is_object() || !row.contains("index") || !row.at("index").is_number_unsigned() || row.at("index") >= spec.size() ||
        row.value("seed", std::uint64_t{0}) != spec.seed_of(row.at("index").get<std::size_t>()))
      throw InputError("rows: found " + text.substr(0, 60) + ", expected a row of this sweep");
    rows.push_back(std::move(row));
  }
  return ordered_rows(std::move(rows));
}

std::vector<std::string> texts_of(const std::vector<Json>& rows) {
  std::vector<std::string> texts;
  for (const Json& row : rows) texts.push_back(row.dump());
  return texts;
}

RunInfo info_of(const SweepSpec& spec) { return {ATTEST_VERSION, casadi_version(), ipopt_version(), spec.seed}; }

SweepSummary summary_of(const SweepSpec& spec, const std::vector<Json>& rows) {
  const Json summary = attest::summarize_sweep(spec, rows, info_of(spec));
  SweepSummary result{texts_of(rows), summary.dump(), sweep_page(summary), {}};
  for (FigureFile& file : sweep_figure_files(summary)) result.pictures.push_back({std::move(file.name), std::move(file.svg)});
  return result;
}

SweepFolder opened(const std::filesystem::path& folder, const SweepSpec& spec, bool resume) {
  auto result = SweepFolder::open(folder, spec, {}, resume);
  if (const auto* fault = std::get_if<InputFault>(&result)) throw InputError(to_string(*fault));
  return std::get<SweepFolder>(std::move(result));
}

void finish(SweepFolder& folder, const SweepSpec& spec) {
  std::optional<std::string> fault;
  folder.finish(spec, info_of(spec), fault);
  if (fault) throw InputError(*fault);
}

/// The rows as they finish.
void run(const SweepSpec& spec, const std::vector<std::size_t>& data_sets, const RunOptions& options,
         std::function<void(const Json&)> row_done) {
  SweepMonitor monitor{std::move(row_done), {}};
  if (options.progress) monitor.progress = [&](std::size_t done, std::size_t total) { options.progress(done, total, "data sets"); };
  run_sweep(spec, data_sets, inner_of(options), monitor);
}

}  // namespace

SweepSummary sweep(const std::filesystem::path& spec, const RunOptions& options, const std::optional<std::filesystem::path>& folder,
                   bool resume) {
  const SweepSpec read = read_spec(spec);
  if (!folder) {
    std::vector<Json> rows;
    run(read, data_sets_of(read, {}), options, [&](const Json& row) { rows.push_back(row); });
    return summary_of(read, ordered_rows(std::move(rows)));
  }
  inner_of(options);  // throws before the folder is touched
  SweepFolder target = opened(*folder, read, resume);
  run(read, data_sets_of(read, {}, target.rows()), options, [&](const Json& row) { target.add(row); });
  finish(target, read);
  return summary_of(read, target.rows());
}

std::size_t sweep_size(const std::filesystem::path& spec) { return read_spec(spec).size(); }

std::vector<std::string> open_sweep(const std::filesystem::path& spec, const std::filesystem::path& folder, bool resume) {
  return texts_of(opened(folder, read_spec(spec), resume).rows());
}

std::vector<std::string> sweep_rows(const std::filesystem::path& spec, const std::vector<std::size_t>& data_sets,
                                    const RunOptions& options) {
  const SweepSpec read = read_spec(spec);
  for (const std::size_t one : data_sets)
    if (one >= read.size())
      throw InputError("data_sets: found " + std::to_string(one) + ", expected numbers below " + std::to_string(read.size()));
  std::vector<Json> rows;
  run(read, data_sets, options, [&](const Json& row) { rows.push_back(row); });
  return texts_of(ordered_rows(std::move(rows)));
}

SweepSummary summarize_sweep(const std::filesystem::path& spec, const std::vector<std::string>& rows,
                             const std::optional<std::filesystem::path>& folder) {
  const SweepSpec read = read_spec(spec);
  const std::vector<Json> ordered = parsed(read, rows);
  if (folder) {
    SweepFolder target = opened(*folder, read, true);
    std::set<std::size_t> there;
    for (const Json& row : target.rows()) there.insert(row.at("index").get<std::size_t>());
    for (const Json& row : ordered)
      if (!there.contains(row.at("index").get<std::size_t>())) target.add(row);
    finish(target, read);
  }
  return summary_of(read, ordered);
}

}  // namespace v1
}  // namespace attest
