#include "model/archive.h"

#include <cstring>
#include <stdexcept>

namespace tendril::model {

void Archive::refuse() { throw std::runtime_error("the saved state does not belong to this scene"); }

std::size_t Archive::count(std::size_t now) {
  std::uint64_t n = now;
  raw(&n, sizeof n);
  return static_cast<std::size_t>(n);
}

void Archive::raw(void* data, std::size_t size) {
  if (out_) {
    const auto* from = static_cast<const std::byte*>(data);
    out_->insert(out_->end(), from, from + size);
    return;
  }
  if (in_->size() < size) throw std::runtime_error("the saved state is cut short");
  if (size > 0) std::memcpy(data, in_->data(), size);
  *in_ = in_->subspan(size);
}

}  // namespace tendril::model
