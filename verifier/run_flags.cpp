#include "run_flags.hpp"

#include "exit_code.hpp"
#include "output_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <thread>

namespace attest {
namespace {

namespace fs = std::filesystem;

/// CLI11's range check lets NaN through.
std::string positive_seconds(const std::string& text) {
  const std::optional<Rational> seconds = parse_decimal(text);
  const bool good = seconds && *seconds > 0 && *seconds <= 1'000'000'000;
  return good ? "" : fmt::format("found {}, expected seconds above 0 and up to 10^9", text);
}

/// CLI11 wraps -1 and 2^64 around.
std::string whole_64_bit(const std::string& text) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  const bool good = digits && *parse_decimal(text) < Rational(Integer(1) << 64);
  return good ? "" : fmt::format("found {}, expected a whole number below 2^64", text);
}

}  // namespace

void RunFlags::add_options(CLI::App& command, const std::string& what) {
  run.jobs = std::max(1U, std::thread::hardware_concurrency());
  command.add_option("--json", files.json, "write the results to FILE (- is standard output)")->type_name("FILE");
  files.add_options(command);
  command.add_option("--certificates", certificates_, "write each proof to this folder")->type_name("DIR");
  command.add_option("--budget", run.budget_seconds, "CPU seconds that one claim may use")
      ->type_name("SECONDS")->check(positive_seconds)->capture_default_str();
  command.add_option("--wall-limit", run.wall_seconds, "seconds on the clock that one claim may take\n(default: 10 budgets and 60 s)")
      ->type_name("SECONDS")->check(positive_seconds);
  command.add_option("--jobs", run.jobs, what + " checked at once")
      ->type_name("N")->check(CLI::Range(1U, 1024U))->capture_default_str();
  command.add_option("--seed", run.seed, "seed of everything that is drawn")
      ->type_name("N")->check(whole_64_bit)->capture_default_str();
}

std::optional<std::string> RunFlags::unwritable_output(std::span<const fs::path> inputs, std::span<const NamedOutput> more) {
  std::vector<NamedOutput> outputs = files.outputs();
  outputs.insert(outputs.end(), more.begin(), more.end());
  if (auto reason = output_clash(outputs, inputs)) return reason;
  if (auto reason = files.why_not_writable()) return reason;
  if (certificates_.empty()) return std::nullopt;
  std::error_code error;
  fs::create_directories(certificates_, error);
  if (error) return certificates_ + ": " + error.message();
  if (auto reason = why_not_writable(fs::path(certificates_) / "certificate.json")) return reason;
  run.certificates = certificates_;
  return std::nullopt;
}

int refuse(const std::string& reason) {
  fmt::print(stderr, "attest: {}\n", reason);
  return exit_code::bad_input;
}

}  // namespace attest
