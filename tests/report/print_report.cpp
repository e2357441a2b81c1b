// print_report FORMAT < RESULTS.json: the results as junit or html.

#include "attest/report/html.hpp"
#include "attest/report/junit.hpp"

#include <iostream>
#include <string_view>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const attest::Json results = attest::Json::parse(std::cin);
  std::cout << (std::string_view(argv[1]) == "junit" ? attest::junit(results) : attest::html(results));
}
