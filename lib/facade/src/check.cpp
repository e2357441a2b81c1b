// The independent checker as a function: none of the rooms is included here.

#include "attest/attest.hpp"
#include "json.hpp"
#include "problem.hpp"
#include "rules.hpp"

#include <exception>

namespace attest {
inline namespace v1 {

Checked check_certificate(const std::string& certificate) {
  try {
    const check::JsonDocument document = check::JsonDocument::parse(certificate);
    check::check_certificate(document.root(), nullptr);
    return {true, ""};
  } catch (const check::Rejected& why) {
    return {false, why.what()};
  } catch (const std::exception& fault) {
    return {false, std::string("internal fault of the checker: ") + fault.what()};
  }
}

}  // namespace v1
}  // namespace attest
