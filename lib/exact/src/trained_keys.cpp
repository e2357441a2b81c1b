#include "trained_keys.hpp"

#include "attest/model/token_rows.hpp"
#include "fraction_vector.hpp"

namespace attest {

std::vector<Rational> left_key(const ExactTokens& tokens, bool weights, std::size_t sample, std::size_t token) {
  const Problem& problem = tokens.problem();
  if (!weights && problem.W) return to_rationals(tokens.key(sample, token));
  std::vector<Rational> key(problem.dimension());
  for (std::size_t c = 0; c < key.size(); ++c) key[c] = problem.tokens[sample].at(token, c);
  return key;
}

FractionVector left_fractions(const ExactTokens& tokens, bool weights, std::size_t sample, std::size_t token) {
  if (!weights && tokens.problem().W) return tokens.key(sample, token);
  const ExactMatrix& data = tokens.problem().tokens[sample];
  return data.image_is_exact() ? row_fractions(data, token) : tokens.token(sample, token);
}

std::vector<Rational> key_difference(const ExactTokens& tokens, Parametrisation parametrisation, std::size_t sample, std::size_t token,
                                     std::size_t from) {
  const bool weights = parametrisation == Parametrisation::weights;
  std::vector<Rational> difference = left_key(tokens, weights, sample, token);
  const std::vector<Rational> other = left_key(tokens, weights, sample, from);
  for (std::size_t k = 0; k < difference.size(); ++k) difference[k] -= other[k];
  if (!weights) return difference;
  const std::vector<Rational> query = to_rationals(tokens.query(sample));
  std::vector<Rational> matrix;
  for (const Rational& entry : difference)
    for (const Rational& factor : query) matrix.emplace_back(entry * factor);
  return matrix;
}

}  // namespace attest
