#include "attest/base/verdict.hpp"

namespace attest {

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds: return "holds";
    case Verdict::fails: return "fails";
    case Verdict::undecided: return "undecided";
    case Verdict::inapplicable: return "inapplicable";
  }
  return "undecided";
}

std::string_view name_of(Grade grade) { return grade == Grade::proved ? "proved" : "observed"; }

std::optional<Verdict> parse_verdict(std::string_view text) {
  for (const Verdict verdict : {Verdict::holds, Verdict::fails, Verdict::undecided, Verdict::inapplicable})
    if (text == name_of(verdict)) return verdict;
  return std::nullopt;
}

std::optional<Grade> parse_grade(std::string_view text) {
  for (const Grade grade : {Grade::observed, Grade::proved})
    if (text == name_of(grade)) return grade;
  return std::nullopt;
}

}  // namespace attest
