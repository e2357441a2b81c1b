#include "commands.hpp"
#include "exit_code.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <exception>

namespace {

constexpr const char* footer = R"(Examples:
  attest audit data.npz                      what holds on your data
  attest verify cases/                       check every case below a folder
  attest verify my.json --json out.json      and keep the results
  attest verify my.json --certificates certs write the proofs down
  attest-check certs/*.json --case my.json   have them re-checked
  attest report out.json --html report.html  the results as a page to open
  attest claims assumption-a                 what a claim means
  attest help case                           how to write a case

Exit codes: 0 every claim as expected, 1 some not, 2 bad usage or input,
3 internal fault.)";

int run(int argc, char** argv) {
  CLI::App app{"attest: machine-checked evidence for the theory of attention", "attest"};
  app.footer(footer);
  app.set_version_flag("--version", ATTEST_VERSION);
  app.require_subcommand(1);

  int code = attest::exit_code::success;
  attest::add_verify_command(app, code);
  attest::add_audit_command(app, code);
  attest::add_report_command(app, code);
  attest::add_claims_command(app, code);
  attest::add_doctor_command(app, code);
  attest::add_help_command(app, code);
  attest::add_completion_command(app, code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& fault) {
    return app.exit(fault) == 0 ? attest::exit_code::success : attest::exit_code::bad_input;
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& fault) {
    fmt::print(stderr, "attest: internal fault: {}\n", fault.what());
    return attest::exit_code::internal_fault;
  }
}
