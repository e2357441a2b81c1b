#include "attest/claims/claim.hpp"
#include "attest/graph/versions.hpp"
#include "attest/report/sweep_page.hpp"
#include "attest/run/sweep_folder.hpp"
#include "commands.hpp"
#include "exit_code.hpp"
#include "output_file.hpp"
#include "run_flags.hpp"
#include "terminal.hpp"

#include <fmt/format.h>

#include <charconv>
#include <memory>

namespace attest {
namespace {

struct SweepOptions {
  std::string spec;
  std::string shard = "0/1";
  std::string out;
  std::string figures;
  bool resume = false;
  bool quiet = false;
  RunOptions run;
};

std::optional<std::size_t> whole(std::string_view text) {
  std::size_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<Shard> shard_of(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return std::nullopt;
  const auto k = whole(std::string_view(text).substr(0, slash));
  const auto N = whole(std::string_view(text).substr(slash + 1));
  if (!k || !N || *k >= *N) return std::nullopt;
  return Shard{*k, *N};
}

int sweep(const SweepOptions& options) {
  const auto shard = shard_of(options.shard);
  if (!shard) return refuse(fmt::format("--shard: found {}, expected k/N with k from 0 to N - 1, such as 0/4", options.shard));
  const auto read = read_sweep(options.spec, all_schemas());
  if (const auto* fault = std::get_if<InputFault>(&read)) return refuse(to_string(*fault));
  const SweepSpec& spec = std::get<SweepSpec>(read);
  if (!options.figures.empty())
    if (const auto reason = why_no_folder(options.figures)) return refuse(*reason);
  auto opened = SweepFolder::open(options.out.empty() ? spec.name : options.out, spec, *shard, options.resume);
  if (const auto* fault = std::get_if<InputFault>(&opened)) return refuse(to_string(*fault));
  auto& folder = std::get<SweepFolder>(opened);

  Terminal terminal(options.quiet);
  const std::size_t before = folder.rows().size();
  const SweepMonitor monitor{
      [&](const Json& row) { folder.add(row); },
      [&](std::size_t done, std::size_t total) { terminal.show_progress(before + done, before + total, "data sets"); }};
  run_sweep(spec, data_sets_of(spec, *shard, folder.rows()), options.run, monitor);
  std::optional<std::string> fault;
  const Json summary = folder.finish(spec, {ATTEST_VERSION, casadi_version(), ipopt_version(), spec.seed}, fault);
  if (!fault && !options.figures.empty()) fault = write_figures(sweep_figure_files(summary), options.figures);
  if (fault) {
    fmt::print(stderr, "attest: {}\n", *fault);
    return exit_code::internal_fault;
  }
  if (!options.quiet) terminal.show_text(sweep_table(summary));
  const bool early = std::ranges::any_of(folder.rows(), [](const Json& row) { return row.contains("ended_early"); });
  return early ? exit_code::not_as_expected : exit_code::success;
}

}  // namespace

Command sweep_command() {
  auto options = std::make_shared<SweepOptions>();
  options->run.budget_seconds = 20;
  Command command{"sweep",
                  "Check claims on random data sets",
                  {},
                  R"(Examples:
  attest sweep spec.json --out found            rows, tables and a page
  attest sweep spec.json --out found --resume   go on where it was stopped
  attest sweep spec.json --out found --shard 0/4
                                                every fourth data set)",
                  [options] { return sweep(*options); }};
  command.options.push_back(
      {.name = "SPEC", .target = &options->spec, .about = "what to draw, and what to check (JSON)", .required = true});
  command.options.push_back({"--shard", &options->shard, "the data sets k, k + N, k + 2N, ...", "k/N"});
  command.options.push_back({"--resume", &options->resume, "keep the rows that are there, and go on"});
  command.options.push_back({"--out", &options->out, "folder for rows, tables and the page\n(default: the sweep's name)", "DIR"});
  command.options.push_back({"--figures", &options->figures, "write the diagrams of the page here, as SVG", "DIR"});
  add_worker_options(command, options->run, "data sets");
  command.options.push_back({"--quiet", &options->quiet, "print no table"});
  return command;
}

}  // namespace attest
