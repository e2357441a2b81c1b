#include "run_flags.hpp"

#include "exit_code.hpp"
#include "output_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace attest {
namespace {

/// A range check would let NaN through.
std::string positive_seconds(const std::string& text) {
  const std::optional<Rational> seconds = parse_decimal(text);
  const bool good = seconds && *seconds > 0 && *seconds <= 1'000'000'000;
  return good ? "" : fmt::format("found {}, expected seconds above 0 and up to 10^9", text);
}

/// A conversion would wrap -1 and 2^64 around.
std::string whole_64_bit(const std::string& text) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  const bool good = digits && *parse_decimal(text) < Rational(Integer(1) << 64);
  return good ? "" : fmt::format("found {}, expected a whole number below 2^64", text);
}

}  // namespace

void add_worker_options(Command& command, RunOptions& run, const std::string& what) {
  run.jobs = std::max(1U, std::thread::hardware_concurrency());
  const auto add = [&](Option option) { command.options.push_back(std::move(option)); };
  add({.name = "--budget",
       .target = &run.budget_seconds,
       .about = "CPU seconds that one claim may use",
       .value = "SECONDS",
       .check = positive_seconds,
       .tells_default = true});
  add({"--wall-limit", &run.wall_seconds, "seconds on the clock that one claim may take\n(default: 10 budgets and 60 s)", "SECONDS",
       positive_seconds});
  add({.name = "--jobs",
       .target = &run.jobs,
       .about = what + " checked at once",
       .value = "N",
       .check = WholeRange{1, 1024},
       .tells_default = true});
}

void RunFlags::add_options(Command& command, const std::string& what) {
  const auto add = [&](Option option) { command.options.push_back(std::move(option)); };
  add({"--json", &files.json, "write the results to FILE (- is standard output)", "FILE"});
  files.add_options(command);
  add({"--certificates", &certificates_, "write each proof to this folder", "DIR"});
  add_worker_options(command, run, what);
  add({.name = "--seed",
       .target = &run.seed,
       .about = "seed of everything that is drawn",
       .value = "N",
       .check = whole_64_bit,
       .tells_default = true});
}

void RunFlags::add_label_option(Command& command) {
  command.options.push_back({.name = "--labels",
                             .target = &labels_,
                             .about = "how an archive writes labels: 1 and -1, or 1 and 0",
                             .value = "signs|01",
                             .check = std::vector<std::string>{"signs", "01"},
                             .tells_default = true});
}

std::optional<std::string> RunFlags::unwritable_output(std::span<const std::filesystem::path> inputs, std::span<const NamedOutput> more) {
  std::vector<NamedOutput> outputs = files.outputs();
  outputs.insert(outputs.end(), more.begin(), more.end());
  if (auto reason = output_clash(outputs, inputs)) return reason;
  if (auto reason = files.why_not_writable()) return reason;
  if (certificates_.empty()) return std::nullopt;
  if (auto reason = why_no_folder(certificates_)) return reason;
  run.certificates = certificates_;
  return std::nullopt;
}

int refuse(const std::string& reason) {
  fmt::print(stderr, "attest: {}\n", reason);
  return exit_code::bad_input;
}

}  // namespace attest
