#include "commands.hpp"
#include "exit_code.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>

namespace {

constexpr const char* examples = R"(Examples:
  attest audit data.npz                      what holds on your data
  attest track data.npz run.npz              where your training run goes
  attest verify cases/                       check every case below a folder
  attest verify my.json --json out.json      and keep the results
  attest verify my.json --certificates certs write the proofs down
  attest-check certs/*.json --case my.json   have them re-checked
  attest sweep spec.json --out found         shares on random data sets
  attest report out.json --html report.html  the results as a page to open
  attest diff old.json new.json              what changed since then
  attest claims assumption-a                 what a claim means
  attest help case                           how to write a case

Exit codes: 0 every claim as expected, 1 some not, 2 bad usage or input,
3 internal fault.)";

int run(int argc, char** argv) {
  using namespace attest;
  Program program{"attest", "attest: machine-checked evidence for the theory of attention", ATTEST_VERSION, examples, {}};
  program.commands = {verify_command(), audit_command(),  track_command(),  sweep_command(), report_command(),
                      diff_command(),   claims_command(), doctor_command(), help_command(),  completion_command(program)};
  return run_program(program, argc, argv);
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
