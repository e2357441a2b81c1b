#pragma once

#include "attest/base/fault.hpp"
#include "attest/model/claim_request.hpp"
#include "attest/model/data_digest.hpp"
#include "attest/model/problem.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attest {

/// A data set and what is claimed of it.
struct Case {
  std::string name;  ///< that of the file when the case gives none
  std::string about;
  std::string source;
  std::filesystem::path file;
  Problem problem;
  std::vector<ClaimRequest> claims;
  std::vector<std::filesystem::path> array_files = {};  ///< the files that hold its arrays, and its runs
  std::optional<DataDigest> data_sha256 = {};           ///< of the data that the claims were written for

  /// The parts of the data that are no longer what they were when the claims were written.
  std::vector<std::string> changed_data() const;
};

/// Reads a case strictly: an unknown key, a wrong shape, a number that is none, an index out of range, a
/// claim that `schemas` does not list, a file that is missing: each is a fault that says where.
OrFault<Case> read_case(const std::filesystem::path& file, std::span<const ClaimSchema> schemas);

/// Reads one claim about a problem: its name, and its parameters as an object of a case's `claims` writes them. As strict as read_case; a
/// fault has no file.
OrFault<ClaimRequest> read_claim(const std::string& claim, std::string_view parameters, std::span<const ClaimSchema> schemas,
                                 const Problem& problem);

/// Data without claims.
struct DataSet {
  Case data;                                  ///< its claims are empty
  std::map<std::string, std::string> arrays;  ///< of a .npz: the array of each field that a case may name as it is, such as tokens: X
  std::vector<std::string> notes;             ///< what the file holds beyond the data and is not looked at
  std::optional<Selection> relevant = {};     ///< the tokens that carry the label, as the user planted them
};

/// How an archive writes labels.
enum class LabelCoding {
  signs,     ///< 1 and -1
  zero_one,  ///< 1 and 0, or true and false
};

/// Reads the data of a case, whose claims may be absent and are not read, or of a .npz or .safetensors archive with the arrays X (n, T, d),
/// Y (n) and perhaps v (d), W (d, d), Z (n, d), the queries, lengths (n) or mask (n, T) for samples of different length, and relevant (n).
/// As strict as read_case; an archive may hold other arrays.
OrFault<DataSet> read_data(const std::filesystem::path& file, LabelCoding labels = LabelCoding::signs);

/// Whether it is an archive that can be read and holds no data, but something else: there is no array X in it.
bool is_archive_without_data(const std::filesystem::path& file);

}  // namespace attest
