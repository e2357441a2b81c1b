#include "command_line.hpp"

#include "attest/base/spelling.hpp"
#include "exit_code.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

// The only file that knows the library which reads command lines: it is large.

namespace attest {
namespace {

/// Calls the function of the alternative that is there.
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

CLI::Option* add_value(CLI::App& command, const Option& option) {
  return std::visit(Overloaded{[&](bool* flag) { return command.add_flag(option.name, *flag, option.about); },
                               [&](auto* value) { return command.add_option(option.name, *value, option.about); }},
                    option.target);
}

void add_check(CLI::Option& added, const ValueCheck& check) {
  std::visit(Overloaded{[](std::monostate) {}, [&](std::string (*fault)(const std::string&)) { added.check(fault); },
                        [&](const WholeRange& range) { added.check(CLI::Range(range.least, range.most)); },
                        [&](const std::vector<std::string>& words) { added.check(CLI::IsMember(words)); }},
             check);
}

void add_option(CLI::App& command, const Option& option) {
  CLI::Option& added = *add_value(command, option);
  if (!option.value.empty()) added.type_name(option.value);
  add_check(added, option.check);
  if (option.required) added.required();
  if (option.tells_default) added.capture_default_str();
  if (option.comma_separated) added.delimiter(',');
}

std::string hint(const std::vector<std::string_view>& known, std::string_view word) {
  const std::string_view meant = likely_meant(known, word);
  return meant.empty() ? "" : fmt::format(" (did you mean {}?)", meant);
}

/// What is wrong with the first word that names no subcommand, or the first option that its subcommand does not have; empty where all are
/// known. Values are the library's to judge.
std::string unknown_word(const Program& program, const std::vector<std::string_view>& words) {
  if (words.empty() || words[0].starts_with("-")) return "";
  const auto command = std::ranges::find(program.commands, words[0], &Command::name);
  std::vector<std::string_view> known;
  if (command == program.commands.end()) {
    for (const Command& one : program.commands) known.push_back(one.name);
    return fmt::format("{}: no such subcommand{}; `{} --help` lists them", words[0], hint(known, words[0]), program.name);
  }
  known = {"--help"};
  for (const Option& option : command->options)
    if (option.name.starts_with("--")) known.push_back(option.name);
  for (const std::string_view word : words) {
    const std::string_view name = word.substr(0, word.find('='));
    if (name == "--") break;
    if (name.starts_with("--") && std::ranges::find(known, name) == known.end())
      return fmt::format("{}: {}: no such option{}; `{} {} --help` lists them", words[0], name, hint(known, name), program.name, words[0]);
  }
  return "";
}

}  // namespace

int run_program(const Program& program, int argc, char** argv) {
  CLI::App app{program.about, program.name};
  app.footer(program.examples);
  app.set_version_flag("--version", program.version);
  app.require_subcommand(1);
  int code = exit_code::success;
  for (const Command& command : program.commands) {
    CLI::App& added = *app.add_subcommand(command.name, command.about);
    for (const Option& option : command.options) add_option(added, option);
    added.footer(command.examples);
    added.callback([&] { code = command.run(); });
  }
  const std::vector<std::string_view> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty()) {
    fmt::print("{}", app.help());
    fmt::print(stderr, "{}: a subcommand is required\n", program.name);
    return exit_code::bad_input;
  }
  if (const std::string fault = unknown_word(program, words); !fault.empty()) {
    fmt::print(stderr, "{}: {}\n", program.name, fault);
    return exit_code::bad_input;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& fault) {
    return app.exit(fault) == 0 ? exit_code::success : exit_code::bad_input;
  }
  return code;
}

}  // namespace attest
