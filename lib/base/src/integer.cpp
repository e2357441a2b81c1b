#include "attest/base/integer.hpp"

#include <ostream>
#include <stdexcept>
#include <vector>

namespace attest {
namespace {

void refuse_zero(const Integer& divisor) {
  if (divisor.is_zero()) throw std::domain_error("division by zero");
}

}  // namespace

Integer::Integer(const std::string& digits) : Integer() {
  if (mpz_set_str(value_, digits.c_str(), 10) != 0) throw std::invalid_argument("not an integer: " + digits);
}

std::string Integer::str() const {
  std::string text(mpz_sizeinbase(value_, 10) + 2, '\0');
  mpz_get_str(text.data(), 10, value_);
  text.resize(text.find('\0'));
  return text;
}

Integer& Integer::operator/=(const Integer& other) {
  refuse_zero(other);
  mpz_tdiv_q(value_, value_, other.value_);
  return *this;
}

Integer& Integer::operator%=(const Integer& other) {
  refuse_zero(other);
  mpz_tdiv_r(value_, value_, other.value_);
  return *this;
}

Integer sqrt(const Integer& a) {
  if (a.sign() < 0) throw std::domain_error("square root of a negative integer");
  Integer result;
  mpz_sqrt(result.value_, a.value_);
  return result;
}

std::size_t msb(const Integer& a) {
  if (a.sign() <= 0) throw std::domain_error("the highest bit of an integer that is not positive");
  return mpz_sizeinbase(a.value_, 2) - 1;
}

std::ostream& operator<<(std::ostream& out, const Integer& value) { return out << value.str(); }

}  // namespace attest
