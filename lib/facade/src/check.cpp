// The independent checker as a function: none of the rooms is included here.

#include "attest/attest.hpp"
#include "json.hpp"
#include "problem.hpp"
#include "rules.hpp"

namespace attest {
inline namespace v1 {

Checked check_certificate(const std::string& certificate) {
  try {
    const check::JsonDocument document = check::JsonDocument::parse(certificate);
    check::check_certificate(document.root(), nullptr);
    return {true, ""};
  } catch (const check::Rejected& why) {
    return {false, why.what()};
  }
}

}  // namespace v1
}  // namespace attest
