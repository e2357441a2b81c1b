#pragma once

#include "attest/report/results.hpp"

#include <string>
#include <string_view>

namespace attest {

/// Whether the case is an audit that says where training goes, or a training run that was tracked.
bool has_answer(const Json& one);
/// "Where training goes"
std::string_view answer_title(const Json& one);

/// Where training goes and how far one must train: the head of an audit's page.
std::string answer_part(const Json& one);

/// The selections by name, each with the starts that go there; a long table is closed at first.
std::string selections_part(const Json& one);

/// The one change that lets the most theorems apply, and all other advice; empty where there is none.
std::string change_part(const Json& one);

/// The short name of a selection of an audit; the selection itself where it has none.
std::string short_name(const Json& one, const Json& selection);

}  // namespace attest
