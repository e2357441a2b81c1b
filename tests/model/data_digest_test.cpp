#include "attest/model/data_digest.hpp"

#include "attest/model/sha256.hpp"
#include "case_reading.hpp"

#include <boost/test/unit_test.hpp>

namespace attest {
namespace {

std::string sha256(std::string_view text) {
  Sha256 hash;
  hash.update(text);
  return hash.hex();
}

DataDigest digest(const CaseText& text) { return digest_of(accepted(text).problem); }

using Parts = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(data_digest)

// [FIPS 180-4] examples, and lengths around the end of a block, where padding needs one block more.
BOOST_AUTO_TEST_CASE(known_texts_have_their_known_sha_256) {
  BOOST_TEST(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  BOOST_TEST(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  BOOST_TEST(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
             "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  BOOST_TEST(sha256(std::string(55, 'a')) == "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  BOOST_TEST(sha256(std::string(64, 'a')) == "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
  BOOST_TEST(sha256(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

BOOST_AUTO_TEST_CASE(pieces_have_the_sha_256_of_the_whole) {
  const std::string text(1000, 'x');
  for (const std::size_t piece : {1U, 63U, 64U, 65U}) {
    Sha256 hash;
    for (std::size_t begin = 0; begin < text.size(); begin += piece) hash.update(std::string_view(text).substr(begin, piece));
    BOOST_TEST(hash.hex() == sha256(text));
  }
}

BOOST_AUTO_TEST_CASE(the_digest_is_that_of_the_documented_text) {
  const DataDigest made = digest({.tokens = R"([[[0.5, "1/3"], [-2, 0]], [[1, 1e0]]])", .more = R"("v": [1, "-0.25"],)"});
  BOOST_TEST(made.at("tokens") == sha256("2 2\n1/2\n1/3\n-2\n0\n1 2\n1\n1\n"));
  BOOST_TEST(made.at("labels") == sha256("1\n-1\n"));
  BOOST_TEST(made.at("v") == sha256("1 2\n1\n-1/4\n"));
  BOOST_TEST(made.at("loss") == sha256("logistic\n"));
  BOOST_TEST(!made.contains("W"));
  BOOST_TEST(digest({.more = R"~("loss": {"expression": "exp(-u)"},)~"}).at("loss") == sha256("exp(-u)\n"));
}

BOOST_AUTO_TEST_CASE(another_spelling_of_the_same_numbers_has_the_same_digest) {
  BOOST_TEST(
      (digest({}) == digest({.tokens = R"([[["1", 0.0], ["0/7", 1e0]], [[1, "2/2"], [20e-1, -0], [0, 2]]])", .labels = "[1.0, \"-1\"]"})));
}

BOOST_AUTO_TEST_CASE(the_parts_that_changed_are_named) {
  const DataDigest before = digest({.more = "\"v\": [1, 0],"});
  BOOST_TEST((changed_parts(before, before) == Parts{}));
  BOOST_TEST((changed_parts(before, digest({.tokens = "[[[1, 0], [0, 1]], [[1, 1], [2, 0], [0, \"2.0000000000000000000001\"]]]",
                                            .more = "\"v\": [1, 0],"})) == Parts{"tokens"}));
  BOOST_TEST((changed_parts(before, digest({.labels = "[1, 1]"})) == Parts{"labels", "v"}));
  BOOST_TEST((changed_parts(before, digest({.more = "\"v\": [1, 0], \"W\": [[1, 0], [0, 1]], \"loss\": \"exponential\","})) ==
              Parts{"W", "loss"}));
}

BOOST_AUTO_TEST_CASE(samples_cut_otherwise_are_other_tokens) {
  BOOST_TEST(digest({.tokens = "[[[1, 2], [3, 4]], [[5, 6]]]"}).at("tokens") !=
             digest({.tokens = "[[[1, 2]], [[3, 4], [5, 6]]]"}).at("tokens"));
}

std::string pinned(const DataDigest& parts) {
  std::string text;
  for (const auto& [part, sha] : parts) text += (text.empty() ? "" : ", ") + ("\"" + part + "\": \"" + sha + "\"");
  return "\"data_sha256\": {" + text + "},";
}

BOOST_AUTO_TEST_CASE(a_case_says_what_changed_since_it_was_pinned) {
  const DataDigest before = digest({});
  BOOST_TEST((accepted({.more = pinned(before)}).changed_data() == Parts{}));
  BOOST_TEST((accepted({.labels = "[-1, -1]", .more = pinned(before)}).changed_data() == Parts{"labels"}));
  BOOST_TEST((accepted({}).changed_data() == Parts{}));  // a case that pins nothing
}

BOOST_AUTO_TEST_CASE(a_digest_that_is_none_is_refused) {
  DataDigest parts = digest({});
  parts["tokens"].pop_back();
  check_refused({.more = pinned(parts)}, "$.data_sha256.tokens", parts["tokens"].substr(0, 8), "64 digits");
  parts["tokens"] += "G";
  check_refused({.more = pinned(parts)}, "$.data_sha256.tokens", "\"", "64 digits");
  parts.erase("tokens");
  check_refused({.more = pinned(parts)}, "$.data_sha256", "no tokens", "tokens: its SHA-256");
  check_refused({.more = "\"data_sha256\": \"abc\","}, "$.data_sha256", "\"abc\"", "an object");
  parts = digest({});
  parts["token"] = parts["tokens"];
  check_refused({.more = pinned(parts)}, "$.data_sha256.token", "unknown key", "did you mean tokens?");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
