#pragma once

#include "attest/model/case_file.hpp"
#include "claim_check.hpp"

#include <string>

namespace attest {

/// The data of a case of the project, such as "joint/tight".
inline Problem problem_of(const std::string& name) {
  auto read = read_case(std::string(ATTEST_CASES) + "/" + name + ".json", all_schemas());
  BOOST_TEST_REQUIRE(std::holds_alternative<Case>(read), name);
  return std::get<Case>(std::move(read)).problem;
}

}  // namespace attest
