#include "attest/report/descriptor.hpp"
#include "claim_text.hpp"
#include "commands.hpp"
#include "exit_code.hpp"
#include "run_flags.hpp"

#include <fmt/format.h>

#include <memory>
#include <span>
#include <string>

namespace attest {
namespace {

enum class ClaimFormat { text, markdown, json };

std::string rendered(const Claim* claim, ClaimFormat format) {
  if (format == ClaimFormat::json) return encode_descriptors(claim ? std::span(claim, 1) : all_claims()).dump(2) + "\n";
  if (format == ClaimFormat::markdown) return claim ? claim_markdown(*claim) : claims_markdown();
  return claim ? claim_text(*claim) : claims_text();
}

int print_claims(const std::string& name, ClaimFormat format) {
  const Claim* claim = find_claim(name);
  if (claim == nullptr && !name.empty()) return refuse("claims: " + not_a_claim(name));
  fmt::print("{}", rendered(claim, format));
  return exit_code::success;
}

}  // namespace

Command claims_command() {
  struct Options {
    std::string name;
    bool markdown = false;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  return {"claims",
          "List the claims, or explain one",
          {{"NAME", &options->name, "the claim to explain"},
           {"--markdown", &options->markdown, "print docs/claims.md, or a claim's part of it"},
           {"--json", &options->json, "print all that is said of the claims, for tools"}},
          R"(Examples:
  attest claims               one line a claim
  attest claims locally-optimal   its theorem, verdicts, numbers and parameters
  attest claims --json        everything, for tools)",
          [options] {
            if (options->markdown && options->json) return refuse("claims: found --markdown and --json, expected one of them");
            return print_claims(options->name, options->json       ? ClaimFormat::json
                                               : options->markdown ? ClaimFormat::markdown
                                                                   : ClaimFormat::text);
          }};
}

}  // namespace attest
