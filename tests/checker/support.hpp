#pragma once

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "rules.hpp"

namespace attest::check::test {

/// "accepted", or why the certificate is rejected.
inline std::string verdict(const std::string& certificate, const Problem* case_problem = nullptr) {
  try {
    const JsonDocument document = JsonDocument::parse(certificate);
    check_certificate(document.root(), case_problem);
    return "accepted";
  } catch (const Rejected& why) {
    return why.what();
  }
}

/// `text` with its only occurrence of `from` replaced: the twin of an accepted certificate.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  BOOST_TEST_REQUIRE(at != std::string::npos, "not found: " << from);
  BOOST_TEST_REQUIRE(text.find(from, at + 1) == std::string::npos, "found twice: " << from);
  return text.replace(at, from.size(), to);
}

inline std::string certificate(const std::string& claim, const std::string& problem, const std::string& statement,
                               const std::string& witness) {
  return R"({"attest_certificate": 1, "claim": ")" + claim + R"(", "problem": )" + problem + R"(, "statement": )" + statement +
         R"(, "witness": )" + witness + "}";
}

/// A changed certificate, and a part of the reason for which it must be rejected.
using Twin = std::pair<std::string, std::string>;

inline void check_twins(const std::string& good, const std::vector<std::pair<Twin, std::string>>& twins) {
  BOOST_TEST(verdict(good) == "accepted");
  for (const auto& [change, why] : twins) {
    const std::string said = verdict(with(good, change.first, change.second));
    BOOST_TEST(said.find(why) != std::string::npos, change.first << " -> " << change.second << " gave: " << said);
  }
}

/// One input of three tokens: scores 1, 9/10, 9/10; keys (-1/10,1,0), (1,0,0), 0.
inline const std::string one_input = R"({
    "tokens": [[["-1/10","1","1"],["1","0","9/10"],["0","0","9/10"]]],
    "labels": [1], "v": ["0","0","1"],
    "W": [["1","0","0"],["0","1","0"],["0","0","0"]], "loss": "logistic"})";

/// Three samples whose v-svm is tight everywhere for the selection [1,1,1].
inline const std::string three_tight = R"({
    "tokens": [[["0","0"],["1","1"]],[["0","0"],["1","-1"]],[["0","0"],["1/2","1"]]],
    "labels": [1,-1,1], "loss": "logistic"})";

/// A scratch folder of one test, removed at its end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "attest-XXXXXX").string();
    BOOST_TEST_REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace attest::check::test
