#include "lifting_solver.hpp"

#include <flint/fmpq.h>
#include <flint/nmod_mat.h>
#include <flint/ulong_extras.h>

#include <algorithm>
#include <cstdint>

namespace attest {
namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

/// M x is summed in signed digits of this many bits: 56 + 59 bits a product leave room for 2^12 of them in 128 bits.
constexpr unsigned digit_bits = 56;
/// Products of two residues below 2^59 that fit in 128 bits before they must be reduced.
constexpr std::size_t block_size = 512;

std::size_t bit_count(const Integer& value) { return value.is_zero() ? 0 : mpz_sizeinbase(value.data(), 2); }

/// The matrix as signed digits, one plane a digit, rows one after the other.
class DigitPlanes {
 public:
  explicit DigitPlanes(const std::vector<std::vector<Integer>>& matrix) : size_(matrix.size()) {
    std::size_t bits = 1;
    for (const auto& row : matrix)
      for (const Integer& entry : row) bits = std::max(bits, bit_count(entry));
    planes_.assign((bits + digit_bits - 1) / digit_bits, std::vector<std::int64_t>(size_ * size_));
    constexpr std::uint64_t mask = (std::uint64_t{1} << digit_bits) - 1;
    for (std::size_t r = 0; r < size_; ++r) {
      for (std::size_t c = 0; c < size_; ++c) {
        Integer rest = abs(matrix[r][c]);
        for (auto& plane : planes_) {
          const auto digit = static_cast<std::int64_t>(mpz_get_ui(rest.data()) & mask);
          plane[r * size_ + c] = matrix[r][c] < 0 ? -digit : digit;
          rest >>= digit_bits;
        }
      }
    }
  }

  /// residual - (M x)_r, where x holds residues.
  void subtract_product(Integer& residual, std::size_t r, const std::vector<std::uint64_t>& x) const {
    mpz_ptr value = residual.data();
    for (std::size_t plane = 0; plane < planes_.size(); ++plane) {
      const std::int64_t* row = planes_[plane].data() + r * size_;
      Wide sum = 0;
      for (std::size_t c = 0; c < size_; ++c) sum += static_cast<Wide>(row[c]) * static_cast<std::int64_t>(x[c]);
      subtract_shifted(value, sum, plane * digit_bits);
    }
  }

 private:
  static void subtract_shifted(mpz_ptr value, Wide sum, std::size_t shift) {
    const bool negative = sum < 0;
    const auto size = static_cast<UnsignedWide>(negative ? -sum : sum);
    const std::uint64_t words[2] = {static_cast<std::uint64_t>(size), static_cast<std::uint64_t>(size >> 64)};
    static thread_local Integer term;
    mpz_ptr shifted = term.data();
    mpz_import(shifted, 2, -1, sizeof words[0], 0, 0, words);
    mpz_mul_2exp(shifted, shifted, shift);
    if (negative)
      mpz_add(value, value, shifted);
    else
      mpz_sub(value, value, shifted);
  }

  std::size_t size_;
  std::vector<std::vector<std::int64_t>> planes_;
};

/// M^-1 modulo a prime below 2^59.
class ModularInverse {
 public:
  ModularInverse(const std::vector<std::vector<Integer>>& matrix, std::uint64_t prime) : size_(matrix.size()), prime_(prime) {
    const auto k = static_cast<slong>(size_);
    nmod_mat_t reduced;
    nmod_mat_t inverse;
    nmod_mat_init(reduced, k, k, prime);
    nmod_mat_init(inverse, k, k, prime);
    for (slong r = 0; r < k; ++r)
      for (slong c = 0; c < k; ++c)
        nmod_mat_entry(reduced, r, c) = mpz_fdiv_ui(matrix[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)].data(), prime);
    exists_ = nmod_mat_inv(inverse, reduced) != 0;
    for (slong r = 0; exists_ && r < k; ++r)
      for (slong c = 0; c < k; ++c) entries_.push_back(nmod_mat_entry(inverse, r, c));
    nmod_mat_clear(reduced);
    nmod_mat_clear(inverse);
  }

  bool exists() const { return exists_; }

  std::uint64_t product(std::size_t r, const std::vector<std::uint64_t>& residues) const {
    UnsignedWide total = 0;
    for (std::size_t begin = 0; begin < size_; begin += block_size) {
      UnsignedWide sum = 0;
      for (std::size_t c = begin; c < std::min(size_, begin + block_size); ++c)
        sum += static_cast<UnsignedWide>(entries_[r * size_ + c]) * residues[c];
      total += sum % prime_;
    }
    return static_cast<std::uint64_t>(total % prime_);
  }

 private:
  std::size_t size_;
  std::uint64_t prime_;
  bool exists_ = false;
  std::vector<std::uint64_t> entries_;
};

/// Hadamard: bits of the determinant, and of the determinant with a column replaced by the right side.
struct Bounds {
  std::size_t denominator_bits = 1;
  std::size_t numerator_bits = 1;
};

Bounds hadamard(const std::vector<std::vector<Integer>>& matrix, const std::vector<Integer>& right) {
  Bounds bounds;
  std::size_t right_bits = 1;
  for (const Integer& entry : right) right_bits = std::max(right_bits, bit_count(entry));
  std::size_t root_bits = 1;  // sqrt(k) of the norm of the right side
  for (std::size_t k = matrix.size(); k > 1; k /= 4) ++root_bits;
  for (std::size_t c = 0; c < matrix.size(); ++c) {
    Integer square = 0;
    for (const auto& row : matrix) square += row[c] * row[c];
    bounds.denominator_bits += (bit_count(square) + 1) / 2;
  }
  bounds.numerator_bits = bounds.denominator_bits + right_bits + root_bits;
  return bounds;
}

/// The residues of x modulo p^m as one integer each.
class Lifting {
 public:
  Lifting(const std::vector<std::vector<Integer>>& matrix, const std::vector<Integer>& right, std::uint64_t prime)
      : inverse_(matrix, prime), planes_(matrix), prime_(prime), residual_(right), digits_(right.size()) {}

  bool possible() const { return inverse_.exists(); }

  void run(std::size_t steps) {
    const std::size_t k = residual_.size();
    std::vector<std::uint64_t> reduced(k);
    std::vector<std::uint64_t> x(k);
    for (std::size_t step = 0; step < steps; ++step) {
      for (std::size_t r = 0; r < k; ++r) reduced[r] = mpz_fdiv_ui(residual_[r].data(), prime_);
      for (std::size_t r = 0; r < k; ++r) {
        x[r] = inverse_.product(r, reduced);
        digits_[r].push_back(x[r]);
      }
      for (std::size_t r = 0; r < k; ++r) {
        planes_.subtract_product(residual_[r], r, x);
        mpz_divexact_ui(residual_[r].data(), residual_[r].data(), prime_);
      }
    }
  }

  Integer value(std::size_t r) const {
    Integer result = 0;
    for (std::size_t k = digits_[r].size(); k-- > 0;) {
      mpz_mul_ui(result.data(), result.data(), prime_);
      mpz_add_ui(result.data(), result.data(), digits_[r][k]);
    }
    return result;
  }

 private:
  ModularInverse inverse_;
  DigitPlanes planes_;
  std::uint64_t prime_;
  std::vector<Integer> residual_;
  std::vector<std::vector<std::uint64_t>> digits_;
};

/// The fraction n/d congruent to a residue with |n| and d below the bounds; the modulus exceeds twice their product.
Rational reconstruct(const Integer& residue, const Integer& modulus, const Integer& most_numerator, const Integer& most_denominator) {
  fmpz_t a;
  fmpz_t m;
  fmpz_t n;
  fmpz_t d;
  fmpq_t fraction;
  for (auto* number : {a, m, n, d}) fmpz_init(number);
  fmpq_init(fraction);
  fmpz_set_mpz(a, residue.data());
  fmpz_set_mpz(m, modulus.data());
  fmpz_set_mpz(n, most_numerator.data());
  fmpz_set_mpz(d, most_denominator.data());
  const int found = fmpq_reconstruct_fmpz_2(fraction, a, m, n, d);
  Rational result;
  fmpq_get_mpq(result.data(), fraction);
  for (auto* number : {a, m, n, d}) fmpz_clear(number);
  fmpq_clear(fraction);
  if (!found) throw std::logic_error("solve_by_lifting: a fraction was not found within Hadamard's bound");
  return result;
}

/// All entries over one denominator, which grows from entry to entry: usually the first gives it whole.
FractionVector over_one_denominator(const Lifting& lifting, std::size_t size, const Integer& modulus, const Bounds& bounds) {
  const Integer most_numerator = Integer(1) << bounds.numerator_bits;
  const Integer most_denominator = Integer(1) << bounds.denominator_bits;
  FractionVector result;
  for (std::size_t r = 0; r < size; ++r) {
    Integer scaled = lifting.value(r) * result.denominator % modulus;
    const Integer mirrored = scaled - modulus;
    if (-mirrored < scaled) scaled = mirrored;
    // |numerator| * denominator below half the modulus makes the fraction unique, so a small residue is the numerator.
    if (abs(scaled) <= most_numerator) {
      result.numerators.push_back(scaled);
      continue;
    }
    if (scaled < 0) scaled += modulus;
    const Rational fraction = reconstruct(scaled, modulus, most_numerator, most_denominator);
    for (Integer& earlier : result.numerators) earlier *= denominator(fraction);
    result.denominator *= denominator(fraction);
    result.numerators.push_back(numerator(fraction));
  }
  return result;
}

}  // namespace

std::optional<FractionVector> solve_by_lifting(const std::vector<std::vector<Integer>>& matrix, const std::vector<Integer>& right) {
  const Bounds bounds = hadamard(matrix, right);
  constexpr int prime_limit = 8;  // a regular matrix is singular modulo a random 59-bit prime with chance about 2^-58
  std::uint64_t prime = std::uint64_t{1} << 58;
  for (int attempt = 0; attempt < prime_limit; ++attempt) {
    prime = n_nextprime(prime, 1);
    Lifting lifting(matrix, right, prime);
    if (!lifting.possible()) continue;
    // One bit for the sign, one for "twice", and p^m > 2^(58 m).
    const std::size_t steps = (bounds.numerator_bits + bounds.denominator_bits + 2) / 58 + 1;
    lifting.run(steps);
    const Integer modulus = pow(Integer(prime), static_cast<unsigned>(steps));
    return over_one_denominator(lifting, right.size(), modulus, bounds);
  }
  return std::nullopt;
}

}  // namespace attest
