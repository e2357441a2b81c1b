#include "attest/model/npy.hpp"

#include "array_bytes.hpp"
#include "scratch_folder.hpp"

#include <zlib.h>
#include <boost/test/unit_test.hpp>

namespace attest {
namespace {

BOOST_AUTO_TEST_SUITE(npz)

const std::vector<double> six{1, 2, 3, 4, 5, 6};
const std::string six_bytes = npy_bytes(npy_dictionary("<f8", "(6,)"), numbers_bytes(six));

std::variant<NumericArray, ArrayFault> read_bytes(const std::string& bytes, const std::string& array) {
  const ScratchFolder folder;
  return read_array(folder.write("a.npz", bytes), array);
}

std::vector<double> values_of(const std::vector<ZipMember>& members, const std::string& array = "X") {
  const auto result = read_bytes(zip_bytes(members), array);
  if (const auto* fault = std::get_if<ArrayFault>(&result)) BOOST_FAIL("found " << fault->found << ", expected " << fault->expected);
  return std::get<NumericArray>(result).values;
}

void check_refused(const std::string& bytes, const std::string& found, const std::string& expected = "") {
  const auto result = read_bytes(bytes, "X");
  const auto* fault = std::get_if<ArrayFault>(&result);
  BOOST_REQUIRE_MESSAGE(fault != nullptr, "refused for " << found);
  BOOST_TEST(fault->found.find(found) != std::string::npos, fault->found << " has " << found);
  BOOST_TEST(fault->expected.find(expected) != std::string::npos, fault->expected << " has " << expected);
}

ZipMember member(const std::string& name, bool deflate = false) { return {.name = name, .content = six_bytes, .deflate = deflate}; }

std::string with_u32(std::string bytes, std::size_t offset, std::uint32_t value) { return bytes.replace(offset, 4, number_bytes(value)); }

BOOST_AUTO_TEST_CASE(stored_and_deflated_members_are_read) {
  BOOST_TEST(values_of({member("X.npy")}) == six);
  BOOST_TEST(values_of({member("X.npy", true)}) == six);
}

BOOST_AUTO_TEST_CASE(a_member_is_found_among_others_by_its_name_with_or_without_npy) {
  const ZipMember other{.name = "Y.npy", .content = "not an array"};
  BOOST_TEST(values_of({other, member("X.npy", true), other}) == six);
  BOOST_TEST(values_of({other, member("X")}) == six);
  BOOST_TEST(values_of({member("X.npy")}, "X.npy") == six);
}

BOOST_AUTO_TEST_CASE(a_missing_member_is_refused_with_the_names_there_are) {
  check_refused(zip_bytes({member("Y.npy"), member("Z.npy")}), "no array X", "Y, Z");
  check_refused(zip_bytes({member("x.npy")}), "no array X");
  check_refused(zip_bytes({}), "an archive without members");
}

BOOST_AUTO_TEST_CASE(a_bomb_is_refused_and_stored_zeros_are_data) {
  constexpr std::size_t count = (std::size_t{1} << 24) + 1;
  const std::string zeros = npy_bytes(npy_dictionary("|u1", "(" + std::to_string(count) + ",)"), std::string(count, '\0'));
  check_refused(zip_bytes({{.name = "X.npy", .content = zeros, .deflate = true}}), "deflated to", "not a bomb");
  BOOST_TEST(values_of({{.name = "X.npy", .content = zeros}}).size() == count);
  const std::string fewer = npy_bytes(npy_dictionary("|u1", "(1000000,)"), std::string(1000000, '\0'));
  BOOST_TEST(values_of({{.name = "X.npy", .content = fewer, .deflate = true}}).size() == 1000000);
}

BOOST_AUTO_TEST_CASE(two_members_of_one_name_are_refused) {
  check_refused(zip_bytes({member("X.npy"), member("X.npy")}), "two members for the array X");
  check_refused(zip_bytes({member("X"), member("X.npy")}), "two members for the array X");
}

BOOST_AUTO_TEST_CASE(local_headers_marked_zip64_as_numpy_writes_them_are_read) {
  ZipMember as_numpy = member("X.npy");
  as_numpy.zip64_local_header = true;
  BOOST_TEST(values_of({as_numpy, member("Y.npy")}) == six);
}

BOOST_AUTO_TEST_CASE(zip64_in_the_list_of_members_is_refused) {
  ZipMember zip64 = member("X.npy", true);
  zip64.size = 0xFFFF'FFFF;
  check_refused(zip_bytes({zip64}), "a zip64 member");
  const std::string good = zip_bytes({member("X.npy")});
  check_refused(with_u32(good, good.size() - 6, 0xFFFF'FFFF), "a zip64 archive");
}

BOOST_AUTO_TEST_CASE(a_large_deflated_array_is_read_piece_by_piece) {
  std::vector<double> numbers(100'000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i * i % 1009) / 7;
  const ZipMember large{.name = "X.npy", .content = npy_bytes(npy_dictionary("<f8", "(100000,)"), numbers_bytes(numbers)), .deflate = true};
  BOOST_TEST((values_of({large}) == numbers));
}

BOOST_AUTO_TEST_CASE(an_array_of_zeros_compressed_a_thousandfold_is_read) {
  const std::vector<double> zeros(1'000'000);
  const ZipMember large{.name = "X.npy", .content = npy_bytes(npy_dictionary("<f8", "(1000000,)"), numbers_bytes(zeros)), .deflate = true};
  BOOST_TEST((values_of({large}) == zeros));
}

BOOST_AUTO_TEST_CASE(a_wrong_checksum_is_refused) {
  for (const bool deflate : {false, true}) {
    ZipMember wrong = member("X.npy", deflate);
    wrong.checksum = 1;
    check_refused(zip_bytes({wrong}), "checksum");
  }
}

BOOST_AUTO_TEST_CASE(every_changed_byte_of_the_data_is_refused) {
  for (const bool deflate : {false, true}) {
    const std::string good = zip_bytes({member("X.npy", deflate)});
    const std::size_t start = 30 + 5;
    const std::size_t end = good.find("PK\x01\x02");
    for (std::size_t i = start; i < end; ++i) {
      std::string wrong = good;
      wrong[i] = static_cast<char>(wrong[i] ^ 1);
      BOOST_TEST(std::holds_alternative<ArrayFault>(read_bytes(wrong, "X")), "byte " << i << (deflate ? " deflated" : ""));
    }
  }
}

BOOST_AUTO_TEST_CASE(every_truncation_of_an_archive_is_refused) {
  const std::string good = zip_bytes({member("X.npy", true)});
  for (std::size_t size = 0; size < good.size(); ++size)
    BOOST_TEST(std::holds_alternative<ArrayFault>(read_bytes(good.substr(0, size), "X")), size << " bytes");
}

BOOST_AUTO_TEST_CASE(an_archive_without_its_first_bytes_is_refused) {
  check_refused(zip_bytes({member("X.npy")}).substr(1), "not where the archive says");
}

BOOST_AUTO_TEST_CASE(a_comment_after_the_end_record_is_allowed_but_not_other_bytes) {
  std::string commented = zip_bytes({member("X.npy")});
  commented.replace(commented.size() - 2, 2, number_bytes<std::uint16_t>(5));
  BOOST_TEST(std::holds_alternative<NumericArray>(read_bytes(commented + "hello", "X")));
  check_refused(commented + "hello!", "without a zip archive's end record");
}

BOOST_AUTO_TEST_CASE(of_two_archives_in_one_file_the_last_is_read_as_numpy_does) {
  // The second archive is the comment of the first, and its offsets count from the start of the file: each is consistent by itself.
  std::string first = zip_bytes({member("X.npy"), member("Y.npy")});
  const ZipMember other{.name = "X.npy", .content = npy_bytes(npy_dictionary("<f8", "(2,)"), numbers_bytes(std::vector<double>{-1, -2}))};
  std::string second = zip_bytes({other});
  const auto entry = static_cast<std::uint32_t>(second.find("PK\x01\x02"));
  const auto start = static_cast<std::uint32_t>(first.size());
  second = with_u32(with_u32(second, entry + 42, start), second.size() - 6, start + entry);
  first.replace(first.size() - 2, 2, number_bytes(static_cast<std::uint16_t>(second.size())));
  const auto result = read_bytes(first + second, "X");
  BOOST_REQUIRE(std::holds_alternative<NumericArray>(result));
  BOOST_TEST(std::get<NumericArray>(result).values == (std::vector<double>{-1, -2}));
  const auto missing = read_bytes(first + second, "Y");
  BOOST_TEST(std::holds_alternative<ArrayFault>(missing));
}

BOOST_AUTO_TEST_CASE(bytes_before_the_end_record_are_refused) {
  std::string gap = zip_bytes({member("X.npy")});
  check_refused(gap.insert(gap.size() - 22, "more"), "not where the archive says");
}

BOOST_AUTO_TEST_CASE(bytes_after_the_deflated_data_are_refused) {
  // Deflate's stored block: the last of them, its length, its length with all bits flipped, the data. [RFC 1951, 3.2.4]
  const auto length = static_cast<std::uint16_t>(six_bytes.size());
  const std::string block = '\1' + number_bytes(length) + number_bytes(static_cast<std::uint16_t>(~length)) + six_bytes;
  ZipMember by_hand{.name = "X.npy", .content = block, .method = 8, .size = length};
  by_hand.checksum = static_cast<std::int64_t>(crc32_z(0, reinterpret_cast<const Bytef*>(six_bytes.data()), six_bytes.size()));
  BOOST_TEST(values_of({by_hand}) == six);
  by_hand.content += "more";
  check_refused(zip_bytes({by_hand}), "bytes after the end of the deflated data");
}

BOOST_AUTO_TEST_CASE(encrypted_members_are_refused) {
  ZipMember encrypted = member("X.npy");
  encrypted.flags = 1;
  check_refused(zip_bytes({encrypted}), "an encrypted member");
}

BOOST_AUTO_TEST_CASE(other_compressions_are_refused) {
  ZipMember other = member("X.npy");
  other.method = 12;
  check_refused(zip_bytes({other}), "compression method 12", "stored or deflated");
}

BOOST_AUTO_TEST_CASE(sizes_that_the_data_does_not_have_are_refused) {
  ZipMember stored = member("X.npy");
  stored.size = 1000;
  check_refused(zip_bytes({stored}), "1000 bytes claimed");
  ZipMember bomb = member("X.npy", true);
  bomb.size = 4'000'000'000;
  check_refused(zip_bytes({bomb}), "4000000000 bytes claimed");
  ZipMember more = member("X.npy", true);
  more.content = npy_bytes(npy_dictionary("<f8", "(7,)"), numbers_bytes(six));
  more.size = static_cast<std::int64_t>(more.content.size()) + 8;
  check_refused(zip_bytes({more}), "less data than the archive says");
  ZipMember less = member("X.npy", true);
  less.content = npy_bytes(npy_dictionary("<f8", "(5,)"), numbers_bytes(six));
  less.size = static_cast<std::int64_t>(less.content.size()) - 8;
  check_refused(zip_bytes({less}), "more data than the archive says");
}

BOOST_AUTO_TEST_CASE(a_member_that_is_somewhere_else_is_refused) {
  const std::string good = zip_bytes({member("X.npy"), member("Y.npy")});
  const std::size_t entry = good.find("PK\x01\x02");
  const std::size_t second = good.find("PK\x03\x04", 1);
  for (const std::size_t offset : {second, entry, std::size_t{7}, std::size_t{0xFFFF'FFFE}})
    check_refused(with_u32(good, entry + 42, static_cast<std::uint32_t>(offset)), "that is not where the archive says");
  std::string unsigned_header = good;
  unsigned_header[2] = 7;
  check_refused(unsigned_header, "that is not where the archive says");
}

BOOST_AUTO_TEST_CASE(a_list_of_members_of_the_wrong_length_is_refused) {
  std::string more = zip_bytes({member("X.npy")});
  more.replace(more.size() - 14, 4, number_bytes<std::uint32_t>(0x0002'0002));
  check_refused(more, "a damaged list of members");
  std::string fewer = zip_bytes({member("X.npy"), member("Y.npy")});
  fewer.replace(fewer.size() - 14, 4, number_bytes<std::uint32_t>(0x0001'0001));
  check_refused(fewer, "more members than the archive says");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest
