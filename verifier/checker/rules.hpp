#pragma once

#include <string>

#include "problem.hpp"

namespace attest::check {

/// What an accepted certificate proves.
struct Accepted {
  std::string kind;
  std::string claim;
};

/// Applies §1, §2 and the rule of the certificate's kind (§4); throws Rejected. With a case, the
/// certificate's problem must hold the same values.
Accepted check_certificate(const Json& root, const Problem* case_problem);

}  // namespace attest::check
