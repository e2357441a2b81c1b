#pragma once

#include "attest/base/verdict.hpp"
#include "attest/certificate/certificate.hpp"
#include "attest/model/selection.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace attest {

/// One hypothesis of a theorem, decided on the data.
struct Hypothesis {
  std::string name;
  Verdict verdict;
  Grade grade;
  std::string message;
  std::optional<Certificate> certificate = {};  ///< of one that is proved
};

/// What a claim came to, with its evidence.
struct Finding {
  Verdict verdict = Verdict::undecided;
  Grade grade = Grade::observed;
  std::string message;  ///< one sentence for the table
  nlohmann::ordered_json numbers = nlohmann::ordered_json::object();
  std::optional<Selection> selection;  ///< the one it speaks of
  std::optional<Certificate> certificate;
  std::vector<Hypothesis> hypotheses;  ///< of a theorem
  std::optional<std::string> conclusion;
};

}  // namespace attest
