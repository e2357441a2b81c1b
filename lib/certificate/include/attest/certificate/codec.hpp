#pragma once

#include "attest/base/text_sink.hpp"
#include "attest/certificate/certified.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace attest {

/// A certificate as docs/certificate.md writes it, but for the data.
struct WrittenCertificate {
  std::string claim;                 ///< that section 4 lists it with
  nlohmann::ordered_json statement;  ///< with its "kind"
  nlohmann::ordered_json witness;
};
WrittenCertificate written(const Certificate& certificate);

/// The whole file but for its line's end: version, claim, the problem's exact data, statement, witness. The data, which may be large, go
/// number by number.
void write_text(const Certificate& certificate, const Problem& problem, const TextSink& sink);
std::string text_of(const Certificate& certificate, const Problem& problem);

/// Rationals stand in a certificate as strings.
nlohmann::ordered_json encode(const Rational& value);
nlohmann::ordered_json encode(const std::vector<Rational>& values);

}  // namespace attest
