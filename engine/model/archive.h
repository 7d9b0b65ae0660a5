// Saving and restoring are one visit: who names the members of a state in one order does both. Same machine family
// only: the layout is the compiler's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace tendril::model {

/// What a saved type consists of: double-precision numbers alone, by which states near each other differ a little; or
/// something else, in which they are the same or differ altogether.
enum class Contents { unknown, numbers, other };
/// A struct that is saved as a whole and is made of such numbers alone says so as Eigen's matrices do, by T::Scalar.
/// Another one says beside its definition, or where it is saved, that it is something else.
template <class T>
inline constexpr Contents contentsOf = std::is_same_v<T, double>                      ? Contents::numbers
                                       : std::is_arithmetic_v<T> || std::is_enum_v<T> ? Contents::other
                                                                                      : Contents::unknown;
template <class T>
requires std::is_same_v<typename T::Scalar, double>
inline constexpr Contents contentsOf<T> = Contents::numbers;
template <class T, std::size_t count>
inline constexpr Contents contentsOf<std::array<T, count>> = contentsOf<T>;

/// A saved state, and where in it double-precision numbers stand.
struct SavedState {
  /// What the numbers of a list are.
  enum class Kind {
    place,  ///< all displacements or coordinates of a model, or of one that moves by itself
    rate,   ///< theirs, in the same order; its list follows
    other
  };
  struct Run {
    std::size_t at = 0, count = 0;  ///< [bytes]; numbers
    Kind kind = Kind::other;
    bool operator==(const Run&) const = default;
  };
  std::vector<std::byte> bytes;
  std::vector<Run> runs;
  void clear() { bytes.clear(), runs.clear(); }
};

/// Every error is a std::runtime_error, after which what was visited is half restored. Saving changes nothing.
class Archive {
 public:
  explicit Archive(std::vector<std::byte>& out) : out_(&out) {}
  explicit Archive(SavedState& out) : out_(&out.bytes), runs_(&out.runs) {}
  explicit Archive(std::span<const std::byte>& in) : in_(&in) {}  ///< consumes what it reads

  bool restores() const { return in_ != nullptr; }

  /// Values without memory of their own and without padding, so that equal states save equal bytes.
  template <class... T>
  void operator()(T&... values) {
    (one(values), ...);
  }
  /// A list whose size the scene gives; where another was saved, that is an error.
  template <class L>
  void list(L& values, SavedState::Kind kind = SavedState::Kind::other) {
    if (count(static_cast<std::size_t>(values.size())) != static_cast<std::size_t>(values.size())) refuse();
    elements(values, kind);
  }
  /// A list of any size up to `most`.
  template <class L>
  void anyList(L& values, std::size_t most, SavedState::Kind kind = SavedState::Kind::other) {
    resize(values, most);
    elements(values, kind);
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
      typed(&value, 1, SavedState::Kind::other);
    }
  }
  template <class L>
  void elements(L& values, SavedState::Kind kind) {
    using T = std::remove_reference_t<decltype(values.data()[0])>;
    static_assert(std::is_trivially_destructible_v<T> && !std::is_pointer_v<T>);
    typed(values.data(), static_cast<std::size_t>(values.size()), kind);
  }
  template <class T>
  void typed(T* data, std::size_t count, SavedState::Kind kind) {
    static_assert(contentsOf<T> != Contents::unknown, "say beside the struct what it consists of");
    const std::size_t size = count * sizeof(T);
    if constexpr (contentsOf<T> == Contents::numbers) {
      if (runs_) runs_->push_back({out_->size(), size / sizeof(double), kind});
    }
    raw(data, size);
  }
  std::size_t count(std::size_t now);
  void raw(void* data, std::size_t size);

  std::vector<std::byte>* out_ = nullptr;
  std::vector<SavedState::Run>* runs_ = nullptr;  // where it is asked for
  std::span<const std::byte>* in_ = nullptr;
};

}  // namespace tendril::model
