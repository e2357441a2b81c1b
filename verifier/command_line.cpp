#include "command_line.hpp"

#include "exit_code.hpp"

#include <CLI/CLI.hpp>

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
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& fault) {
    return app.exit(fault) == 0 ? exit_code::success : exit_code::bad_input;
  }
  return code;
}

}  // namespace attest
