// Written by hand rather than through a tree: a frame of a large network is a few megabytes. Names of bodies and links
// are identifiers and need no escapes.
#include "cli/body_json.h"

#include "cli/numbers.h"

namespace tendril::cli {

namespace {

/// `stride` 1: a flat list; 3: a list of triples.
bool appendList(std::string& text, const std::vector<double>& values, std::size_t stride) {
  bool finite = true;
  text += '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i) text += ',';
    if (stride > 1 && i % stride == 0) text += '[';
    finite &= appendJsonNumber(text, values[i]);
    if (stride > 1 && i % stride == stride - 1) text += ']';
  }
  text += ']';
  return finite;
}

bool appendMap(std::string& text, const char* key, const Bodies& bodies, std::vector<double> BodyState::*field,
               std::size_t stride) {
  bool finite = true;
  text += '"';
  text += key;
  text += "\":{";
  bool first = true;
  for (const BodyState& body : bodies) {
    if ((body.*field).empty()) continue;  // not present in this kind of body
    text += (first ? "\"" : ",\"") + body.name + "\":";
    first = false;
    finite &= appendList(text, body.*field, stride);
  }
  text += '}';
  return finite;
}

// By link, "arm/limb": coordinates and their rates. Both lists are empty for a fixed rigid link.
bool appendLinks(std::string& text, const Bodies& bodies) {
  bool finite = true, first = true;
  text += "\"linkages\":{";
  for (const BodyState& body : bodies) {
    for (const BodyState::LinkState& link : body.links) {
      text += (first ? "\"" : ",\"") + link.name + "\":{\"q\":";
      first = false;
      finite &= appendList(text, link.q, 1);
      text += ",\"v\":";
      finite &= appendList(text, link.v, 1);
      text += '}';
    }
  }
  text += '}';
  return finite;
}

}  // namespace

BodyJson bodyJson(const Bodies& bodies, std::optional<double> time) {
  BodyJson result;
  std::string& text = result.text;
  text = "{";
  if (time) {
    text += "\"t\":";
    result.finite &= appendJsonNumber(text, *time);
    text += ',';
  }
  result.finite &= appendMap(text, "nodes", bodies, &BodyState::nodes, 3);
  text += ',';
  result.finite &= appendMap(text, "velocity", bodies, &BodyState::velocity, 3);
  text += ',';
  result.finite &= appendMap(text, "twist", bodies, &BodyState::twist, 1);
  text += ',';
  result.finite &= appendLinks(text, bodies);
  text += ',';
  result.finite &= appendMap(text, "vines", bodies, &BodyState::placements, 3);
  text += '}';
  return result;
}

void FrameFile::add(double time, const Bodies& bodies) {
  BodyJson line = bodyJson(bodies, time);
  finite_ &= line.finite;
  line.text += '\n';
  file_.write(line.text);
}

}  // namespace tendril::cli
