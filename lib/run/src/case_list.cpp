#include "attest/run/case_list.hpp"

#include "attest/claims/claim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace attest {
namespace {

namespace fs = std::filesystem;

using Extensions = std::vector<std::string_view>;

/// The files below a folder that are named so. A fault when it holds none.
void list_folder(const fs::path& folder, const Extensions& extensions, std::vector<fs::path>& files, std::vector<InputFault>& faults) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_regular_file() && std::ranges::find(extensions, entry->path().extension().string()) != extensions.end())
      found.push_back(entry->path());
  if (error) {
    faults.push_back({folder.string(), "", error.message(), "a folder that can be read"});
    return;
  }
  if (found.empty())
    faults.push_back({folder.string(), "", fmt::format("no {} file below it", fmt::join(extensions, ", ")),
                      extensions.size() == 1 ? "a folder with cases" : "a folder with data"});
  std::sort(found.begin(), found.end());
  files.insert(files.end(), found.begin(), found.end());
}

/// What the paths name; of each file whether it was found in a folder.
std::vector<std::pair<fs::path, bool>> files_of(std::span<const std::string> paths, const Extensions& extensions,
                                                std::vector<InputFault>& faults) {
  std::vector<std::pair<fs::path, bool>> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      files.emplace_back(path, false);
      continue;
    }
    std::vector<fs::path> found;
    list_folder(path, extensions, found, faults);
    for (fs::path& file : found) files.emplace_back(std::move(file), true);
  }
  return files;
}

/// Data sets that are named alike get the names of their folders, and then numbers.
void tell_apart(std::vector<DataSet>& sets) {
  const auto alike = [&](const std::string& name) {
    return std::ranges::count_if(sets, [&](const DataSet& set) { return set.data.name == name; }) > 1;
  };
  std::vector<bool> shared;
  for (const DataSet& set : sets) shared.push_back(alike(set.data.name));
  for (std::size_t k = 0; k < sets.size(); ++k)
    if (const fs::path folder = fs::absolute(sets[k].data.file).parent_path().filename(); shared[k] && !folder.empty())
      sets[k].data.name = folder.string() + "-" + sets[k].data.name;
  for (std::size_t k = sets.size(); k-- > 0;)
    while (alike(sets[k].data.name)) sets[k].data.name += fmt::format("-{}", k);
}

}  // namespace

CaseList read_cases(std::span<const std::string> paths) {
  CaseList list;
  const std::vector<ClaimSchema> schemas = all_schemas();
  for (const auto& [file, of_folder] : files_of(paths, {".json"}, list.faults)) {
    auto read = read_case(file, schemas);
    if (auto* fault = std::get_if<InputFault>(&read))
      list.faults.push_back(*fault);
    else
      list.cases.push_back(std::move(std::get<Case>(read)));
  }
  return list;
}

DataList read_data_sets(std::span<const std::string> paths, LabelCoding labels) {
  DataList list;
  for (const auto& [file, of_folder] : files_of(paths, {".json", ".npz", ".safetensors"}, list.faults)) {
    if (of_folder && is_archive_without_data(file)) {
      list.left_out.push_back(file);
      continue;
    }
    auto read = read_data(file, labels);
    if (auto* fault = std::get_if<InputFault>(&read))
      list.faults.push_back(*fault);
    else
      list.sets.push_back(std::move(std::get<DataSet>(read)));
  }
  tell_apart(list.sets);
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
