#include "attest/claims/claim.hpp"
#include "commands.hpp"
#include "exit_code.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace attest {
namespace {

void list_claims() {
  for (const Claim& claim : all_claims()) fmt::print("{:<18} {}\n", claim.schema.name, claim.summary);
}

void explain(const Claim& claim) {
  fmt::print("{}: {}\n\n{}\n", claim.schema.name, claim.summary, claim.text);
  for (const Need& need : claim.schema.needs)
    fmt::print("\nNeeds {} in the case{}.\n", need.field, need.unless.empty() ? "" : fmt::format(" unless `{}` is given", need.unless));
  if (!claim.schema.parameters.empty()) fmt::print("\nParameters:\n");
  for (const ParameterSpec& parameter : claim.schema.parameters)
    fmt::print("  {:<12} {}{}\n", parameter.name, parameter.about, parameter.required ? " (required)" : "");
}

int run(const std::string& name) {
  if (name.empty()) {
    list_claims();
    return exit_code::success;
  }
  const Claim* claim = find_claim(name);
  if (!claim) {
    fmt::print(stderr, "attest: claims: found {}, expected one of those that `attest claims` lists\n", name);
    return exit_code::bad_input;
  }
  explain(*claim);
  return exit_code::success;
}

}  // namespace

void add_claims_command(CLI::App& app, int& code) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("claims", "List the claims, or explain one");
  command->add_option("NAME", *name, "the claim to explain");
  command->callback([name, &code] { code = run(*name); });
}

}  // namespace attest
