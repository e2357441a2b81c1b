#include "attest/report/difference.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/report/label.hpp"
#include "badges.hpp"
#include "json_view.hpp"
#include "markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace attest {
namespace {

/// Points of a picture: nothing is decided by them.
constexpr std::array<std::string_view, 3> picture_keys = {"trace", "positions", "attention"};

bool same_number(const Json& a, const Json& b) {
  if (a.is_number_integer() && b.is_number_integer()) return a == b;
  const auto one = a.get<double>();
  const auto other = b.get<double>();
  return std::abs(one - other) <= result_tolerance.absolute + result_tolerance.relative * std::max(std::abs(one), std::abs(other));
}

struct NumberChange {
  std::string path;
  std::string before;
  std::string after;
};

std::string shown(const Json* value) { return value == nullptr ? "nothing" : value->is_null() ? "null" : value_text(*value); }

/// "runs[0].norm" and its two values, wherever they differ.
void compare(const std::string& path, const Json* before, const Json* now, std::vector<NumberChange>& changes) {
  const bool both = before != nullptr && now != nullptr;
  if (both && before->is_object() && now->is_object()) {
    std::set<std::string> keys;
    for (const Json* side : {before, now})
      for (const auto& [key, value] : side->items()) keys.insert(key);
    for (const std::string& key : keys) {
      if (std::ranges::find(picture_keys, key) != picture_keys.end()) continue;
      const auto in = [&](const Json& side) { return side.contains(key) ? &side.at(key) : nullptr; };
      compare(path.empty() ? key : path + "." + key, in(*before), in(*now), changes);
    }
  } else if (both && before->is_array() && now->is_array() && before->size() == now->size()) {
    for (std::size_t k = 0; k < before->size(); ++k) compare(fmt::format("{}[{}]", path, k), &(*before)[k], &(*now)[k], changes);
  } else if (both && before->is_number() && now->is_number() ? !same_number(*before, *now) : !both || *before != *now) {
    changes.push_back({path, shown(before), shown(now)});
  }
}

/// Entries of a list by a name, each with how many of that name stood before it.
using EntriesByName = std::map<std::pair<std::string, std::size_t>, const Json*>;

template <class Name>
EntriesByName by_name(const std::vector<Json>& list, Name name) {
  EntriesByName named;
  std::map<std::string, std::size_t> seen;
  for (const Json& entry : list) {
    std::string key = name(entry);
    const std::size_t before = seen[key]++;
    named.emplace(std::pair{std::move(key), before}, &entry);
  }
  return named;
}

/// What a claim asks: its label, and the selection if it is given one. What it finds is no part of it.
std::string question(const Json& claim) {
  const Json* parameters = member(claim, "parameters");
  const Json* selection = parameters ? member(*parameters, "selection") : nullptr;
  return claim_label(claim) + (selection ? " " + selection->dump() : "");
}

/// The beginning of a hash tells it from others.
std::string hash_text(const std::string& hash) {
  constexpr std::size_t shown = 12;
  return hash.size() > shown ? hash.substr(0, shown) + "…" : hash;
}

/// Compares two results, a case at a time.
class Comparison {
 public:
  void compare_cases(const std::vector<Json>& before, const std::vector<Json>& now) {
    const auto name = [](const Json& one) { return text_at(one, "name"); };
    match(by_name(before, name), by_name(now, name), [&](const Json* old_case, const Json* new_case) {
      const Json& any = new_case ? *new_case : *old_case;
      one_ = text_at(any, "name");
      claim_.clear();
      const std::string claims = fmt::format("{} claims", list_at(any, "claims").size());
      if (!new_case) return add(Cause::case_removed, claims, "nothing");
      if (!old_case) return add(Cause::case_added, "nothing", claims);
      compare_data(*old_case, *new_case);
      match(by_name(list_at(*old_case, "claims"), question), by_name(list_at(*new_case, "claims"), question),
            [&](const Json* old_claim, const Json* new_claim) { compare_claim(old_claim, new_claim); });
    });
  }

  std::vector<Difference> list;

 private:
  /// Every name of either side, in the order of names.
  template <class Visit>
  static void match(const EntriesByName& before, const EntriesByName& now, Visit visit) {
    std::set<EntriesByName::key_type> names;
    for (const EntriesByName* side : {&before, &now})
      for (const auto& [name, entry] : *side) names.insert(name);
    for (const auto& name : names) {
      const auto in = [&](const EntriesByName& side) { return side.contains(name) ? side.at(name) : nullptr; };
      visit(in(before), in(now));
    }
  }

  void add(Cause cause, std::string before, std::string after, std::string why = "") {
    list.push_back({cause, one_, claim_, std::move(before), std::move(after), std::move(why)});
  }

  void compare_data(const Json& before, const Json& now) {
    const Json* old_hash = member(before, "data_sha256");
    const Json* new_hash = member(now, "data_sha256");
    if (old_hash == nullptr || new_hash == nullptr) return;  // results of a version that did not keep it
    std::vector<NumberChange> changes;
    compare("", old_hash, new_hash, changes);
    for (const NumberChange& change : changes)
      add(Cause::data, change.path + " " + hash_text(change.before), change.path + " " + hash_text(change.after));
  }

  void compare_claim(const Json* before, const Json* now) {
    claim_ = claim_title(now ? *now : *before);
    if (!now) return add(Cause::claim_removed, verdict_and_grade(*before), "nothing");
    if (!before) return add(Cause::claim_added, "nothing", verdict_and_grade(*now));
    const std::string message = text_at(*now, "message");
    if (before->contains("ended_early") != now->contains("ended_early"))
      add(Cause::ended_early, before->contains("ended_early") ? "ended early" : verdict_and_grade(*before),
          now->contains("ended_early") ? "ended early" : verdict_and_grade(*now), message);
    else if (before->at("verdict") != now->at("verdict"))
      add(Cause::verdict, verdict_and_grade(*before), verdict_and_grade(*now), message);
    else if (before->at("grade") != now->at("grade"))
      add(Cause::grade, verdict_and_grade(*before), verdict_and_grade(*now), message);
    else if (before->at("passed") != now->at("passed"))
      add(Cause::expectation, "expected " + missed_expectation(*before), "expected " + missed_expectation(*now));
    compare_hypotheses(*before, *now);
    if (before->at("selection") != now->at("selection"))
      add(Cause::selection, selection_text(before->at("selection")), selection_text(now->at("selection")));
    compare_numbers(*before, *now);
  }

  void compare_hypotheses(const Json& before, const Json& now) {
    const auto name = [](const Json& one) { return text_at(one, "name"); };
    match(by_name(list_at(before, "hypotheses"), name), by_name(list_at(now, "hypotheses"), name), [&](const Json* a, const Json* b) {
      const std::string was = a ? verdict_and_grade(*a) : "not asked";
      const std::string is = b ? verdict_and_grade(*b) : "not asked";
      const std::string which = text_at(a ? *a : *b, "name");
      if (was != is) add(Cause::hypothesis, which + ": " + was, which + ": " + is, b ? text_at(*b, "message") : "");
    });
  }

  void compare_numbers(const Json& before, const Json& now) {
    Json old_numbers = before.at("numbers");
    Json new_numbers = now.at("numbers");
    if (text_at(now, "claim") == "census") {
      compare_selections(list_at(old_numbers, "selections"), list_at(new_numbers, "selections"));
      for (Json* numbers : {&old_numbers, &new_numbers}) numbers->erase("selections");
    }
    std::vector<NumberChange> changes;
    compare("", &old_numbers, &new_numbers, changes);
    if (changes.empty()) return;
    constexpr std::size_t named = 3;
    std::string was;
    std::string is;
    for (std::size_t k = 0; k < std::min(named, changes.size()); ++k) {
      was += fmt::format("{}{} {}", k == 0 ? "" : "; ", changes[k].path, changes[k].before);
      is += fmt::format("{}{} {}", k == 0 ? "" : "; ", changes[k].path, changes[k].after);
    }
    add(Cause::numbers, was, is, changes.size() > named ? fmt::format("and {} more numbers", changes.size() - named) : "");
  }

  /// The locally optimal selections that only one side lists.
  void compare_selections(const std::vector<Json>& before, const std::vector<Json>& now) {
    const auto missing = [](const std::vector<Json>& some, const std::vector<Json>& other) {
      std::string text;
      for (const Json& one : some)
        if (std::ranges::find(other, one) == other.end()) text += (text.empty() ? "" : ", ") + selection_text(one);
      return text;
    };
    const std::string lost = missing(before, now);
    const std::string added = missing(now, before);
    if (!lost.empty() || !added.empty())
      add(Cause::census, lost.empty() ? "nothing that is lost" : lost + ", lost", added.empty() ? "nothing added" : added + ", added");
  }

  std::string one_;    // the case being compared
  std::string claim_;  // the claim being compared
};

std::vector<Difference> grouped(std::vector<Difference> list) {
  std::ranges::stable_sort(list, {}, &Difference::cause);
  return list;
}

Cause cause_of(const Json& claim) {
  if (claim.contains("ended_early")) return Cause::ended_early;
  return text_at(claim, "expect") == text_at(claim, "verdict") ? Cause::grade : Cause::verdict;
}

}  // namespace

std::string_view title_of(Cause cause) {
  switch (cause) {
    case Cause::data: return "Data";
    case Cause::case_added: return "Cases added";
    case Cause::case_removed: return "Cases removed";
    case Cause::claim_added: return "Claims added";
    case Cause::claim_removed: return "Claims removed";
    case Cause::ended_early: return "Claims whose process ended early";
    case Cause::verdict: return "Verdicts";
    case Cause::grade: return "Grades";
    case Cause::expectation: return "Expectations";
    case Cause::hypothesis: return "Hypotheses";
    case Cause::selection: return "Selections";
    case Cause::census: return "Locally optimal selections";
    case Cause::numbers: return "Numbers";
  }
  return {};
}

std::vector<Difference> differences(const Json& before, const Json& now) {
  Comparison comparison;
  comparison.compare_cases(list_at(before, "cases"), list_at(now, "cases"));
  return grouped(std::move(comparison.list));
}

std::vector<Difference> unmet_expectations(const Json& results) {
  std::vector<Difference> list;
  for (const Json& one : list_at(results, "cases")) {
    if (const std::string changed = data_changed_text(one); !changed.empty())
      list.push_back({Cause::data, text_at(one, "name"), "", "the data of the audit", "other data", changed});
    for (const Json& claim : list_at(one, "claims")) {
      if (claim.at("passed").get<bool>()) continue;
      const std::string expected = missed_expectation(claim);
      list.push_back({cause_of(claim), text_at(one, "name"), claim_title(claim), expected.empty() ? "an answer" : expected,
                      verdict_and_grade(claim), text_at(claim, "message")});
    }
  }
  return grouped(std::move(list));
}

std::string markdown_tables(const std::vector<Difference>& list, const Sides& sides) {
  std::string text;
  for (auto one = list.begin(); one != list.end(); ++one) {
    if (one == list.begin() || one->cause != std::prev(one)->cause)
      text += fmt::format("{}### {}\n\n| case | claim | {} | {} | why |\n|---|---|---|---|---|\n", text.empty() ? "" : "\n",
                          title_of(one->cause), sides.before, sides.after);
    text += fmt::format("| {} | {} | {} | {} | {} |\n", markdown_text(one->one), markdown_text(one->claim), markdown_text(one->before),
                        markdown_text(one->after), markdown_text(one->why));
  }
  return text;
}

}  // namespace attest
