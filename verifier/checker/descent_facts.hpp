#pragma once

#include <functional>
#include <string>
#include <vector>

#include "descent_run.hpp"
#include "enclosed.hpp"

namespace attest::check {

/// A number > 0; throws Rejected.
Rational read_positive(const Json& node);

/// The common fields and clauses of §4.20 but for (b); the run is followed on demand.
class DescentFacts {
 public:
  DescentFacts(const std::string& claim, const Problem& problem, const Json& statement, const Json& witness);

  [[nodiscard]] bool from_everywhere() const { return start_.kind == JsonKind::null; }
  [[nodiscard]] RunEnd follow() const;

  const Problem& problem;
  Method method;
  Over over;
  std::size_t iterations;
  Rational step;
  std::size_t bits;
  Scores scores;
  LossBounds bounds;
  LimitRows rows;
  std::vector<Rational> gaps;

 private:
  const Json& start_;
};

/// With clause (b): the solution of the SVM.
class SolvedDescent : public DescentFacts {
 public:
  SolvedDescent(const std::string& claim, const Problem& problem_, const Json& statement, const Json& witness)
      : DescentFacts(claim, problem_, statement, witness), svm(rows, witness.at("lambda")) {}

  LimitSvm svm;
};

/// A clause that fails with the precision of §4.22 may hold with all the bits of the run.
void with_enough_bits(const DescentFacts& facts, const std::function<void(const Arithmetic&)>& clauses);

/// The clause that is being checked: what fails, or has no value, is said of it.
class Clauses {
 public:
  void enter(const std::string& clause) { clause_ = clause; }
  void demand(bool holds, const std::string& what) const {
    if (!holds) throw Rejected(clause_ + ": " + what);
  }
  /// Runs the clauses; a value that is undefined fails the one where it is.
  void run(const std::function<void()>& all) const {
    try {
      all();
    } catch (const Undefined& why) {
      throw Rejected(clause_ + ": " + why.what());
    }
  }

 private:
  std::string clause_;
};

/// What the clauses of §4.22 and §4.23 share: numbers of all rows and samples, enclosed.
struct EnclosedRows {
  EnclosedRows(const SolvedDescent& facts, const RunEnd& end, const Arithmetic& arithmetic);

  Enclosed norm_squared;  ///< ‖w‖²
  Enclosed norm;          ///< ‖w‖ = 1/Θ
  Enclosed run_along;     ///< p_K·w
  EnclosedVector y, gap, theta;
  EnclosedVector across;  ///< n_c
  EnclosedVector length;  ///< ‖a_c‖
  EnclosedVector push;    ///< b_i by sample
};

/// Σ_t ē, Σ_t |Δ| ē and M0 H/(n b) by sample, for given bounds ē of exp(−y).
struct SampleSums {
  SampleSums(const DescentFacts& facts, const EnclosedRows& rows, const EnclosedVector& bound);

  EnclosedVector all;       ///< Ē_i
  EnclosedVector weighted;  ///< H_i
  EnclosedVector bend;      ///< e_i
};

}  // namespace attest::check
