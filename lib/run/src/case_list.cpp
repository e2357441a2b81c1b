#include "attest/run/case_list.hpp"

#include "attest/claims/claim.hpp"

#include <algorithm>
#include <system_error>

namespace attest {
namespace {

namespace fs = std::filesystem;

/// The case files below a folder. A fault when it holds none.
void list_folder(const fs::path& folder, std::vector<fs::path>& files, std::vector<InputFault>& faults) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_regular_file() && entry->path().extension() == ".json") found.push_back(entry->path());
  if (error) {
    faults.push_back({folder.string(), "", error.message(), "a folder that can be read"});
    return;
  }
  if (found.empty()) faults.push_back({folder.string(), "", "no .json file below it", "a folder with cases"});
  std::sort(found.begin(), found.end());
  files.insert(files.end(), found.begin(), found.end());
}

}  // namespace

CaseList read_cases(std::span<const std::string> paths) {
  CaseList list;
  std::vector<fs::path> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (fs::is_directory(path, error))
      list_folder(path, files, list.faults);
    else
      files.emplace_back(path);
  }
  const std::vector<ClaimSchema> schemas = all_schemas();
  for (const fs::path& file : files) {
    auto read = read_case(file, schemas);
    if (auto* fault = std::get_if<InputFault>(&read))
      list.faults.push_back(*fault);
    else
      list.cases.push_back(std::move(std::get<Case>(read)));
  }
  return list;
}

std::vector<fs::path> files_read(std::span<const Case> cases) {
  std::vector<fs::path> files;
  for (const Case& one : cases) {
    files.push_back(one.file);
    files.insert(files.end(), one.array_files.begin(), one.array_files.end());
  }
  return files;
}

void keep_only(std::vector<Case>& cases, std::span<const std::string> claims) {
  for (Case& one : cases)
    std::erase_if(one.claims, [&](const ClaimRequest& request) { return std::ranges::find(claims, request.claim) == claims.end(); });
  std::erase_if(cases, [](const Case& one) { return one.claims.empty(); });
}

}  // namespace attest
