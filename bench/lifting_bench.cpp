// lifting_bench: median seconds of the exact stage's solver of linear systems, and FLINT's three ways in multiples of it, on Gram
// systems as the exact SVM has them: integer Gram matrices of rows k_i,alpha_i - k_it, right side the rows' denominators. Every answer is
// compared.

#include "attest/model/svm_program.hpp"
#include "bench_support.hpp"
#include "lifting_solver.hpp"

#include <flint/fmpq_mat.h>
#include <flint/fmpz_mat.h>

#include <cstdio>
#include <functional>
#include <random>

namespace {

using namespace attest;
using namespace attest::bench;

enum class Numbers { doubles, decimals };

/// One sample of `size` + 1 tokens, so `size` rows, in as many dimensions.
Problem draw_problem(std::size_t size, Numbers numbers) {
  std::mt19937_64 random(size);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> hundredths(-100, 100);
  std::vector<Rational> values;
  for (std::size_t k = 0; k < (size + 1) * size; ++k)
    values.push_back(numbers == Numbers::doubles ? exact_value(normal(random)) : Rational(hundredths(random), 100));
  Problem problem;
  problem.tokens.push_back(ExactMatrix::from_rationals(size + 1, size, std::move(values)));
  problem.labels.push_back(1);
  return problem;
}

struct System {
  std::vector<std::vector<Integer>> matrix;
  std::vector<Integer> right;
};

System gram_system(const Problem& problem) {
  const ExactTokens tokens(problem);
  const SvmProgram program = SvmProgram::p_svm(tokens, {0});
  std::vector<FractionVector> rows;
  for (std::size_t r = 0; r < program.row_count(); ++r) rows.push_back(program.row(r));
  System system;
  for (const FractionVector& a : rows) {
    system.matrix.emplace_back();
    for (const FractionVector& b : rows) system.matrix.back().push_back(dot(a.numerators, b.numerators));
    system.right.push_back(a.denominator);
  }
  return system;
}

/// FLINT's matrices of a system, and the solution as FLINT leaves it.
class FlintSystem {
 public:
  explicit FlintSystem(const System& system) : size_(static_cast<slong>(system.right.size())) {
    fmpz_mat_init(matrix_, size_, size_);
    fmpz_mat_init(right_, size_, 1);
    fmpz_mat_init(numerators_, size_, 1);
    fmpq_mat_init(solution_, size_, 1);
    fmpz_init(denominator_);
    for (slong r = 0; r < size_; ++r) {
      const auto row = static_cast<std::size_t>(r);
      fmpz_set_mpz(fmpz_mat_entry(right_, r, 0), system.right[row].data());
      for (slong c = 0; c < size_; ++c) fmpz_set_mpz(fmpz_mat_entry(matrix_, r, c), system.matrix[row][static_cast<std::size_t>(c)].data());
    }
  }
  FlintSystem(const FlintSystem&) = delete;
  FlintSystem& operator=(const FlintSystem&) = delete;
  ~FlintSystem() {
    fmpz_mat_clear(matrix_);
    fmpz_mat_clear(right_);
    fmpz_mat_clear(numerators_);
    fmpq_mat_clear(solution_);
    fmpz_clear(denominator_);
  }

  /// Lifting to p^m by Hadamard's bound, then one reconstruction an entry.
  FractionVector dixon() {
    fmpz_mat_solve_dixon(numerators_, denominator_, matrix_, right_);
    fmpq_mat_set_fmpz_mat_mod_fmpz(solution_, numerators_, denominator_);
    return over_one_denominator_of_solution();
  }
  /// Reconstructs while it lifts, and stops when the answer fits.
  FractionVector dixon_early() {
    fmpq_mat_solve_fmpz_mat_dixon(solution_, matrix_, right_);
    return over_one_denominator_of_solution();
  }
  FractionVector dixon_denominator() {
    fmpz_mat_solve_dixon_den(numerators_, denominator_, matrix_, right_);
    return result();
  }

 private:
  FractionVector over_one_denominator_of_solution() {
    fmpq_mat_get_fmpz_mat_matwise(numerators_, denominator_, solution_);
    return result();
  }
  FractionVector result() const {
    FractionVector result;
    fmpz_get_mpz(result.denominator.data(), denominator_);
    for (slong r = 0; r < size_; ++r) {
      result.numerators.emplace_back();
      fmpz_get_mpz(result.numerators.back().data(), fmpz_mat_entry(numerators_, r, 0));
    }
    return result;
  }

  slong size_;
  fmpz_mat_t matrix_;
  fmpz_mat_t right_;
  fmpz_mat_t numerators_;
  fmpq_mat_t solution_;
  fmpz_t denominator_;
};

bool equal(const FractionVector& a, const FractionVector& b) {
  if (a.numerators.size() != b.numerators.size()) return false;
  for (std::size_t k = 0; k < a.numerators.size(); ++k)
    if (a.numerators[k] * b.denominator != b.numerators[k] * a.denominator) return false;
  return true;
}

struct Way {
  std::function<FractionVector()> solve;
  std::vector<double> seconds = {};
  FractionVector found = {};
};

/// The ways take turns, so that what else the machine does meets all of them.
void take_turns(std::vector<Way>& ways) {
  const auto begin = Clock::now();
  do {
    for (Way& way : ways) {
      const auto start = Clock::now();
      way.found = way.solve();
      way.seconds.push_back(seconds_since(start));
    }
  } while (ways.front().seconds.size() < 51 && seconds_since(begin) < 10);
}

void compare(std::size_t size, Numbers numbers) {
  const System system = gram_system(draw_problem(size, numbers));
  // The matrices of FLINT are made each time, as the exact stage would have to.
  std::vector<Way> ways{{[&] { return solve_by_lifting(system.matrix, system.right).value(); }},
                        {[&] { return FlintSystem(system).dixon(); }},
                        {[&] { return FlintSystem(system).dixon_early(); }},
                        {[&] { return FlintSystem(system).dixon_denominator(); }}};
  take_turns(ways);
  const double ours = median(ways.front().seconds);
  std::printf("%5zu %-9s %6zu %9.6f s", size, numbers == Numbers::doubles ? "doubles" : "decimals",
              std::size_t{msb(ways.front().found.denominator)} + 1, ours);
  for (std::size_t k = 1; k < ways.size(); ++k)
    std::printf(" %8.2fx%s", median(ways[k].seconds) / ours, equal(ways[k].found, ways.front().found) ? "" : " ANOTHER ANSWER");
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main() {
  std::printf("FLINT %s: a, fmpz_mat_solve_dixon; b, fmpq_mat_solve_fmpz_mat_dixon; c, fmpz_mat_solve_dixon_den\n", flint_version);
  std::printf(" size numbers     bits        ours         a         b         c\n");
  for (const std::size_t size : {20U, 40U, 80U, 160U})
    for (const Numbers numbers : {Numbers::doubles, Numbers::decimals}) compare(size, numbers);
}
