// SHA-256 (FIPS 180-4): the fingerprint by which a result identifies its scene file.
#pragma once

#include <string>
#include <string_view>

namespace tendril::cli {

/// 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace tendril::cli
