#pragma once

#include <string_view>

namespace attest {

// The files of lib/report/page, put into the program when it is built.
extern const std::string_view plot_style;  ///< colours, and the marks of drawings: also of figures that are files
extern const std::string_view page_style;
extern const std::string_view page_theme_script;
extern const std::string_view page_script;
extern const std::string_view figure_script;

}  // namespace attest
