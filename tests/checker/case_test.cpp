#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "case_data.hpp"
#include "npy.hpp"
#include "support.hpp"

namespace attest::check::test {

BOOST_AUTO_TEST_SUITE(case_data)

namespace {

std::string bytes_of(std::uint64_t value, std::size_t size, bool big_endian = false) {
  std::string out;
  for (std::size_t i = 0; i < size; ++i) out += static_cast<char>(value >> (8 * (big_endian ? size - 1 - i : i)));
  return out;
}

std::string npy(const std::string& descr, const std::string& shape, const std::string& data, bool fortran = false, int version = 1) {
  std::string header = "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
  header += std::string(20, ' ') + "\n";
  return "\x93NUMPY" + std::string(1, static_cast<char>(version)) + std::string(1, '\0') + bytes_of(header.size(), version == 1 ? 2 : 4) +
         header + data;
}

std::string doubles(const std::vector<double>& values) {
  std::string out;
  for (const double value : values) out += bytes_of(std::bit_cast<std::uint64_t>(value), 8);
  return out;
}

std::string deflated(const std::string& bytes) {
  std::string out(compressBound(bytes.size()) + 64, '\0');
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// A zip file of the members given; the local headers leave out sizes, as NumPy's may.
std::string npz(const std::vector<std::pair<std::string, std::string>>& members, bool deflate_them) {
  std::string body;
  std::string directory;
  for (const auto& [name, content] : members) {
    const std::string packed = deflate_them ? deflated(content) : content;
    const std::string method = bytes_of(deflate_them ? 8 : 0, 2);
    const std::string sums = bytes_of(crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()), 4) +
                             bytes_of(packed.size(), 4) + bytes_of(content.size(), 4);
    directory += "PK\x01\x02" + bytes_of(20, 2) + bytes_of(20, 2) + bytes_of(0, 2) + method + bytes_of(0, 4) + sums +
                 bytes_of(name.size(), 2) + std::string(12, '\0') + bytes_of(body.size(), 4) + name;
    body += "PK\x03\x04" + bytes_of(20, 2) + bytes_of(0, 2) + method + bytes_of(0, 4) + std::string(12, '\xFF') + bytes_of(name.size(), 2) +
            bytes_of(5, 2) + name + "extra" + packed;
  }
  return body + directory + "PK\x05\x06" + bytes_of(0, 4) + bytes_of(members.size(), 2) + bytes_of(members.size(), 2) +
         bytes_of(directory.size(), 4) + bytes_of(body.size(), 4) + bytes_of(0, 2);
}

const std::string good =
    certificate("globally-optimal", R"({"tokens":[[["1/10","1"],["-2","1/4"]]],"labels":[-1],"v":["0","1"],"loss":"logistic"})",
                R"({"kind":"globally-optimal","selection":[1],"unique":true,"gap":"3/4"})", "{}");

const std::string good_case = R"({"name":"x","tokens":[[[0.1,"1"],["-4/2","25e-2"]]],"labels":[-1.0],"v":[0,1e0]})";

std::string against(const std::string& case_text, const std::string& certificate_text = good) {
  const Folder folder;
  const Problem problem = read_case(folder.write("case.json", case_text));
  return verdict(certificate_text, &problem);
}

void refuses_case(const std::string& case_text) {
  const Folder folder;
  const std::string file = folder.write("case.json", case_text);
  BOOST_CHECK_THROW((void)read_case(file), Rejected);
}

}  // namespace

BOOST_AUTO_TEST_CASE(equal_values_agree_in_any_spelling_and_unequal_ones_do_not) {
  BOOST_TEST(against(good_case) == "accepted");
  BOOST_TEST(against(with(good_case, "0.1", "0.10000000000000001")) == "problem.tokens[0][0] is not what the case holds");
  BOOST_TEST(against(with(good_case, "25e-2", "26e-2")) == "problem.tokens[0][1] is not what the case holds");
  BOOST_TEST(against(with(good_case, "[-1.0]", "[1]")) == "problem.labels is not what the case holds");
  BOOST_TEST(against(with(good_case, R"([0,1e0])", "[0,1.5]")) == "problem.v is not what the case holds");
  BOOST_TEST(against(with(good_case, R"(,"v":[0,1e0])", "")) == "problem.v is not what the case holds");
  BOOST_TEST(against(with(good_case, R"("v")", R"("W":[[1,0],[0,1]],"v")")) == "problem.W is not what the case holds");
  BOOST_TEST(against(with(good_case, R"("v")", R"("queries":[[1,0]],"v")")) == "problem.queries is not what the case holds");
  BOOST_TEST(against(with(good_case, R"(,["-4/2","25e-2"])", "")) == "problem.tokens[0] is not what the case holds");
  BOOST_TEST(against(with(with(good_case, R"(]]],)", R"(]],[[1,2]]],)"), "[-1.0]", "[-1,1]")) ==
             "problem.tokens is not what the case holds");
}

BOOST_AUTO_TEST_CASE(a_case_without_loss_is_logistic) {
  const auto loss = [](const std::string& text) { return with(good_case, R"("name":"x")", R"("loss":)" + text); };
  BOOST_TEST(against(loss(R"("logistic")")) == "accepted");
  BOOST_TEST(against(loss(R"("exponential")")) == "problem.loss is not what the case holds");
  BOOST_TEST(against(loss(R"x({"expression":"log1p(exp(-u))"})x")) == "problem.loss is not what the case holds");
  const std::string expression = with(good, R"("logistic")", R"({"expression":"-u"})");
  BOOST_TEST(against(loss(R"({"expression":"-u"})"), expression) == "accepted");
  BOOST_TEST(against(loss(R"({"expression":"- u"})"), expression) == "problem.loss is not what the case holds");
  BOOST_TEST(against(good_case, expression) == "problem.loss is not what the case holds");
  refuses_case(loss(R"({"expression":"logistic"})"));
  refuses_case(loss(R"("hinge")"));
  refuses_case(loss("1"));
}

BOOST_AUTO_TEST_CASE(malformed_cases_are_refused) {
  for (const auto& [from, to] : std::vector<Twin>{{"0.1", "1e999999999"}, {"0.1", "1e-5001"},
                                                  {"0.1", "true"},        {"0.1", "\"x\""},
                                                  {"0.1", "\" 1\""},      {"0.1", "null"},
                                                  {"0.1", "\".5\""},      {"0.1", "\"00.5\""},
                                                  {"0.1", "\"+1\""},      {"0.1", "\"1.\""},
                                                  {"0.1", "[[1]]"},       {"0.1", "[1]"},
                                                  {"[-1.0]", "[0]"},      {"[-1.0]", "[\"1/2\"]"},
                                                  {"[-1.0]", "[]"},       {"\"tokens\"", "\"token\""},
                                                  {"[0,1e0]", "[0]"},     {"[0,1e0]", "{\"file\":\"no.npy\"}"},
                                                  {"[0,1e0]", "{}"},      {"[0,1e0]", "null"},
                                                  {"\"name\"", "\"v\""},  {"\"x\"", "nan"}})
    refuses_case(with(good_case, from, to));
  refuses_case("[]");
  refuses_case("");
  BOOST_CHECK_THROW((void)read_case("/nonexistent/case.json"), Rejected);
}

BOOST_AUTO_TEST_CASE(arrays_of_doubles_are_read_exactly) {
  const Folder folder;
  const std::vector<double> values{0.1, 1, -2, 0.25};
  const std::string tokens = npy("<f8", "(1, 2, 2)", doubles(values));
  const std::string labels = npy("<i8", "(1,)", bytes_of(static_cast<std::uint64_t>(-1), 8));
  folder.write("tokens.npy", tokens);
  folder.write("sample.npy", npy("<f8", "(2, 2)", doubles(values)));
  folder.write("stored.npz", npz({{"labels.npy", labels}, {"t.npy", tokens}}, false));
  folder.write("deflated.npz", npz({{"t.npy", tokens}, {"labels.npy", labels}}, true));
  const std::string exact = with(good, "1/10", "3602879701896397/36028797018963968");  // the double 0.1
  for (const std::string reference :
       {R"({"file":"tokens.npy"})", R"({"file":"stored.npz","array":"t"})", R"({"file":"deflated.npz","array":"t"})"}) {
    const Problem problem = read_case(
        folder.write("case.json", R"({"tokens":)" + reference + R"(,"labels":{"file":"stored.npz","array":"labels"},"v":["0",1]})"));
    BOOST_TEST(verdict(exact, &problem) == "accepted");
    BOOST_TEST(verdict(good, &problem) == "problem.tokens[0][0] is not what the case holds");
  }
  for (const char* reference : {R"({"file":"stored.npz"})", R"({"file":"stored.npz","array":"u"})", R"({"file":"tokens.npy","array":"t"})",
                                R"({"file":"missing.npz","array":"t"})", R"({"array":"t"})", R"({"file":"tokens.npy","x":1})",
                                R"({"file":"."})", R"([{"file":"sample.npy"}])"}) {
    const std::string file = folder.write("case.json", R"({"tokens":)" + std::string(reference) + R"(,"labels":[1]})");
    BOOST_CHECK_THROW((void)read_case(file), Rejected);
  }
}

BOOST_AUTO_TEST_CASE(npy_types_and_orders_are_read_exactly) {
  const auto values = [](const std::string& bytes) { return parse_npy(bytes).values; };
  BOOST_TEST((values(npy("<f4", "(1,)", bytes_of(std::bit_cast<std::uint32_t>(0.1F), 4)))[0] == Rational(13421773, 134217728)));
  BOOST_TEST((values(npy(">f8", "(1,)", bytes_of(std::bit_cast<std::uint64_t>(-1.5), 8, true)))[0] == Rational(-3, 2)));
  BOOST_TEST((values(npy("|i1", "(2,)", "\xFF\x7F"))[0] == -1));
  BOOST_TEST((values(npy("|u1", "(1,)", "\xFF"))[0] == 255));
  BOOST_TEST((values(npy("<i2", "(1,)", bytes_of(0x8000, 2)))[0] == -32768));
  BOOST_TEST((values(npy(">i4", "(1,)", bytes_of(0xFFFFFFFE, 4, true)))[0] == -2));
  BOOST_TEST((values(npy("<u8", "(1,)", std::string(8, '\xFF')))[0] == Rational(Integer("18446744073709551615"))));
  BOOST_TEST((values(npy("<i8", "(1,)", bytes_of(1ULL << 63U, 8)))[0] == Rational(-Integer("9223372036854775808"))));
  const double tiny = std::numeric_limits<double>::denorm_min();
  BOOST_TEST((values(npy("<f8", "(1,)", doubles({tiny}), false, 2))[0] == Rational(1, Integer(1) << 1074U)));
  // C order 0 1 2 / 3 4 5, stored by columns
  const NpyArray columns = parse_npy(npy("|u1", "(2, 3)", std::string("\0\3\1\4\2\5", 6), true, 3));
  for (int i = 0; i < 6; ++i) BOOST_TEST((columns.values[static_cast<std::size_t>(i)] == i));
  std::string cube;  // a(i,j,k) = 100i + 10j + k in Fortran order
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i) cube += static_cast<char>(100 * i + 10 * j + k);
  const NpyArray read = parse_npy(npy("|u1", "(2, 3, 4)", cube, true));
  std::size_t n = 0;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) BOOST_TEST((read.values[n++] == 100 * i + 10 * j + k));
}

BOOST_AUTO_TEST_CASE(half_precision_is_exact) {
  const NpyArray read = parse_npy(
      npy("<f2", "(5,)", bytes_of(0x3C00, 2) + bytes_of(0xC000, 2) + bytes_of(0x7BFF, 2) + bytes_of(0x0001, 2) + bytes_of(0x3555, 2)));
  const std::vector<Rational> expected = {1, -2, 65504, Rational(1, 1 << 24), Rational(1365, 4096)};
  BOOST_TEST((read.values == expected));
  for (const unsigned bits : {0x7C00U, 0xFC00U, 0x7E00U})
    BOOST_CHECK_THROW((void)parse_npy(npy("<f2", "(1,)", bytes_of(bits, 2))), Rejected);
}

BOOST_AUTO_TEST_CASE(damaged_arrays_are_refused) {
  const auto refuses = [](const std::string& bytes) { BOOST_CHECK_THROW((void)parse_npy(bytes), Rejected); };
  const std::string fine = npy("<f8", "(2,)", doubles({1, 2}));
  BOOST_CHECK_NO_THROW((void)parse_npy(fine));
  for (std::size_t length = 0; length < fine.size(); ++length) refuses(fine.substr(0, length));
  refuses(fine + "x");
  refuses(npy("<f8", "(268435456, 0)", ""));
  refuses(npy("<f8", "(1,)", doubles({std::nan("")})));
  refuses(npy("<f8", "(1,)", doubles({INFINITY})));
  for (const char* descr : {"<c16", "|O", "<U4", "|f8", "=f8", "f8", "", "|b1", "<i3"}) refuses(npy(descr, "(1,)", doubles({1})));
  for (const char* shape :
       {"(3,)", "(2, 2)", "(99999999999999999999,)", "(268435456, 268435456)", "(0,)", "(268435456, 0)", "(2", "2", "(-2,)", "(2 2)"})
    refuses(npy("<f8", shape, doubles({1, 2})));
  refuses(npy("<f8", "(1,), 'shape': (1,)", doubles({1})));
  refuses(npy("<f8", "(1,), 'more': (1,)", doubles({1})));
  refuses(npy("<f8", "(1,)", doubles({1}), false, 4));

  const auto numbers = [](const std::string& zip) { return parse_npz(zip, "a.npy").values; };
  const std::vector<Rational> due = {1, 2};
  const std::string zip = npz({{"a.npy", fine}}, true);
  BOOST_TEST((numbers(zip) == due));
  for (std::size_t length = 0; length < zip.size(); ++length) BOOST_CHECK_THROW((void)numbers(zip.substr(0, length)), Rejected);
  int accepted = 0;
  for (std::size_t at = 0; at < zip.size(); ++at) {  // a flipped bit never yields other data
    std::string damaged = zip;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    try {
      BOOST_TEST((numbers(damaged) == due));
      ++accepted;
    } catch (const Rejected&) {
    }
  }
  BOOST_TEST(accepted < static_cast<int>(zip.size()) / 2);
  BOOST_CHECK_THROW((void)numbers(npz({{"a.npy", fine}, {"a.npy", fine}}, false)), Rejected);
}

BOOST_AUTO_TEST_CASE(few_deflated_bytes_hold_no_more_than_two_million_numbers) {
  const auto zeros = [](std::size_t count, bool deflate) {
    return npz({{"a.npy", npy("|u1", "(" + std::to_string(count) + ",)", std::string(count, '\0'))}}, deflate);
  };
  constexpr std::size_t most = std::size_t{1} << 21U;
  BOOST_TEST(parse_npz(zeros(most, true), "a.npy").values.size() == most);
  BOOST_CHECK_THROW((void)parse_npz(zeros(most + 1, true), "a.npy"), Rejected);
  BOOST_CHECK_THROW((void)parse_npz(zeros(std::size_t{1} << 25U, true), "a.npy"), Rejected);
  BOOST_TEST(parse_npz(zeros(most + 1, false), "a.npy").values.size() == most + 1);  // stored, they cost what they weigh
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attest::check::test
