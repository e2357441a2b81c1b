#pragma once

#include "attest/model/problem.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace attest {

/// Evidence for one statement about one problem, as docs/certificate.md specifies it.
struct Certificate {
  std::string claim;
  nlohmann::ordered_json statement;  ///< with its "kind"
  nlohmann::ordered_json witness;
};

/// The whole file: version, claim, the problem's exact data, statement, witness.
nlohmann::ordered_json encode(const Certificate& certificate, const Problem& problem);

/// Rationals stand in a certificate as strings.
nlohmann::ordered_json encode(const Rational& value);
nlohmann::ordered_json encode(const std::vector<Rational>& values);

}  // namespace attest
