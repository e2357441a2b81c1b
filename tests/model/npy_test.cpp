#include "attest/model/npy.hpp"

#include "array_bytes.hpp"
#include "scratch_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

namespace attest {
namespace {

BOOST_AUTO_TEST_SUITE(npy)

using Shape = std::vector<std::size_t>;
using Values = std::vector<double>;

std::variant<NumericArray, ArrayFault> read_bytes(const std::string& bytes) {
  const ScratchFolder folder;
  return read_array(folder.write("a.npy", bytes), "");
}

NumericArray array_of(const std::string& bytes) {
  const auto result = read_bytes(bytes);
  if (const auto* fault = std::get_if<ArrayFault>(&result)) BOOST_FAIL("found " << fault->found << ", expected " << fault->expected);
  return std::get<NumericArray>(result);
}

void check_refused(const std::string& bytes, const std::string& found) {
  const auto result = read_bytes(bytes);
  const auto* fault = std::get_if<ArrayFault>(&result);
  BOOST_REQUIRE_MESSAGE(fault != nullptr, "refused for " << found);
  BOOST_TEST(fault->found.find(found) != std::string::npos, fault->found << " has " << found);
  BOOST_TEST(!fault->expected.empty());
}

template <class Number>
void check_type(const std::string& type, const std::vector<Number>& numbers) {
  const std::string shape = "(" + std::to_string(numbers.size()) + ",)";
  const Values expected(numbers.begin(), numbers.end());
  const std::string small = sizeof(Number) == 1 ? "|" : "<";
  BOOST_TEST(array_of(npy_bytes(npy_dictionary(small + type, shape), numbers_bytes(numbers))).values == expected, type);
  BOOST_TEST(array_of(npy_bytes(npy_dictionary(">" + type, shape), numbers_bytes(numbers, true))).values == expected, ">" << type);
}

const std::string six_doubles = numbers_bytes<double>({1, 2, 3, 4, 5, 6});

BOOST_AUTO_TEST_CASE(every_type_of_number_is_read_in_both_byte_orders) {
  check_type<double>("f8", {0.1, -2.5, 1e300, 5e-324});
  check_type<float>("f4", {0.1F, -2.5F, 1e38F, 1e-45F});
  check_type<std::int8_t>("i1", {-128, 127});
  check_type<std::int16_t>("i2", {-32768, 32767, 258});
  check_type<std::int32_t>("i4", {std::numeric_limits<std::int32_t>::min(), 1, 16909060});
  check_type<std::int64_t>("i8", {-9007199254740992, 9007199254740992, std::numeric_limits<std::int64_t>::min(), std::int64_t{1} << 62});
  check_type<std::uint8_t>("u1", {0, 255});
  check_type<std::uint16_t>("u2", {65535, 1});
  check_type<std::uint32_t>("u4", {4294967295U, 1});
  check_type<std::uint64_t>("u8", {9007199254740992U, std::uint64_t{1} << 63});
}

// IEEE 754 binary16, by hand: 1, -2, the largest, the least normal, the least at all, 1/3 rounded, minus 0.
BOOST_AUTO_TEST_CASE(half_precision_is_exact) {
  const std::vector<std::uint16_t> bits = {0x3C00, 0xC000, 0x7BFF, 0x0400, 0x0001, 0x3555, 0x8000};
  const Values expected = {1, -2, 65504, 0x1p-14, 0x1p-24, 1365.0 / 4096, 0};
  BOOST_TEST(array_of(npy_bytes(npy_dictionary("<f2", "(7,)"), numbers_bytes(bits))).values == expected);
  BOOST_TEST(array_of(npy_bytes(npy_dictionary(">f2", "(7,)"), numbers_bytes(bits, true))).values == expected);
}

BOOST_AUTO_TEST_CASE(half_precision_keeps_what_is_not_finite) {
  const Values values = array_of(npy_bytes(npy_dictionary("<f2", "(3,)"), numbers_bytes<std::uint16_t>({0x7C00, 0xFC00, 0x7E00}))).values;
  BOOST_TEST(values[0] == std::numeric_limits<double>::infinity());
  BOOST_TEST(values[1] == -std::numeric_limits<double>::infinity());
  BOOST_TEST(std::isnan(values[2]));
}

BOOST_AUTO_TEST_CASE(booleans_are_zero_and_one_and_say_so) {
  const NumericArray read = array_of(npy_bytes(npy_dictionary("|b1", "(2,)"), std::string("\1\0", 2)));
  BOOST_TEST(read.values == (Values{1, 0}));
  BOOST_TEST(read.booleans);
  check_refused(npy_bytes(npy_dictionary("|b1", "(2,)"), std::string("\1\2", 2)), "the byte 2");
}

BOOST_AUTO_TEST_CASE(an_integer_that_no_double_holds_is_refused_where_it_stands) {
  const std::string dictionary = npy_dictionary("<i8", "(2, 2)");
  check_refused(npy_bytes(dictionary, numbers_bytes<std::int64_t>({1, 2, 9007199254740993, 4})), "2^53 that is not a double at [1][0]");
  check_refused(npy_bytes(dictionary, numbers_bytes<std::int64_t>({1, std::numeric_limits<std::int64_t>::max(), 3, 4})), "at [0][1]");
  check_refused(npy_bytes(dictionary, numbers_bytes<std::int64_t>({-9007199254740993, 2, 3, 4})), "at [0][0]");
  check_refused(npy_bytes(npy_dictionary("<u8", "()"), number_bytes(std::numeric_limits<std::uint64_t>::max())), "not a double");
}

BOOST_AUTO_TEST_CASE(other_types_are_refused_by_name) {
  for (const char* type : {"<c16", "<f16", "|O", "<U5", "|S5", "|V8", "<M8[s]", "<i3", "=f8", "|f8", "f8", "", "<"})
    check_refused(npy_bytes(npy_dictionary(type, "(6,)"), six_doubles), "numbers of type '" + std::string(type) + "'");
  check_refused(npy_bytes("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (6,), }", six_doubles), "an array of records");
}

BOOST_AUTO_TEST_CASE(versions_1_2_and_3_are_read) {
  for (const char version : {'\1', '\2', '\3'})
    BOOST_TEST(array_of(npy_bytes(npy_dictionary("<f8", "(6,)"), six_doubles, version)).values.size() == 6U);
}

BOOST_AUTO_TEST_CASE(other_versions_are_refused) {
  check_refused(npy_bytes(npy_dictionary("<f8", "(6,)"), six_doubles, 4), "version 4.0");
  check_refused(npy_bytes(npy_dictionary("<f8", "(6,)"), six_doubles, 0), "version 0.0");
  std::string minor = npy_bytes(npy_dictionary("<f8", "(6,)"), six_doubles);
  minor[7] = 1;
  check_refused(minor, "version 1.1");
}

BOOST_AUTO_TEST_CASE(shapes_from_no_axis_to_four_are_read) {
  const std::vector<std::pair<std::string, Shape>> shapes{
      {"(6,)", {6}}, {"(2, 3)", {2, 3}}, {"(2,3,)", {2, 3}}, {"(1, 2, 3)", {1, 2, 3}}, {"(1, 2, 1, 3)", {1, 2, 1, 3}}};
  for (const auto& [text, shape] : shapes) BOOST_TEST(array_of(npy_bytes(npy_dictionary("<f8", text), six_doubles)).shape == shape, text);
  const NumericArray scalar = array_of(npy_bytes(npy_dictionary("<f8", "()"), number_bytes(2.5)));
  BOOST_TEST(scalar.shape.empty());
  BOOST_TEST(scalar.values == Values{2.5});
  BOOST_TEST(array_of(npy_bytes(npy_dictionary("<f8", "(3, 0)"), "")).values.empty());
}

BOOST_AUTO_TEST_CASE(other_shapes_are_refused) {
  check_refused(npy_bytes(npy_dictionary("<f8", "(1, 1, 1, 1, 6)"), six_doubles), "shape (1, 1, 1, 1, 6)");
  for (const char* shape : {"(-6,)", "(6)", "6", "[6]", "(6,,)", "(,)", "(2 3)", "(6.0,)", "(99999999999999999999,)", "('6',)"})
    check_refused(npy_bytes(npy_dictionary("<f8", shape), six_doubles), "a .npy header with");
}

BOOST_AUTO_TEST_CASE(fortran_order_is_turned_into_c_order) {
  // [[1, 3, 5], [2, 4, 6]], column by column.
  const Values expected{1, 3, 5, 2, 4, 6};
  BOOST_TEST(array_of(npy_bytes(npy_dictionary("<f8", "(2, 3)", true), six_doubles)).values == expected);
  BOOST_TEST(array_of(npy_bytes(npy_dictionary("<f8", "(2, 3)"), six_doubles)).values == Values({1, 2, 3, 4, 5, 6}));
}

BOOST_AUTO_TEST_CASE(fortran_order_of_three_axes_puts_every_number_in_its_place) {
  const Shape shape{2, 3, 4};
  Values in_file;
  for (std::size_t k = 0; k < shape[2]; ++k)
    for (std::size_t j = 0; j < shape[1]; ++j)
      for (std::size_t i = 0; i < shape[0]; ++i) in_file.push_back(static_cast<double>(100 * i + 10 * j + k));
  const NumericArray array = array_of(npy_bytes(npy_dictionary("<f8", "(2, 3, 4)", true), numbers_bytes(in_file)));
  for (std::size_t place = 0; place < array.values.size(); ++place)
    BOOST_TEST(array.values[place] == static_cast<double>(100 * (place / 12) + 10 * (place / 4 % 3) + place % 4));
}

BOOST_AUTO_TEST_CASE(nan_and_infinity_are_left_to_the_reader_of_the_case) {
  const NumericArray array = array_of(npy_bytes(npy_dictionary("<f8", "(2,)"), numbers_bytes<double>({NAN, -INFINITY})));
  BOOST_TEST(std::isnan(array.values[0]));
  BOOST_TEST(array.values[1] == -INFINITY);
}

BOOST_AUTO_TEST_CASE(data_that_does_not_fit_the_shape_is_refused) {
  const std::string dictionary = npy_dictionary("<f8", "(2, 3)");
  check_refused(npy_bytes(dictionary, six_doubles.substr(1)), "47 bytes of data");
  check_refused(npy_bytes(dictionary, six_doubles + "x"), "49 bytes of data");
  check_refused(npy_bytes(dictionary, ""), "0 bytes of data");
  check_refused(npy_bytes(npy_dictionary("<f8", "(0, 3)"), six_doubles), "48 bytes of data");
}

BOOST_AUTO_TEST_CASE(an_absurd_shape_is_refused_without_allocating_it) {
  for (const char* shape : {"(1000000000000,)", "(4294967296, 4294967296)", "(9223372036854775808, 2)", "(2305843009213693952,)",
                            "(18446744073709551615, 18446744073709551615, 2, 3)", "(2305843009213693958,)"})
    check_refused(npy_bytes(npy_dictionary("<f8", shape), six_doubles), "48 bytes of data");
}

BOOST_AUTO_TEST_CASE(every_truncation_of_a_file_is_refused) {
  const std::string whole = npy_bytes(npy_dictionary("<f8", "(6,)"), six_doubles);
  array_of(whole);
  for (std::size_t size = 0; size < whole.size(); ++size)
    BOOST_TEST(std::holds_alternative<ArrayFault>(read_bytes(whole.substr(0, size))), size << " bytes");
}

BOOST_AUTO_TEST_CASE(a_header_that_is_not_numpys_is_refused) {
  check_refused("PK\x03\x04 something else", "other first bytes");
  check_refused("", "0 bytes");
  for (const char* dictionary :
       {"", "{", "{}", "{'descr': '<f8', 'fortran_order': False}", "{'descr': '<f8', 'fortran_order': 0, 'shape': (6,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (6,)} x", "{'descr': '<f8' 'fortran_order': False, 'shape': (6,)}",
        "{'descr: '<f8', 'fortran_order': False, 'shape': (6,)}", "{'descr': <f8, 'fortran_order': False, 'shape': (6,)}"})
    check_refused(npy_bytes(dictionary, six_doubles), "a .npy header");
  check_refused(npy_bytes("{'descr': '<f8', 'fortran_order': False, 'shape': (6,), 'extra': 1}", six_doubles), "the key 'extra'");
  check_refused(npy_bytes("{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (6,)}", six_doubles), "the key 'descr'");
}

BOOST_AUTO_TEST_CASE(a_header_with_double_quotes_and_another_order_is_read) {
  BOOST_TEST(array_of(npy_bytes("{ \"shape\":(6,),\"fortran_order\":False,\"descr\":\"<f8\"}", six_doubles)).shape == Shape{6});
}

BOOST_AUTO_TEST_CASE(a_header_longer_than_the_file_is_refused) {
  std::string lies = npy_bytes(npy_dictionary("<f8", "(6,)"), six_doubles, 2);
  lies[11] = 0x7F;
  check_refused(lies, "header said to have 21");
}

BOOST_AUTO_TEST_CASE(the_file_must_be_a_regular_npy_or_npz_file) {
  const ScratchFolder folder;
  const std::string good = npy_bytes(npy_dictionary("<f8", "(6,)"), six_doubles);
  std::filesystem::create_directory(folder.path() / "folder.npy");
  folder.write("a.npy", good);
  folder.write("a.txt", good);
  folder.write("a.npz", good);
  const auto found = [&](const std::string& file, const std::string& array) {
    const auto result = read_array(folder.path() / file, array);
    return std::holds_alternative<ArrayFault>(result) ? std::get<ArrayFault>(result).found : "";
  };
  BOOST_TEST(found("a.npy", "") == "");
  BOOST_TEST(found("b.npy", "") == "no such file");
  BOOST_TEST(found("folder.npy", "") == "a folder");
  BOOST_TEST(found("a.txt", "") == "a file that is not named .npy or .npz");
  BOOST_TEST(found("a.npy", "X") == "an array's name, X, with a .npy file");
  BOOST_TEST(found("a.npz", "") == "a .npz file without the name of an array");
  BOOST_TEST(found("a.npz", "X") == "a file without a zip archive's end record (cut off, or not an archive)");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
