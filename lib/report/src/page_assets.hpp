#pragma once

#include <string_view>

namespace attest {

// The files of lib/report/page, put into the program when it is built.
extern const std::string_view page_style;
extern const std::string_view page_theme_script;
extern const std::string_view page_script;

}  // namespace attest
