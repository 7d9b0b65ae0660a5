#include "cli/fit_scene.h"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "text/document.h"
#include "text/words.h"

namespace tendril::cli {

std::string withValues(const std::string& scene, const std::map<std::string, double>& values) {
  const auto parsed = text::Document::parse(scene);
  const auto* document = std::get_if<text::Document>(&parsed);
  const text::Value* parameters = document ? document->root().find("parameters") : nullptr;
  if (!parameters) throw std::logic_error("the scene has no parameters");
  std::vector<std::pair<text::Span, std::string>> changes;
  for (const auto& [name, number] : values) {
    const text::Value* value = parameters->find(name);
    if (value && value->isObject()) value = value->find("value");
    if (!value) throw std::logic_error("the scene has no parameter " + name);
    changes.push_back({value->span, text::formatNumber(number)});
  }
  std::sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) { return a.first.begin > b.first.begin; });
  std::string out = scene;
  for (const auto& [span, number] : changes) out.replace(span.begin, span.end - span.begin, number);
  return out;
}

}  // namespace tendril::cli
