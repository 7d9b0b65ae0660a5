#include "text/source_map.h"

#include "text/document.h"

namespace tendril::text {

SourceMap::SourceMap(const Document& document) { add(document, document.root()); }

void SourceMap::add(const Document& document, const Value& value) {
  problems_.emplace(value.pointer, document.problem(value, ""));
  for (const Value& item : value.items)
    if (item.isObject()) add(document, item);
  for (const Member& member : value.members) add(document, member.value);
}

Problem SourceMap::problem(const std::string& pointer, const std::string& message) const {
  for (std::string at = pointer;; at.erase(at.rfind('/'))) {
    const auto found = problems_.find(at);
    if (found != problems_.end()) {
      Problem problem = found->second;
      problem.message = message + problem.message;
      return problem;
    }
    if (at.find('/') == std::string::npos) break;
  }
  Problem problem;
  problem.message = message;
  problem.pointer = pointer;
  return problem;
}

}  // namespace tendril::text
