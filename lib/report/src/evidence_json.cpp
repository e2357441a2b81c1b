#include "attest/report/evidence_json.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

/// Builds the object from the outside in: what is open waits until it is closed.
class JsonWriter final : public EvidenceWriter {
 public:
  void begin_object() override { open_.push_back({Json::object(), {}}); }
  void key(std::string_view name) override { open_.back().key = name; }
  void end_object() override { close(); }
  void begin_list() override { open_.push_back({Json::array(), {}}); }
  void end_list() override { close(); }
  void number(double value) override { put(std::isfinite(value) ? Json(value) : Json()); }
  void integer(std::int64_t value) override { put(value); }
  void natural(std::uint64_t value) override { put(value); }
  void truth(bool value) override { put(value); }
  void text(std::string_view value) override { put(value); }
  void none() override { put(nullptr); }

  Json take() { return std::move(whole_); }

 private:
  struct Open {
    Json value;
    std::string key;  // of an object: the field that comes next
  };

  void put(Json value) {
    if (open_.empty())
      whole_ = std::move(value);
    else if (open_.back().value.is_array())
      open_.back().value.push_back(std::move(value));
    else
      open_.back().value[open_.back().key] = std::move(value);
  }
  void close() {
    Json value = std::move(open_.back().value);
    open_.pop_back();
    put(std::move(value));
  }

  std::vector<Open> open_;
  Json whole_;
};

}  // namespace

Json to_json(const Evidence& evidence) {
  JsonWriter writer;
  evidence.write(writer);
  return writer.take();
}

}  // namespace attest
