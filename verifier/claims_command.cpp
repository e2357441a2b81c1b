#include "attest/claims/claim.hpp"
#include "commands.hpp"
#include "exit_code.hpp"
#include "text_layout.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>

namespace attest {
namespace {

/// A line of a claim's text that begins with one of these begins a paragraph.
bool begins_paragraph(std::string_view line) {
  constexpr std::array<std::string_view, 5> words = {"Holds", "Fails", "Undecided", "Inapplicable", "Numbers"};
  return std::ranges::any_of(words, [&](std::string_view word) { return line.starts_with(word); });
}

void print_text(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string paragraph;
  for (std::string line; std::getline(lines, line);) {
    if (begins_paragraph(line) && !paragraph.empty()) {
      fmt::print("{}\n", wrapped(paragraph, 0, 0));
      paragraph.clear();
    }
    paragraph += line + " ";
  }
  fmt::print("{}\n", wrapped(paragraph, 0, 0));
}

void list_claims() {
  constexpr std::size_t column = 18;
  for (const Claim& claim : all_claims()) fmt::print("{:<17} {}\n", claim.schema.name, wrapped(claim.summary, column, column));
}

void explain(const Claim& claim) {
  fmt::print("{}\n\n", wrapped(fmt::format("{}: {}", claim.schema.name, claim.summary), 0, 0));
  print_text(claim.text);
  for (const Need& need : claim.schema.needs)
    fmt::print("\nNeeds {} in the case{}.\n", need.field, need.unless.empty() ? "" : fmt::format(" unless `{}` is given", need.unless));
  if (!claim.schema.parameters.empty()) fmt::print("\nParameters:\n");
  constexpr std::size_t indent = 14;
  for (const ParameterSpec& parameter : claim.schema.parameters)
    fmt::print("  {:<12}{}{}\n", parameter.name, wrapped(parameter.about, indent, indent), parameter.required ? " (required)" : "");
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
  command->footer(R"(Examples:
  attest claims               one line a claim
  attest claims locally-optimal   its theorem, verdicts, numbers and parameters)");
  command->callback([name, &code] { code = run(*name); });
}

}  // namespace attest
