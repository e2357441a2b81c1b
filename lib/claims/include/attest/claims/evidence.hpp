#pragma once

#include "attest/base/rational.hpp"
#include "attest/base/verdict.hpp"
#include "attest/model/svm_program.hpp"

#include <Eigen/Core>

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>

namespace attest {

/// Who takes down the numbers of a finding, in the order in which they are to be read. Claims know nothing of JSON: the one that makes
/// it stands in the report.
class EvidenceWriter {
 public:
  virtual ~EvidenceWriter() = default;
  virtual void begin_object() = 0;
  virtual void key(std::string_view name) = 0;
  virtual void end_object() = 0;
  virtual void begin_list() = 0;
  virtual void end_list() = 0;
  virtual void number(double value) = 0;  ///< one that is not finite is none
  virtual void integer(std::int64_t value) = 0;
  virtual void natural(std::uint64_t value) = 0;
  virtual void truth(bool value) = 0;
  virtual void text(std::string_view value) = 0;
  virtual void none() = 0;
};

class Fields;

/// The numbers of a claim: a struct of its own that says how they are called.
template <class T>
concept Described = requires(const T& value, Fields& fields) {
  value.write(fields);
};

/// The fields of one object. Written as out("norm", norm)("rate", rate): an empty optional is none, and a field that is to be absent is not
/// written.
class Fields {
 public:
  explicit Fields(EvidenceWriter& writer) : writer_(&writer) {}

  template <class Value>
  Fields& operator()(std::string_view name, const Value& value) {
    writer_->key(name);
    write(value);
    return *this;
  }

 private:
  template <class Value>
  void write(const Value& value) {
    if constexpr (std::same_as<Value, bool>) {
      writer_->truth(value);
    } else if constexpr (std::floating_point<Value>) {
      writer_->number(value);
    } else if constexpr (std::signed_integral<Value>) {
      writer_->integer(value);
    } else if constexpr (std::unsigned_integral<Value>) {
      writer_->natural(value);
    } else if constexpr (std::convertible_to<const Value&, std::string_view>) {
      writer_->text(value);
    } else if constexpr (std::same_as<Value, Rational>) {
      writer_->text(to_string(value));
    } else if constexpr (std::same_as<Value, Grade> || std::same_as<Value, Verdict>) {
      writer_->text(name_of(value));
    } else if constexpr (std::same_as<Value, RowName>) {
      write_list(std::initializer_list<std::size_t>{value.sample, value.token});
    } else if constexpr (std::same_as<Value, std::nullopt_t>) {
      writer_->none();
    } else if constexpr (requires {
                           value.has_value();
                           *value;
                         }) {
      value ? write(*value) : writer_->none();
    } else if constexpr (Described<Value>) {
      writer_->begin_object();
      value.write(*this);
      writer_->end_object();
    } else {
      write_list(value);
    }
  }

  template <class List>
  void write_list(const List& list) {
    writer_->begin_list();
    for (auto entry = std::begin(list); entry != std::end(list); ++entry)
      write(static_cast<const std::iter_value_t<decltype(entry)>&>(*entry));
    writer_->end_list();
  }

  EvidenceWriter* writer_;
};

/// The numbers of a finding: a value of the claim's own type.
class Evidence {
 public:
  Evidence() = default;
  template <Described Numbers>
  Evidence(Numbers numbers) : held_(std::make_shared<const Holder<Numbers>>(std::move(numbers))) {}

  void write(EvidenceWriter& writer) const {
    writer.begin_object();
    Fields fields(writer);
    if (held_) held_->write(fields);
    writer.end_object();
  }

  /// The numbers as what they are, for who knows the claim.
  template <class Numbers>
  const Numbers* as() const {
    const auto* holder = dynamic_cast<const Holder<Numbers>*>(held_.get());
    return holder ? &holder->numbers : nullptr;
  }

 private:
  struct Held {
    virtual ~Held() = default;
    virtual void write(Fields& fields) const = 0;
  };
  template <class Numbers>
  struct Holder final : Held {
    explicit Holder(Numbers given) : numbers(std::move(given)) {}
    void write(Fields& fields) const override { numbers.write(fields); }
    Numbers numbers;
  };

  std::shared_ptr<const Held> held_;
};

}  // namespace attest
