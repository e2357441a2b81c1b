#include "attest/run/sweep_folder.hpp"

#include "attest/report/sweep_page.hpp"
#include "attest/report/write_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <system_error>

namespace attest {
namespace {

namespace fs = std::filesystem;

std::string file_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Whole rows only: the last line may have been cut off.
std::vector<Json> read_rows(const fs::path& file) {
  std::vector<Json> rows;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    Json row = Json::parse(line, nullptr, false);
    if (row.is_object() && row.contains("index")) rows.push_back(std::move(row));
  }
  return rows;
}

std::string lines_of(const std::vector<Json>& rows) {
  std::string text;
  for (const Json& row : rows) text += row.dump() + "\n";
  return text;
}

/// The rows of all shards that wrote here.
std::vector<Json> all_rows(const fs::path& folder) {
  std::vector<Json> rows;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().starts_with("rows") && entry.path().extension() == ".jsonl")
      std::ranges::move(read_rows(entry.path()), std::back_inserter(rows));
  return ordered_rows(std::move(rows));
}

}  // namespace

std::vector<Json> ordered_rows(std::vector<Json> rows) {
  const auto index = [](const Json& row) { return row.at("index").get<std::size_t>(); };
  std::ranges::stable_sort(rows, {}, index);
  const auto again = std::ranges::unique(rows, {}, index);
  rows.erase(again.begin(), again.end());
  return rows;
}

std::optional<std::string> write_sweep(const fs::path& folder, const Json& summary, const std::vector<Json>& rows) {
  if (auto fault = write_file(folder / "results.json", summary.dump(1) + "\n")) return fault;
  if (auto fault = write_file(folder / "rows.csv", sweep_csv(rows))) return fault;
  return write_file(folder / "index.html", sweep_page(summary));
}

OrFault<SweepFolder> SweepFolder::open(const fs::path& folder, const SweepSpec& spec, const Shard& shard, bool resume) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return InputFault{folder.string(), "", error.message(), "a folder that can be made"};
  const fs::path kept = folder / "spec.json";
  if (fs::exists(kept) && file_text(kept) != spec.text)
    return InputFault{folder.string(), "", "another sweep", "a folder of this sweep, or a new one: name it with --out"};
  if (const auto fault = write_file(kept, spec.text)) return InputFault{folder.string(), "", *fault, "a folder that can be written to"};
  SweepFolder result(folder, folder / (shard.N == 1 ? "rows.jsonl" : fmt::format("rows-{}-of-{}.jsonl", shard.k, shard.N)));
  if (resume) result.rows_ = ordered_rows(read_rows(result.file_));
  result.out_.open(result.file_, std::ios::trunc);
  result.out_ << lines_of(result.rows_) << std::flush;
  if (!result.out_) return InputFault{result.file_.string(), "", "a file that cannot be written", "one that can"};
  return result;
}

void SweepFolder::add(const Json& row) {
  out_ << row.dump() << '\n' << std::flush;
  rows_.push_back(row);
}

Json SweepFolder::finish(const SweepSpec& spec, const RunInfo& info, std::optional<std::string>& fault) {
  out_.close();
  rows_ = ordered_rows(std::move(rows_));
  if ((fault = write_file(file_, lines_of(rows_)))) return {};
  const std::vector<Json> all = all_rows(folder_);
  Json summary = summarize_sweep(spec, all, info);
  fault = write_sweep(folder_, summary, all);
  return summary;
}

}  // namespace attest
