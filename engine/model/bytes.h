// Plain values to bytes and back, for save and restore. Same machine family only: the layout is the compiler's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace tendril::model {

class ByteWriter {
 public:
  explicit ByteWriter(std::vector<std::byte>& out) : out_(out) {}
  template <class T>
  void value(const T& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    raw(&v, sizeof(T));
  }
  /// n values at `data`, preceded by their number.
  template <class T>
  void array(const T* data, std::size_t n) {
    static_assert(std::is_trivially_copyable_v<T>);
    value(static_cast<std::uint64_t>(n));
    raw(data, n * sizeof(T));
  }

 private:
  void raw(const void* data, std::size_t n) {
    const auto* p = static_cast<const std::byte*>(data);
    out_.insert(out_.end(), p, p + n);
  }
  std::vector<std::byte>& out_;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte>& in) : in_(in) {}
  template <class T>
  void value(T& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    raw(&v, sizeof(T));
  }
  /// Exactly n values, as written; another number is an error.
  template <class T>
  void array(T* data, std::size_t n) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::uint64_t stored = 0;
    value(stored);
    if (stored != n) throw std::runtime_error("the saved state does not belong to this scene");
    raw(data, n * sizeof(T));
  }

 private:
  void raw(void* data, std::size_t n) {
    if (in_.size() < n) throw std::runtime_error("the saved state is cut short");
    if (n > 0) std::memcpy(data, in_.data(), n);
    in_ = in_.subspan(n);
  }
  std::span<const std::byte>& in_;
};

}  // namespace tendril::model
