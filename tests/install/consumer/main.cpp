// A user of the library: solves a p-SVM exactly, has the proof checked, and sees what is refused. (docs/library.md)

#include <attest/attest.hpp>

#include <iostream>

int main() {
  const attest::Problem problem({.tokens = {{{"-1/10", 1}, {1, 0}, {0, 0}}}, .labels = {1}, .v = attest::Vector{0, 1}});
  attest::Study study(problem);
  const attest::Svm svm = study.p_svm({0});
  std::cout << "objective " << svm.objective << ", tight rows: " << svm.rows.size() << "\n";
  std::cout << "the certificate is " << (attest::check_certificate(svm.certificate).accepted ? "accepted" : "rejected") << "\n";

  const attest::Finding optimal = study.check("locally-optimal", R"({"selection": [0]})");
  std::cout << "locally optimal: " << name_of(optimal.verdict) << ", " << name_of(optimal.grade) << "\n";

  try {
    attest::Problem({.tokens = {{{1, 0}, {0, 1}}}, .labels = {7}});
  } catch (const attest::InputError& refused) {
    std::cout << refused.what() << "\n";
  }
  return 0;
}
