#pragma once

#include <string_view>

namespace attest {

/// Names become parts of file names and of XML and JSON reports: not empty, UTF-8, no '/' and no control characters.
bool is_case_name(std::string_view name);

}  // namespace attest
