#include "inner.hpp"

#include "attest/graph/versions.hpp"
#include "attest/model/case_name.hpp"
#include "attest/report/figure_files.hpp"
#include "attest/report/html.hpp"
#include "attest/report/markdown.hpp"
#include "attest/report/saved_case.hpp"
#include "attest/run/audit.hpp"
#include "attest/run/case_list.hpp"
#include "attest/run/worker_pool.hpp"
#include "inner_problem.hpp"

#include <system_error>

namespace attest {
inline namespace v1 {
namespace {

using namespace nlohmann::literals;

Results results_of(const RunOptions& options, const std::vector<Json>& cases) {
  return Results(results({ATTEST_VERSION, casadi_version(), ipopt_version(), options.seed}, cases)
                     .dump(-1, ' ', false, Json::error_handler_t::replace));
}

Json parsed(const std::string& text) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& fault) {
    throw InputError(std::string("results: found no JSON, expected what verify or audit gave: ") + fault.what());
  }
}

/// Data that no file holds.
DataSet data_set(const inner::Problem& problem, const std::string& name) { return {{name, "", "", "", problem, {}}, {}, {}}; }

Results audit(DataSet set, const RunOptions& options) {
  const AuditResult found = run_audit(std::move(set), inner_of(options), {{}, options.progress});
  return results_of(options, {found.case_entry()});
}

Results track(Case tracked, const std::filesystem::path& file, const RunOptions& options) {
  auto run = read_training_run(file, file.string(), tracked.problem);
  if (const auto* fault = std::get_if<InputFault>(&run)) throw InputError(to_string(*fault));
  tracked.claims = {{"trajectory", {{"run", std::get<TrainingRun>(std::move(run))}}}};
  return results_of(options, run_cases({&tracked, 1}, inner_of(options), {{}, options.progress}));
}

void demand_case_name(const std::string& name) {
  if (!is_case_name(name))
    throw InputError("name: found \"" + name + "\", expected a name that is not empty and has no '/' and no control characters");
}

}  // namespace

inner::RunOptions inner_of(const RunOptions& options) {
  demand_budget(options.budget_seconds);
  if (options.jobs == 0) throw InputError("jobs: found 0, expected a whole number from 1 on");
  inner::RunOptions result;
  result.budget_seconds = options.budget_seconds;
  result.jobs = options.jobs;
  result.seed = options.seed;
  result.certificates = options.certificates;
  if (result.certificates) {
    std::error_code error;
    std::filesystem::create_directories(*result.certificates, error);
    if (error)
      throw InputError("certificates: found " + result.certificates->string() + ", expected a folder that can be made: " + error.message());
  }
  return result;
}

Results verify(const std::vector<std::filesystem::path>& paths, const RunOptions& options) {
  const std::vector<std::string> names(paths.begin(), paths.end());
  const CaseList list = read_cases(names);
  if (!list.faults.empty()) {
    std::string text;
    for (const InputFault& fault : list.faults) text += (text.empty() ? "" : "\n") + to_string(fault);
    throw InputError(text);
  }
  return results_of(options, run_cases(list.cases, inner_of(options), {{}, options.progress}));
}

Results audit(const std::filesystem::path& data, const RunOptions& options) {
  auto read = read_data(data);
  if (const auto* fault = std::get_if<InputFault>(&read)) throw InputError(to_string(*fault));
  return audit(std::get<DataSet>(std::move(read)), options);
}

Results audit(const Problem& problem, const std::string& name, const RunOptions& options) {
  demand_case_name(name);
  return audit(data_set(problem.inner().problem, name), options);
}

Results track(const std::filesystem::path& data, const std::filesystem::path& run, const RunOptions& options) {
  auto read = read_data(data);
  if (const auto* fault = std::get_if<InputFault>(&read)) throw InputError(to_string(*fault));
  return track(std::get<DataSet>(std::move(read)).data, run, options);
}

Results track(const Problem& problem, const std::string& name, const std::filesystem::path& run, const RunOptions& options) {
  demand_case_name(name);
  return track(data_set(problem.inner().problem, name).data, run, options);
}

std::string Results::saved_case(const Problem& problem) const {
  const Json results = parsed(json_);
  if (!results.contains("/cases/0/audit"_json_pointer)) throw InputError("results: found no audit, expected what audit gave");
  const Json& entry = results.at("cases").front();
  DataSet set = data_set(problem.inner().problem, entry.at("name").get<std::string>());
  std::vector<Json> entries;
  for (const Json& one : entry.at("claims")) {
    auto request = read_claim(one.at("claim").get<std::string>(), one.at("parameters").dump(), all_schemas(), set.data.problem);
    if (const auto* fault = std::get_if<InputFault>(&request)) throw InputError("results of other data: " + to_string(*fault));
    set.data.claims.push_back(std::get<ClaimRequest>(std::move(request)));
    entries.push_back(one);
  }
  return attest::saved_case(set, entries, "");
}

std::vector<Results::Picture> Results::pictures() const {
  std::vector<Picture> found;
  for (FigureFile& file : figure_files(parsed(json_))) found.push_back({std::move(file.name), std::move(file.svg)});
  return found;
}

std::string Results::html() const { return attest::html(parsed(json_)); }
std::string Results::markdown() const { return attest::markdown(parsed(json_)); }
bool Results::as_expected() const {
  const Json results = parsed(json_);
  if (!results.contains("/summary/failed"_json_pointer)) throw InputError("results: found no summary, expected what verify or audit gave");
  return results.at("summary").at("failed") == 0;
}

std::string_view version() { return ATTEST_VERSION; }

}  // namespace v1
}  // namespace attest
