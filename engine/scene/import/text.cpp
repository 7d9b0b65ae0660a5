// Columns and offsets assume plain ASCII up to the faulty part, as in these formats; earlier lines may hold anything.
#include "scene/import/text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tendril::scene {

namespace {

constexpr std::size_t mostInFile = 100;

}  // namespace

LineReader::LineReader(std::string_view text, Problems& problems) : text_(text), problems_(problems) {
  if (text_.substr(0, 3) == "\xEF\xBB\xBF") text_.remove_prefix(3);  // a byte order mark
}

bool LineReader::next(std::string_view& line) {
  if (stopped_ || next_ >= text_.size()) return false;
  begin_ = next_;
  countUnits(begin_);
  const std::size_t end = std::min(text_.find('\n', begin_), text_.size());
  next_ = end + 1;
  ++line_;
  line = trimmed(text_.substr(begin_, end - begin_));
  return true;
}

void LineReader::countUnits(std::size_t to) {
  for (; counted_ < std::min(to, text_.size()); ++counted_) {
    const unsigned char c = static_cast<unsigned char>(text_[counted_]);
    units_ += (c & 0xC0) == 0x80 ? 0 : c >= 0xF0 ? 2 : 1;
  }
}

Problem* LineReader::fresh(int line, std::string message) {
  if (problems_.size() >= mostInFile) {
    stopped_ = true;
    return nullptr;
  }
  Problem problem;
  problem.message = std::move(message);
  problem.line = std::max(line, 1);
  problems_.push_back(std::move(problem));
  return &problems_.back();
}

void LineReader::add(std::string_view part, std::string message) {
  Problem* problem = fresh(line_, std::move(message));
  if (!problem || part.empty()) return;
  const std::size_t offset = static_cast<std::size_t>(part.data() - text_.data()) - begin_;
  problem->column = static_cast<int>(offset) + 1;
  problem->from = std::min(units_ + offset, text_.size());
  problem->to = std::min(problem->from + part.size(), text_.size());
}

void LineReader::addAt(int line, std::string message) { fresh(line, std::move(message)); }

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::string shown(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, 40)) out += c >= 0x20 && c < 0x7f ? c : '?';
  return "\"" + out + (text.size() > 40 ? "...\"" : "\"");
}

bool readDecimal(std::string_view text, double& out) {
  if (text.empty() || text.size() > 100 || text.find_first_not_of("0123456789+-.eE") != std::string_view::npos)
    return false;
  const std::string copy(text);
  char* end = nullptr;
  out = std::strtod(copy.c_str(), &end);
  return *end == '\0' && std::isfinite(out);
}

std::string countOf(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace tendril::scene
