#include "attest/graph/versions.hpp"
#include "attest/run/case_list.hpp"
#include "attest/run/worker_pool.hpp"
#include "commands.hpp"
#include "exit_code.hpp"
#include "run_flags.hpp"
#include "terminal.hpp"
#include "track_view.hpp"

#include <fmt/format.h>

#include <memory>

namespace attest {
namespace {

struct TrackOptions {
  std::string data;
  std::string run;
  RunFlags flags;
};

int track(TrackOptions options) {
  auto read = read_data(options.data, options.flags.label_coding());
  if (const auto* fault = std::get_if<InputFault>(&read))
    return refuse(to_string(*fault) + (is_archive_without_data(options.data) ? " (the data come first: attest track DATA RUN)" : ""));
  Case tracked = std::get<DataSet>(std::move(read)).data;
  auto run = read_training_run(options.run, options.run, tracked.problem);
  if (const auto* fault = std::get_if<InputFault>(&run)) return refuse(to_string(*fault));
  tracked.claims.push_back({"trajectory", {{"run", std::get<TrainingRun>(std::move(run))}}});
  tracked.array_files.emplace_back(options.run);
  if (const auto reason = options.flags.unwritable_output(files_read({&tracked, 1}))) return refuse(*reason);

  Terminal terminal(options.flags.quiet, options.flags.files.use_standard_output() ? stderr : stdout);
  const PoolMonitor monitor{
      {}, [&](std::size_t done, std::size_t total, const std::string& what) { terminal.show_progress(done, total, what); }};
  std::vector<Json> entries = run_cases({&tracked, 1}, options.flags.run, monitor);
  for (Json& entry : entries) entry["track"] = {{"run", options.run}};
  const Json found = results({ATTEST_VERSION, casadi_version(), ipopt_version(), options.flags.run.seed}, entries);
  const bool passed = found.at("summary").at("failed") == 0;
  if (!options.flags.quiet || !passed) terminal.show_text(track_text(found.at("cases").front()));
  if (const auto fault = options.flags.files.write(found)) {
    fmt::print(stderr, "attest: {}\n", *fault);
    return exit_code::internal_fault;
  }
  return passed ? exit_code::success : exit_code::not_as_expected;
}

}  // namespace

Command track_command() {
  auto options = std::make_shared<TrackOptions>();
  Command command{"track",
                  "Say where a training run of yours goes",
                  {},
                  R"(Examples:
  attest track data.npz run.npz                      where it goes
  attest track my.json run.npz --html report.html    and a report to open

RUN holds p (steps, d), or W (steps, d, d), or K and Q (steps, d, m), and
perhaps v (steps, d) and step (steps,):
  numpy.savez("run.npz", p=numpy.stack(ps), step=steps)

Exit codes: 0 it heads for a locally optimal selection, 1 it does not or that
is open, 2 bad usage or input, 3 internal fault.)",
                  [options] { return track(*options); }};
  command.options.push_back({.name = "DATA",
                             .target = &options->data,
                             .about = "a case, or a .npz or .safetensors with X, Y and\nperhaps v, W, Z, lengths, mask, relevant",
                             .required = true});
  command.options.push_back({.name = "RUN",
                             .target = &options->run,
                             .about = "a .npz or .safetensors with p, W, or K and Q, a\ncheckpoint a row",
                             .required = true});
  options->flags.add_options(command, "claims");
  options->flags.add_label_option(command);
  command.options.push_back({"--quiet", &options->flags.quiet, "print nothing unless it is open where the run goes"});
  return command;
}

}  // namespace attest
