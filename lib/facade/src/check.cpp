// The independent checker as a function: none of the rooms is included here.

#include "attest/attest.hpp"
#include "case_data.hpp"
#include "json.hpp"
#include "problem.hpp"
#include "rules.hpp"

#include <exception>

namespace attest {
inline namespace v1 {
namespace {

std::optional<check::Problem> data_of(const std::optional<std::filesystem::path>& case_file) {
  if (!case_file) return std::nullopt;
  try {
    return check::read_case(*case_file);
  } catch (const check::Rejected& why) {
    throw InputError("case " + case_file->string() + ": " + why.what());
  }
}

}  // namespace

Checked check_certificate(const std::string& certificate, const std::optional<std::filesystem::path>& case_file) {
  const std::optional<check::Problem> data = data_of(case_file);
  try {
    const check::JsonDocument document = check::JsonDocument::parse(certificate);
    const check::Accepted accepted = check::check_certificate(document.root(), data ? &*data : nullptr);
    return {true, "", accepted.kind, accepted.claim};
  } catch (const check::Rejected& why) {
    return {false, why.what(), "", ""};
  } catch (const std::exception& fault) {
    return {false, std::string("internal fault of the checker: ") + fault.what(), "", ""};
  }
}

}  // namespace v1
}  // namespace attest
