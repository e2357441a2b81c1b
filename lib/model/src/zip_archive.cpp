// The zip format as numpy writes it (APPNOTE.TXT sections 4.3.7, 4.3.12 and 4.3.16): the central directory
// at the end of the file says where the members are. Sizes are taken from there alone, since numpy marks
// every local header as zip64 and Python leaves sizes to a trailing data descriptor.
#include "zip_archive.hpp"

#include "attest/model/npy.hpp"
#include "text.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace attest {
namespace {

using Bytes = std::vector<unsigned char>;

constexpr std::uint64_t end_record_size = 22;
constexpr std::uint64_t longest_comment = 65'535;
constexpr std::size_t directory_entry_size = 46;
constexpr std::size_t local_header_size = 30;
constexpr std::uint32_t zip64_mark = 0xFFFF'FFFF;
constexpr std::uint32_t stored = 0;
constexpr std::uint32_t deflated = 8;
/// Deflate cannot do better than 258 bytes for 2 bits.
constexpr std::uint64_t best_deflate_ratio = 1032;
/// Beyond this size, data that deflate so well are a bomb: tokens that are unit vectors come to a ratio of 200.
constexpr std::uint64_t bomb_size = std::uint64_t{1} << 24;
constexpr std::uint64_t bomb_ratio = 512;

const std::string intact = "an intact .npz archive";

struct Member {
  std::string name;
  std::uint32_t flags = 0;
  std::uint32_t method = 0;
  std::uint32_t checksum = 0;
  std::uint64_t compressed_size = 0;
  std::uint64_t size = 0;
  std::uint64_t header_offset = 0;
};

struct Directory {
  std::uint64_t offset = 0;
  std::vector<Member> members;
};

std::uint32_t little_endian(std::span<const unsigned char> bytes, std::size_t offset, std::size_t width) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < width; ++i) value |= static_cast<std::uint32_t>(bytes[offset + i]) << (8 * i);
  return value;
}
std::uint32_t u16(std::span<const unsigned char> bytes, std::size_t offset) { return little_endian(bytes, offset, 2); }
std::uint32_t u32(std::span<const unsigned char> bytes, std::size_t offset) { return little_endian(bytes, offset, 4); }

bool has_signature(std::span<const unsigned char> bytes, unsigned char third, unsigned char fourth) {
  return bytes[0] == 'P' && bytes[1] == 'K' && bytes[2] == third && bytes[3] == fourth;
}

Bytes read_part(const std::filesystem::path& file, std::uint64_t offset, std::uint64_t size) {
  Bytes bytes(size);
  FileStream(file, offset, size).read(bytes);
  return bytes;
}

std::string text_of(std::span<const unsigned char> bytes) { return {bytes.begin(), bytes.end()}; }

/// Where the end record starts in the file's tail: the last place from which its comment fills the rest.
std::optional<std::size_t> find_end_record(std::span<const unsigned char> tail) {
  for (std::size_t start = tail.size() - end_record_size + 1; start-- > 0;) {
    const auto record = tail.subspan(start);
    if (has_signature(record, 5, 6) && u16(record, 20) == record.size() - end_record_size) return start;
  }
  return std::nullopt;
}

Member parse_entry(std::span<const unsigned char> rest) {
  if (rest.size() < directory_entry_size || !has_signature(rest, 1, 2)) throw ArrayFault{"a damaged list of members", intact};
  Member member;
  member.flags = u16(rest, 8);
  member.method = u16(rest, 10);
  member.checksum = u32(rest, 16);
  member.compressed_size = u32(rest, 20);
  member.size = u32(rest, 24);
  member.header_offset = u32(rest, 42);
  const std::size_t name_size = u16(rest, 28);
  if (rest.size() - directory_entry_size < name_size) throw ArrayFault{"a damaged list of members", intact};
  member.name = text_of(rest.subspan(directory_entry_size, name_size));
  return member;
}

std::vector<Member> parse_directory(std::span<const unsigned char> rest, std::size_t count) {
  std::vector<Member> members;
  for (std::size_t i = 0; i < count; ++i) {
    members.push_back(parse_entry(rest));
    const std::size_t length = directory_entry_size + u16(rest, 28) + u16(rest, 30) + u16(rest, 32);
    if (rest.size() < length) throw ArrayFault{"a damaged list of members", intact};
    rest = rest.subspan(length);
  }
  if (!rest.empty()) throw ArrayFault{"more members than the archive says it has", intact};
  return members;
}

Directory read_directory(const std::filesystem::path& file, std::uint64_t file_size) {
  if (file_size < end_record_size) throw ArrayFault{"a file of " + std::to_string(file_size) + " bytes", intact};
  const std::uint64_t tail_size = std::min(file_size, end_record_size + longest_comment);
  const Bytes tail = read_part(file, file_size - tail_size, tail_size);
  const auto start = find_end_record(tail);
  if (!start) throw ArrayFault{"a file without a zip archive's end record (cut off, or not an archive)", intact};
  const auto record = std::span(tail).subspan(*start);
  const std::uint32_t count = u16(record, 10);
  const std::uint32_t size = u32(record, 12);
  const std::uint32_t offset = u32(record, 16);
  if (count == 0xFFFF || size == zip64_mark || offset == zip64_mark)
    throw ArrayFault{"a zip64 archive", "an archive below 4 GiB, or one .npy file for each array"};
  if (u16(record, 4) != 0 || u16(record, 6) != 0 || u16(record, 8) != count)
    throw ArrayFault{"one part of an archive in several parts", intact};
  if (std::uint64_t{offset} + size != file_size - tail_size + *start)
    throw ArrayFault{"a list of members that is not where the archive says", intact};
  return {offset, parse_directory(read_part(file, offset, size), count)};
}

std::string array_of(const Member& member) {
  std::string_view name = member.name;
  if (name.ends_with(".npy")) name.remove_suffix(4);
  return std::string(name);
}

std::string member_names(const std::vector<Member>& members) {
  constexpr std::size_t shown = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(members.size(), shown); ++i) text += (i == 0 ? "" : ", ") + printable(array_of(members[i]));
  return members.size() > shown ? text + ", …" : text;
}

const Member& find_member(const std::vector<Member>& members, const std::string& name) {
  const auto is_named = [&](const Member& member) { return member.name == name || member.name == name + ".npy"; };
  const auto found = std::find_if(members.begin(), members.end(), is_named);
  if (members.empty()) throw ArrayFault{"an archive without members", "an array " + name};
  if (found == members.end()) throw ArrayFault{"no array " + name, "one of the archive's arrays: " + member_names(members)};
  if (std::find_if(found + 1, members.end(), is_named) != members.end()) throw ArrayFault{"two members for the array " + name, "one"};
  return *found;
}

void refuse_unreadable(const Member& member) {
  constexpr std::uint32_t encryption_flags = 1U << 0 | 1U << 6 | 1U << 13;
  if ((member.flags & encryption_flags) != 0) throw ArrayFault{"an encrypted member " + member.name, "one that is not encrypted"};
  if (member.method != stored && member.method != deflated)
    throw ArrayFault{"compression method " + std::to_string(member.method) + " in " + member.name,
                     "a member that is stored or deflated, as numpy.savez and numpy.savez_compressed write them"};
  if (member.size == zip64_mark || member.compressed_size == zip64_mark || member.header_offset == zip64_mark)
    throw ArrayFault{"a zip64 member " + member.name, "a member below 4 GiB"};
  const bool impossible =
      member.method == stored ? member.size != member.compressed_size : member.size / best_deflate_ratio > member.compressed_size;
  if (impossible)
    throw ArrayFault{std::to_string(member.size) + " bytes claimed for " + std::to_string(member.compressed_size) +
                         " compressed bytes of " + member.name,
                     intact};
  if (member.method == deflated && member.size > bomb_size && member.size / bomb_ratio > member.compressed_size)
    throw ArrayFault{std::to_string(member.size) + " bytes deflated to " + std::to_string(member.compressed_size) + " in " + member.name,
                     "data, not a bomb: numpy.savez stores an array as it is"};
}

/// Where the member's data starts: after its local header, which must be about the same member.
std::uint64_t data_offset(const std::filesystem::path& file, const Directory& directory, const Member& member) {
  const ArrayFault damaged{"a member " + member.name + " that is not where the archive says", intact};
  const std::uint64_t room = directory.offset;
  if (member.header_offset > room || room - member.header_offset < local_header_size + member.name.size()) throw damaged;
  const Bytes header = read_part(file, member.header_offset, local_header_size + member.name.size());
  if (!has_signature(header, 3, 4) || u16(header, 8) != member.method || u16(header, 26) != member.name.size() ||
      text_of(std::span(header).subspan(local_header_size)) != member.name)
    throw damaged;
  const std::uint64_t start = member.header_offset + header.size() + u16(header, 28);
  if (start > room || room - start < member.compressed_size) throw damaged;
  return start;
}

/// Raw deflate (RFC 1951).
class InflateStream : public ByteStream {
 public:
  InflateStream(std::unique_ptr<ByteStream> compressed, std::uint64_t size) : ByteStream(size), compressed_(std::move(compressed)) {
    if (inflateInit2(&state_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~InflateStream() override { inflateEnd(&state_); }

  /// The deflated data must end where its size and that of the inflated data say.
  void finish() override {
    unsigned char beyond = 0;
    state_.next_out = &beyond;
    state_.avail_out = 1;
    while (!ended_ && state_.avail_out == 1) advance();
    if (state_.avail_out == 0) throw ArrayFault{"more data than the archive says", intact};
    if (state_.avail_in != 0 || compressed_->remaining() != 0) throw ArrayFault{"bytes after the end of the deflated data", intact};
  }

 private:
  void fill(std::span<unsigned char> target) override {
    // Callers ask for a few kilobytes at a time, so the size fits zlib's unsigned int.
    state_.next_out = target.data();
    state_.avail_out = static_cast<uInt>(target.size());
    while (state_.avail_out != 0) {
      if (ended_) throw ArrayFault{"less data than the archive says", intact};
      advance();
    }
  }

  void advance() {
    if (state_.avail_in == 0 && compressed_->remaining() != 0) {
      const std::size_t size = std::min<std::uint64_t>(input_.size(), compressed_->remaining());
      compressed_->read(std::span(input_).first(size));
      state_.next_in = input_.data();
      state_.avail_in = static_cast<uInt>(size);
    }
    const int status = inflate(&state_, Z_NO_FLUSH);
    if (status == Z_BUF_ERROR) throw ArrayFault{"deflated data that stops in the middle", intact};
    if (status != Z_OK && status != Z_STREAM_END) throw ArrayFault{"deflated data that is damaged", intact};
    ended_ = status == Z_STREAM_END;
  }

  std::unique_ptr<ByteStream> compressed_;
  std::array<unsigned char, 1 << 16> input_{};
  z_stream state_{};
  bool ended_ = false;
};

/// Computes the checksum of what passes through.
class ChecksumStream : public ByteStream {
 public:
  ChecksumStream(std::unique_ptr<ByteStream> source, std::uint32_t expected)
      : ByteStream(source->remaining()), source_(std::move(source)), expected_(expected) {}

  void finish() override {
    source_->finish();
    if (checksum_ != expected_) throw ArrayFault{"a checksum (CRC-32) that does not match the data", intact};
  }

 private:
  void fill(std::span<unsigned char> target) override {
    source_->read(target);
    checksum_ = crc32_z(checksum_, target.data(), target.size());
  }

  std::unique_ptr<ByteStream> source_;
  uLong expected_;
  uLong checksum_ = 0;
};

}  // namespace

std::vector<std::string> array_names(const std::filesystem::path& file) {
  std::vector<std::string> names;
  for (const Member& member : read_directory(file, size_of_file(file)).members) names.push_back(array_of(member));
  return names;
}

std::unique_ptr<ByteStream> open_zip_member(const std::filesystem::path& file, const std::string& name) {
  const Directory directory = read_directory(file, size_of_file(file));
  const Member& member = find_member(directory.members, name);
  refuse_unreadable(member);
  std::unique_ptr<ByteStream> data = std::make_unique<FileStream>(file, data_offset(file, directory, member), member.compressed_size);
  if (member.method == deflated) data = std::make_unique<InflateStream>(std::move(data), member.size);
  return std::make_unique<ChecksumStream>(std::move(data), member.checksum);
}

}  // namespace attest
