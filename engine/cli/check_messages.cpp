// Numbers are sent to the last bit; those that are not finite, which JSON lacks, as text.
#include "cli/check_messages.h"

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/numbers.h"

namespace tendril::cli {

namespace {

using Json = nlohmann::ordered_json;

Json numberJson(double value) {
  if (std::isfinite(value)) return value;
  return humanNumber(value);
}

double numberOf(const Json& json) {
  return json.is_string() ? std::strtod(json.get<std::string>().c_str(), nullptr) : json.get<double>();
}

Json mapJson(const std::map<std::string, double>& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) object[name] = numberJson(value);
  return object;
}

std::map<std::string, double> mapOf(const Json& json) {
  std::map<std::string, double> values;
  for (const auto& [name, value] : json.items()) values[name] = numberOf(value);
  return values;
}

std::string lineText(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json planJson(const std::vector<PlannedCheck>& planned) {
  Json list = Json::array();
  for (const PlannedCheck& check : planned)
    list.push_back(Json{{"index", check.index},
                        {"title", check.title},
                        {"points", check.points},
                        {"with", mapJson(check.with)},
                        {"wanted", check.wanted}});
  return Json{{"planned", list}};
}

Json decidedJson(const CheckLine& line) {
  return Json{{"index", line.index},
              {"title", line.result.title},
              {"passed", line.result.passed},
              {"at", numberJson(line.result.at)},
              {"points", line.result.points},
              {"why", line.result.reason},
              {"values", mapJson(line.result.values)},
              {"with", mapJson(line.with)},
              {"reason", line.reason},
              {"error", line.error}};
}

CheckLine decidedOf(const Json& json) {
  CheckLine line;
  line.index = json.at("index").get<int>();
  line.result.title = json.at("title").get<std::string>();
  line.result.passed = json.at("passed").get<bool>();
  line.result.at = numberOf(json.at("at"));
  line.result.points = json.at("points").get<double>();
  line.result.reason = json.at("why").get<std::string>();
  line.result.values = mapOf(json.at("values"));
  line.with = mapOf(json.at("with"));
  line.reason = json.at("reason").get<std::string>();
  line.error = json.at("error").get<bool>();
  return line;
}

}  // namespace

CheckListener sendingListener(const std::function<void(const std::string& line)>& send) {
  CheckListener listener;
  listener.planned = [send](const std::vector<PlannedCheck>& planned) { send(lineText(planJson(planned))); };
  listener.decided = [send](const CheckLine& line) { send(lineText(Json{{"decided", decidedJson(line)}})); };
  listener.ahead = [send](const CheckLine& line) { send(lineText(Json{{"ahead", decidedJson(line)}})); };
  listener.ended = [send](const SceneChecks& scene) {
    send(lineText(Json{{"ended", scene.status},
                       {"reason", scene.reason},
                       {"problems", scene.problems},
                       {"exitCode", scene.exitCode}}));
  };
  return listener;
}

void receiveMessage(const std::string& text, const CheckListener& listener) {
  const Json message = Json::parse(text);
  if (message.contains("planned")) {
    std::vector<PlannedCheck> planned;
    for (const Json& check : message["planned"]) {
      planned.push_back({check.at("index").get<int>(), check.at("title").get<std::string>(),
                         check.at("points").get<double>(), mapOf(check.at("with")), check.at("wanted").get<bool>()});
    }
    listener.planned(planned);
  } else if (message.contains("decided")) {
    listener.decided(decidedOf(message["decided"]));
  } else if (message.contains("ahead")) {
    listener.ahead(decidedOf(message["ahead"]));
  } else {
    SceneChecks scene;
    scene.status = message.at("ended").get<std::string>();
    scene.reason = message.at("reason").get<std::string>();
    scene.problems = message.at("problems").get<std::vector<std::string>>();
    scene.exitCode = message.at("exitCode").get<int>();
    listener.ended(scene);
  }
}

}  // namespace tendril::cli
