#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "problem.hpp"

namespace attest::check {

/// What an accepted certificate proves.
struct Accepted {
  std::string kind;
  std::string claim;
};

/// A rule of §4 by its names.
struct RuleName {
  std::string_view claim;
  std::string_view kind;
};
std::vector<RuleName> all_rules();

/// Applies §1, §2 and the rule of the certificate's kind (§4); throws Rejected. With a case, the
/// certificate's problem must hold the same values.
Accepted check_certificate(const Json& root, const Problem* case_problem);

}  // namespace attest::check
