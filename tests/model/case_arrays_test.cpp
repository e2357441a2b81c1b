#include "array_bytes.hpp"
#include "case_reading.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace attest {
namespace {

std::string doubles_npy(const std::string& shape, const std::vector<double>& numbers) {
  return npy_bytes(npy_dictionary("<f8", shape), numbers_bytes(numbers));
}

/// tokens 2 x 2 x 1 as X, labels as Y, v as v, W as W, queries as Z.
void write_arrays(const ScratchFolder& folder) {
  folder.write("data.npz",
               zip_bytes({{.name = "X.npy", .content = doubles_npy("(2, 2, 1)", {0.1, 2, 3, 4}), .deflate = true},
                          {.name = "Y.npy", .content = npy_bytes(npy_dictionary("<i8", "(2,)"), numbers_bytes<std::int64_t>({-1, 1}))},
                          {.name = "v.npy", .content = doubles_npy("(1,)", {0.25})},
                          {.name = "W.npy", .content = doubles_npy("(1, 1)", {7})},
                          {.name = "Z.npy", .content = doubles_npy("(2, 1)", {8, 9})}}));
}

std::string in_npz(const std::string& array) { return R"({"file": "data.npz", "array": ")" + array + "\"}"; }

BOOST_AUTO_TEST_SUITE(case_arrays)

BOOST_AUTO_TEST_CASE(numbers_mean_exactly_what_is_written) {
  const Case read = accepted(
      {.tokens = R"([[[0.1, -2.5e-3, "9/10", "-0.1", 123456789012345678901234567890, 1E+2, 1e-400, "1e-5000"]]])", .labels = "[1]"});
  const ExactMatrix& token = read.problem.tokens[0];
  BOOST_TEST(token.at(0, 0) == Rational(1, 10));
  BOOST_TEST(token.at(0, 1) == Rational(-1, 400));
  BOOST_TEST(token.at(0, 2) == Rational(9, 10));
  BOOST_TEST(token.at(0, 3) == Rational(-1, 10));
  BOOST_TEST(token.at(0, 4) == Rational("123456789012345678901234567890"));
  BOOST_TEST(token.at(0, 5) == 100);
  BOOST_TEST(token.at(0, 6) == *parse_decimal("1e-400"));
  BOOST_TEST(token.at(0, 7) == *parse_decimal("1e-5000"));
  BOOST_TEST(token.image()[0] == 0.1);
}

BOOST_AUTO_TEST_CASE(the_largest_integers_of_a_machine_word_are_exact) {
  const Case read =
      accepted({.tokens = "[[[9223372036854775807, -9223372036854775808, 18446744073709551615, 9007199254740993]]]", .labels = "[1]"});
  BOOST_TEST(read.problem.tokens[0].at(0, 0) == Rational("9223372036854775807"));
  BOOST_TEST(read.problem.tokens[0].at(0, 1) == Rational("-9223372036854775808"));
  BOOST_TEST(read.problem.tokens[0].at(0, 2) == Rational("18446744073709551615"));
  BOOST_TEST(read.problem.tokens[0].at(0, 3) == Rational("9007199254740993"));
}

BOOST_AUTO_TEST_CASE(what_is_not_a_number_is_refused_where_it_stands) {
  for (const char* wrong :
       {"\"\"", "\"abc\"", "\"NaN\"", "\"1/0\"", "\" 1\"", "\"1,5\"", "\".5\"", "\"+1\"", "\"1e5001\"", "null", "true", "[1]", "{}"})
    check_refused({.more = "\"v\": [0, " + std::string(wrong) + "],"}, "$.v[1]", "", "a number");
  check_refused({.more = "\"v\": [0, 1e-5001],"}, "$.v[1]", "1e-5001", "an exponent from -5000 to 5000");
  check_refused({.more = "\"v\": [0, 1e400],"}, "$.v[1]", "1e400", "in the range of doubles");
  check_refused({.more = "\"v\": [0, -1.7976931348623159e308],"}, "$.v[1]", "-1.7976931348623159e308", "in the range of doubles");
  check_refused({.more = "\"v\": [0, 1e6000],"}, "$.v[1]", "1e6000", "a number below 1e4932 at line 1");
  check_refused({.tokens = "[[[1], [\"x\"]]]", .labels = "[1]"}, "$.tokens[0][1][0]", "\"x\"", "\"9/10\"");
}

BOOST_AUTO_TEST_CASE(the_largest_double_is_in_range) {
  BOOST_TEST(accepted({.more = "\"v\": [0, 1.7976931348623158e308],"}).problem.v->image()[1] == 1.7976931348623157e308);
}

BOOST_AUTO_TEST_CASE(tokens_of_a_wrong_shape_are_refused) {
  const std::string path = "$.tokens";
  check_refused({.tokens = "3"}, path, "3", "a non-empty array of samples");
  check_refused({.tokens = "[]"}, path, "an empty array", "a non-empty array of samples");
  check_refused({.tokens = "[[]]"}, "$.tokens[0]", "an empty array", "a non-empty array of tokens");
  check_refused({.tokens = "[[[1]], []]"}, "$.tokens[1]", "an empty array", "a non-empty array of tokens");
  check_refused({.tokens = "[[[]]]"}, "$.tokens[0][0]", "an empty array", "a non-empty array of numbers");
  check_refused({.tokens = "[[1, 2]]"}, "$.tokens[0][0]", "1", "a non-empty array of numbers");
  check_refused({.tokens = "[[[1, 2], [3]]]"}, "$.tokens[0][1]", "an array of 1", "an array of 2 numbers");
  check_refused({.tokens = "[[[1, 2]], [[1, 2], [1, 2, 3]]]"}, "$.tokens[1][1]", "an array of 3", "an array of 2 numbers");
  check_refused({.tokens = "[[[1, 2]], 7]"}, "$.tokens[1]", "7", "a non-empty array of tokens");
}

BOOST_AUTO_TEST_CASE(labels_are_plus_or_minus_one_for_each_sample) {
  BOOST_TEST((accepted({.labels = "[-1, \"1\"]"}).problem.labels == std::vector<int>{-1, 1}));
  check_refused({.labels = "[1, 0]"}, "$.labels[1]", "0", "1 or -1");
  check_refused({.labels = "[1, 2]"}, "$.labels[1]", "2", "1 or -1");
  check_refused({.labels = "[1, -1.0000000000000000001]"}, "$.labels[1]", "-1.0000000000000000001", "1 or -1");
  check_refused({.labels = "[1, true]"}, "$.labels[1]", "true", "a number");
  check_refused({.labels = "[1]"}, "$.labels", "an array of 1", "an array of 2 labels");
  check_refused({.labels = "1"}, "$.labels", "1", "an array of 2 labels");
}

BOOST_AUTO_TEST_CASE(v_w_and_queries_have_the_shape_of_the_data) {
  check_refused({.more = "\"v\": [1],"}, "$.v", "an array of 1", "an array of 2 numbers");
  check_refused({.more = "\"v\": [[1, 2]],"}, "$.v", "an array of 1", "an array of 2 numbers");
  check_refused({.more = "\"v\": null,"}, "$.v", "null", "an array of 2 numbers");
  check_refused({.more = "\"W\": [[1, 0]],"}, "$.W", "an array of 1", "an array of 2 rows of 2 numbers");
  check_refused({.more = "\"W\": [[1, 0], [1]],"}, "$.W[1]", "an array of 1", "an array of 2 numbers");
  check_refused({.more = "\"W\": [1, 0],"}, "$.W[0]", "1", "an array of 2 numbers");
  check_refused({.more = "\"queries\": [[1, 0], [1, 0], [1, 0]],"}, "$.queries", "an array of 3", "an array of 2 rows of 2 numbers");
}

BOOST_AUTO_TEST_CASE(every_array_may_be_in_a_file) {
  const ScratchFolder folder;
  write_arrays(folder);
  const Case read = accepted({.tokens = in_npz("X"),
                              .labels = in_npz("Y"),
                              .more = "\"v\": " + in_npz("v") + ", \"W\": " + in_npz("W") + ", \"queries\": " + in_npz("Z") + ","},
                             folder);
  BOOST_TEST(read.problem.tokens[0].at(0, 0) == exact_value(0.1));
  BOOST_TEST(read.problem.tokens[1].at(1, 0) == 4);
  BOOST_TEST((read.problem.labels == std::vector<int>{-1, 1}));
  BOOST_TEST(read.problem.v->at(0, 0) == Rational(1, 4));
  BOOST_TEST(read.problem.W->at(0, 0) == 7);
  BOOST_TEST(read.problem.queries->at(1, 0) == 9);
}

BOOST_AUTO_TEST_CASE(a_npy_file_is_named_without_an_array) {
  const ScratchFolder folder;
  folder.write("x.npy", doubles_npy("(2, 1, 1)", {1, 2}));
  const CaseText text{.tokens = R"({"file": "x.npy"})"};
  BOOST_TEST(accepted(text, folder).problem.tokens[1].at(0, 0) == 2);
  check_refused({.tokens = R"({"file": "x.npy", "array": "X"})"}, "$.tokens", "an array's name, X, with a .npy file (x.npy:X)", "no name",
                folder);
}

BOOST_AUTO_TEST_CASE(a_file_is_named_by_its_keys_alone) {
  check_refused({.tokens = "{}"}, "$.tokens", "no file", "file: the name of a .npy or .npz file");
  check_refused({.tokens = R"({"file": 3})"}, "$.tokens.file", "3", "the name of a .npy or .npz file");
  check_refused({.tokens = R"({"file": "data.npz"})"}, "$.tokens", "no array", "array: the name of an array");
  check_refused({.tokens = R"({"file": "data.npz", "array": ""})"}, "$.tokens.array", "an empty text", "the name of an array");
  check_refused({.tokens = R"({"file": "data.npz", "array": 1})"}, "$.tokens.array", "1", "the name of an array");
  check_refused({.tokens = R"({"file": "data.npz", "aray": "X"})"}, "$.tokens.aray", "unknown key", "(did you mean array?)");
}

BOOST_AUTO_TEST_CASE(a_file_that_is_missing_or_damaged_is_refused_where_it_is_named) {
  const ScratchFolder folder;
  write_arrays(folder);
  folder.write("bad.npz", "nothing of the kind");
  check_refused({.tokens = R"({"file": "none.npz", "array": "X"})"}, "$.tokens", "no such file (none.npz:X)", "a .npy or .npz file",
                folder);
  check_refused({.tokens = R"({"file": "bad.npz", "array": "X"})"}, "$.tokens", "(bad.npz:X)", "an intact .npz archive", folder);
  check_refused({.tokens = in_npz("Q")}, "$.tokens", "no array Q (data.npz:Q)", "X, Y, v, W, Z", folder);
  check_refused({.tokens = R"({"file": "data.txt"})"}, "$.tokens", "not named .npy or .npz", "a .npy or .npz file", folder);
}

BOOST_AUTO_TEST_CASE(arrays_of_a_wrong_shape_are_refused) {
  const ScratchFolder folder;
  write_arrays(folder);
  folder.write("empty.npy", doubles_npy("(0, 2, 2)", {}));
  check_refused({.tokens = in_npz("Z")}, "$.tokens", "shape (2, 1) of data.npz:Z", "shape (n, T, d)", folder);
  check_refused({.tokens = R"({"file": "empty.npy"})"}, "$.tokens", "shape (0, 2, 2) of empty.npy", "each at least 1", folder);
  check_refused({.tokens = in_npz("X"), .labels = in_npz("v")}, "$.labels", "shape (1,) of data.npz:v", "shape (2,)", folder);
  check_refused({.tokens = in_npz("X"), .more = "\"v\": " + in_npz("Y") + ","}, "$.v", "shape (2,)", "shape (1,)", folder);
  check_refused({.tokens = in_npz("X"), .more = "\"W\": " + in_npz("Z") + ","}, "$.W", "shape (2, 1)", "shape (1, 1)", folder);
  check_refused({.tokens = in_npz("X"), .more = "\"queries\": " + in_npz("W") + ","}, "$.queries", "shape (1, 1)", "shape (2, 1)", folder);
}

BOOST_AUTO_TEST_CASE(numbers_of_a_file_that_are_not_finite_are_refused_with_their_index) {
  const ScratchFolder folder;
  folder.write("nan.npz", zip_bytes({{.name = "X.npy", .content = doubles_npy("(2, 1, 2)", {1, 2, 3, NAN})}}));
  folder.write("inf.npy", doubles_npy("(2,)", {-INFINITY, 1}));
  check_refused({.tokens = R"({"file": "nan.npz", "array": "X"})"}, "$.tokens", "nan at [1][0][1] of nan.npz:X", "finite numbers", folder);
  check_refused({.more = R"("v": {"file": "inf.npy"},)"}, "$.v", "-inf at [0] of inf.npy", "finite numbers", folder);
}

BOOST_AUTO_TEST_CASE(labels_of_a_file_are_plus_or_minus_one) {
  const ScratchFolder folder;
  folder.write("y.npy", doubles_npy("(2,)", {1, 0.5}));
  check_refused({.labels = R"({"file": "y.npy"})"}, "$.labels", "1/2 at [1] of y.npy", "1 or -1", folder);
}

BOOST_AUTO_TEST_CASE(names_from_files_are_shown_without_control_characters) {
  const ScratchFolder folder;
  folder.write("odd.npz", zip_bytes({{.name = "\x1B[31m.npy", .content = ""}}));
  check_refused({.tokens = R"({"file": "odd.npz", "array": "X"})"}, "$.tokens", "no array X", "\\x1b[31m", folder);
}

BOOST_AUTO_TEST_CASE(a_number_of_more_than_a_million_characters_is_refused) {
  check_refused({.more = "\"v\": [0, \"0." + std::string(1'000'000, '1') + "\"],"}, "$.v[1]", "a number of 1000002 characters",
                "at most 1000000");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
