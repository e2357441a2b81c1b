#include "claim_seed.hpp"

namespace attest {

std::uint64_t claim_seed(std::uint64_t seed, const std::string& case_name, const std::string& claim) {
  std::uint64_t hash = 14695981039346656037ULL ^ seed;  // FNV-1a
  for (const char c : case_name + '\n' + claim) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

}  // namespace attest
