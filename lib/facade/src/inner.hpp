#pragma once

// The rooms of the library under names of their own, since the facade's classes have the same ones. Included before attest.hpp: what comes
// after it would find two of each.

#include "attest/claims/claim.hpp"
#include "attest/model/case_file.hpp"
#include "attest/report/results.hpp"
#include "attest/run/run_options.hpp"

namespace attest::inner {

using Problem = attest::Problem;
using Study = attest::Study;
using Finding = attest::Finding;
using Hypothesis = attest::Hypothesis;
using Verdict = attest::Verdict;
using Grade = attest::Grade;
using Program = attest::SvmProgram;
using RunOptions = attest::RunOptions;

inline std::string_view word(Verdict verdict) { return name_of(verdict); }
inline std::string_view word(Grade grade) { return name_of(grade); }

}  // namespace attest::inner
