#include "array_bytes.hpp"

#include <zlib.h>

namespace attest {
namespace {

std::string u16(std::uint64_t value) { return number_bytes(static_cast<std::uint16_t>(value)); }
std::string u32(std::uint64_t value) { return number_bytes(static_cast<std::uint32_t>(value)); }

std::uint64_t checksum_of(const std::string& content) { return crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()); }

std::string deflated(const std::string& content) {
  z_stream state{};
  deflateInit2(&state, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string result(deflateBound(&state, content.size()), '\0');
  std::string input = content;
  state.next_in = reinterpret_cast<Bytef*>(input.data());
  state.avail_in = static_cast<uInt>(input.size());
  state.next_out = reinterpret_cast<Bytef*>(result.data());
  state.avail_out = static_cast<uInt>(result.size());
  deflate(&state, Z_FINISH);
  result.resize(state.total_out);
  deflateEnd(&state);
  return result;
}

}  // namespace

std::string npy_dictionary(const std::string& type, const std::string& shape, bool fortran) {
  return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
}

std::string npy_bytes(const std::string& dictionary, const std::string& data, char major) {
  const std::string header = dictionary + std::string(20, ' ') + "\n";
  const std::string version{major, '\0'};
  return "\x93NUMPY" + version + (major == 1 ? u16(header.size()) : u32(header.size())) + header + data;
}

std::string zip_bytes(const std::vector<ZipMember>& members) {
  std::string archive;
  std::string directory;
  for (const ZipMember& member : members) {
    const std::string data = member.deflate ? deflated(member.content) : member.content;
    const auto method = static_cast<std::uint64_t>(member.method >= 0 ? member.method : member.deflate ? 8 : 0);
    const std::uint64_t size = member.size >= 0 ? static_cast<std::uint64_t>(member.size) : member.content.size();
    const std::uint64_t checksum = member.checksum >= 0 ? static_cast<std::uint64_t>(member.checksum) : checksum_of(member.content);
    const std::string sizes = u32(data.size()) + u32(size);
    const std::string extra = member.zip64_local_header ? u16(1) + u16(16) + u32(size) + u32(0) + u32(data.size()) + u32(0) : std::string();
    const std::string common = u16(member.flags) + u16(method) + u32(0) + u32(checksum);
    const std::string local_sizes = member.zip64_local_header ? u32(0xFFFF'FFFF) + u32(0xFFFF'FFFF) : sizes;
    directory += "PK\x01\x02" + u16(45) + u16(45) + common + sizes + u16(member.name.size()) + u16(0) + u16(0) + u16(0) + u16(0) + u32(0) +
                 u32(archive.size()) + member.name;
    archive += "PK\x03\x04" + u16(45) + common + local_sizes + u16(member.name.size()) + u16(extra.size()) + member.name + extra + data;
  }
  return archive + directory + "PK\x05\x06" + u16(0) + u16(0) + u16(members.size()) + u16(members.size()) + u32(directory.size()) +
         u32(archive.size()) + u16(0);
}

}  // namespace attest
