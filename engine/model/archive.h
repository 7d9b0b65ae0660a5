// Saving and restoring are one visit: who names the members of a state in one order does both. Same machine family
// only: the layout is the compiler's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace tendril::model {

/// Every error is a std::runtime_error, after which what was visited is half restored. Saving changes nothing.
class Archive {
 public:
  explicit Archive(std::vector<std::byte>& out) : out_(&out) {}
  explicit Archive(std::span<const std::byte>& in) : in_(&in) {}  ///< consumes what it reads

  bool restores() const { return in_ != nullptr; }

  /// Values without memory of their own and without padding, so that equal states save equal bytes.
  template <class... T>
  void operator()(T&... values) {
    (one(values), ...);
  }
  /// A list whose size the scene gives; where another was saved, that is an error.
  template <class L>
  void list(L& values) {
    if (count(static_cast<std::size_t>(values.size())) != static_cast<std::size_t>(values.size())) refuse();
    elements(values);
  }
  /// A list of any size up to `most`.
  template <class L>
  void anyList(L& values, std::size_t most) {
    resize(values, most);
    elements(values);
  }
  /// Gives a list the size that was saved; whoever calls visits its elements.
  template <class L>
  void resize(L& values, std::size_t most) {
    const std::size_t n = count(static_cast<std::size_t>(values.size()));
    if (n > most) refuse();
    values.resize(n);
  }

  /// The saved state does not belong to this scene.
  [[noreturn]] static void refuse();

 private:
  template <class T>
  void one(T& value) {
    static_assert(std::is_trivially_destructible_v<T> && !std::is_pointer_v<T>);
    if constexpr (std::is_same_v<T, bool>) {
      char as = value ? 1 : 0;
      raw(&as, 1);
      value = as != 0;
    } else {
      raw(&value, sizeof(T));
    }
  }
  template <class L>
  void elements(L& values) {
    using T = std::remove_reference_t<decltype(values.data()[0])>;
    static_assert(std::is_trivially_destructible_v<T> && !std::is_pointer_v<T>);
    raw(values.data(), static_cast<std::size_t>(values.size()) * sizeof(T));
  }
  std::size_t count(std::size_t now);
  void raw(void* data, std::size_t size);

  std::vector<std::byte>* out_ = nullptr;
  std::span<const std::byte>* in_ = nullptr;
};

}  // namespace tendril::model
