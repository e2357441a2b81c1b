#include "attest/claims/claim.hpp"
#include "commands.hpp"
#include "exit_code.hpp"

#include <fmt/format.h>

#include <memory>

namespace attest {
namespace {

/// What may follow a subcommand.
struct Completion {
  std::string command;
  std::string about;
  std::vector<std::string> options;
  std::vector<std::string> words;  // of its first argument; none: files
};

std::vector<std::string> claim_names() {
  std::vector<std::string> names;
  for (const Claim& claim : all_claims()) names.emplace_back(claim.schema.name);
  return names;
}

std::vector<std::string> first_arguments(const std::string& command) {
  if (command == "claims") return claim_names();
  if (command == "help") return {"case", "data", "claims", "results", "certificate", "exit-codes"};
  if (command == "completion") return {"bash", "zsh"};
  return {};
}

/// The commands and options as the command line is read by, so that nothing is listed twice.
std::vector<Completion> completions_of(const Program& program) {
  std::vector<Completion> found;
  for (const Command& command : program.commands) {
    Completion one{command.name, command.about, {"--help"}, first_arguments(command.name)};
    for (const Option& option : command.options)
      if (option.name.starts_with("--")) one.options.push_back(option.name);
    found.push_back(std::move(one));
  }
  return found;
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::string bash_script(const std::vector<Completion>& completions) {
  std::string commands;
  std::string branches;
  for (const Completion& one : completions) {
    commands += (commands.empty() ? "" : " ") + one.command;
    branches += fmt::format("    {}) options=\"{}\"; words=\"{}\" ;;\n", one.command, joined(one.options), joined(one.words));
  }
  return fmt::format(R"(# bash completion of attest: source <(attest completion bash)
_attest() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} options="" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{} --help --version" -- "$current"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  if [ "$before" = "--only" ]; then
    COMPREPLY=($(compgen -W "{}" -- "$current"))
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}}
complete -o filenames -F _attest attest
)",
                     commands, branches, joined(claim_names()));
}

/// A word for zsh, whatever is in it.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string zsh_script(const std::vector<Completion>& completions) {
  std::string commands;
  std::string branches;
  for (const Completion& one : completions) {
    commands += fmt::format("      {}\n", quoted(one.command + ":" + one.about));
    branches += fmt::format("    {}) options=({}); arguments=({}) ;;\n", one.command, joined(one.options), joined(one.words));
  }
  return fmt::format(R"(#compdef attest
# zsh completion of attest: source <(attest completion zsh)
_attest() {{
  local -a commands options arguments
  if (( CURRENT == 2 )); then
    commands=(
{}    )
    _describe command commands
    return
  fi
  case $words[2] in
{}  esac
  if [[ $words[CURRENT-1] == --only ]]; then
    compadd -- {}
  elif [[ $PREFIX == -* ]]; then
    compadd -- $options
  elif (( $#arguments )); then
    compadd -- $arguments
  else
    _files
  fi
}}
if [[ $funcstack[1] == _attest ]]; then _attest "$@"; else compdef _attest attest; fi
)",
                     commands, branches, joined(claim_names()));
}

int print_completion(const Program& program, const std::string& shell) {
  const std::vector<Completion> completions = completions_of(program);
  fmt::print("{}", shell == "bash" ? bash_script(completions) : zsh_script(completions));
  return exit_code::success;
}

}  // namespace

Command completion_command(const Program& program) {
  auto shell = std::make_shared<std::string>();
  return {"completion",
          "Print a shell's completion script",
          {{.name = "SHELL",
            .target = shell.get(),
            .about = "bash or zsh",
            .check = std::vector<std::string>{"bash", "zsh"},
            .required = true}},
          R"(Examples:
  source <(attest completion bash)    for this shell
  attest completion zsh > ~/.zsh/functions/_attest)",
          [shell, &program] { return print_completion(program, *shell); }};
}

}  // namespace attest
