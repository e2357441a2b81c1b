#include "inner.hpp"

#include "attest/graph/versions.hpp"
#include "attest/report/sweep_page.hpp"
#include "attest/run/sweep_folder.hpp"
#include "inner_problem.hpp"

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

}  // namespace

std::size_t sweep_size(const std::filesystem::path& spec) { return read_spec(spec).size(); }

std::vector<std::string> sweep_rows(const std::filesystem::path& spec, std::size_t k, std::size_t N, const RunOptions& options) {
  if (k >= N) throw InputError("shard: found " + std::to_string(k) + "/" + std::to_string(N) + ", expected k/N with k from 0 to N - 1");
  const SweepSpec read = read_spec(spec);
  std::vector<Json> rows;
  SweepMonitor monitor{[&](const Json& row) { rows.push_back(row); }, {}};
  if (options.progress) monitor.progress = [&](std::size_t done, std::size_t total) { options.progress(done, total, "data sets"); };
  run_sweep(read, data_sets_of(read, {k, N}), inner_of(options), monitor);
  std::vector<std::string> texts;
  for (const Json& row : ordered_rows(std::move(rows))) texts.push_back(row.dump());
  return texts;
}

SweepSummary summarize_sweep(const std::filesystem::path& spec, const std::vector<std::string>& rows,
                             const std::optional<std::filesystem::path>& folder) {
  const SweepSpec read = read_spec(spec);
  std::vector<Json> ordered = parsed(read, rows);
  const Json summary = attest::summarize_sweep(read, ordered, {ATTEST_VERSION, casadi_version(), ipopt_version(), read.seed});
  SweepSummary result{{}, summary.dump(), sweep_page(summary)};
  for (const Json& row : ordered) result.rows.push_back(row.dump());
  if (!folder) return result;
  auto opened = SweepFolder::open(*folder, read, {}, false);
  if (const auto* fault = std::get_if<InputFault>(&opened)) throw InputError(to_string(*fault));
  auto& target = std::get<SweepFolder>(opened);
  for (const Json& row : ordered) target.add(row);
  std::optional<std::string> fault;
  target.finish(read, {ATTEST_VERSION, casadi_version(), ipopt_version(), read.seed}, fault);
  if (fault) throw InputError(*fault);
  return result;
}

}  // namespace v1
}  // namespace attest
