// Tables and plots. No script, no request: styles and pictures are inside.
#include "cli/fit_report.h"

#include <cmath>

#include "cli/fit_frames.h"
#include "cli/html_parts.h"
#include "cli/numbers.h"
#include "cli/objective_report.h"
#include "cli/plot.h"
#include "cli/scene_input.h"
#include "tendril/version.h"

namespace tendril::cli {

namespace {

constexpr const char* style =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem;color:#1c2430;background:#fff}\n"
    "h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}table{border-collapse:collapse;margin:.6rem 0}\n"
    "th,td{padding:.2rem .8rem;text-align:right;border-bottom:1px solid #d8dde4;font-variant-numeric:tabular-nums}\n"
    "th:first-child,td:first-child{text-align:left}code{background:#f1f3f6;padding:.15rem .35rem;border-radius:3px}\n"
    ".no{color:#a32b1c;font-weight:600}svg{width:100%;height:auto;display:block;margin:.6rem 0}\n"
    "svg text{font-size:11px;fill:#3c4656}svg .title{font-weight:600}.grid{stroke:#e3e7ec}.zero,.tick{stroke:#8b95a3}\n"
    "circle.data{fill:#2f6fb3}circle.held{fill:#fff;stroke:#c2571a;stroke-width:1.4}circle.left{fill:#5b6675}\n"
    "path.model{fill:none;stroke:#d08a00;stroke-width:1.6}.key span{margin-right:1.4rem}\n";

/// What the standard error column says of an unknown.
std::string errorText(const FitRecord& record, std::size_t u) {
  const double error = record.result->standardErrors[Eigen::Index(u)];
  if (record.result->atBound[u]) return "at its bound";
  return std::isnan(error) ? "not known" : finite(error, 3);
}

bool isTold(const FitRecord& record, std::size_t u) {
  return !record.result->uncertainty || record.result->uncertainty->identifiable[u];
}

std::string unknownsTable(const FitRecord& record) {
  std::string out = head("Values") + "<table>\n" +
                    row({"unknown", "value", "standard error", "unit", "bounds", "the data tell it"}, "th");
  for (std::size_t u = 0; u < record.plan->unknowns.size(); ++u) {
    const fit::Unknown& unknown = record.plan->unknowns[u];
    std::string bounds = humanNumber(unknown.min) + " to " + humanNumber(unknown.max);
    if (unknown.logarithmic) bounds += ", log";
    if (unknown.prior)
      bounds += ", prior " + humanNumber(unknown.prior->value) + " (" + humanNumber(unknown.prior->sigma) + ")";
    out +=
        row({escaped(unknown.name), humanNumber(record.result->values[Eigen::Index(u)], 8), errorText(record, u),
             escaped(unknown.unit), bounds, isTold(record, u) ? "yes" : "<span class=\"no\">not identifiable</span>"});
  }
  return out + "</table>\n";
}

std::string fitQuality(const FitRecord& record) {
  const long degrees = record.degrees();
  std::string out = "<p>" + counted(record.numbers(), "number") + ", " +
                    counted(long(record.plan->unknowns.size()), "unknown") + ". ";
  if (record.plan->sigmas)
    out += "Chi squared " + humanNumber(record.chiSquared()) + " for " + std::to_string(degrees) +
           " degrees of freedom: where model and standard deviations are right, these are about the same.";
  else if (record.result->uncertainty)
    out += "The plan gives no standard deviations; from the residuals they are estimated as " +
           humanNumber(std::sqrt(record.result->uncertainty->variance)) + ".";
  if (record.plan->huber > 0) out += " Huber's loss from " + humanNumber(record.plan->huber) + " on.";
  return out + "</p>\n";
}

std::string correlations(const FitRecord& record) {
  const auto& unknowns = record.plan->unknowns;
  if (!record.result->uncertainty || unknowns.size() < 2) return "";
  std::string out = head("Correlations") + "<table>\n<tr><th></th>";
  for (const fit::Unknown& unknown : unknowns) out += "<th>" + escaped(unknown.name) + "</th>";
  out += "</tr>\n";
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    out += "<tr><td>" + escaped(unknowns[i].name) + "</td>";
    for (std::size_t j = 0; j < unknowns.size(); ++j)
      out += "<td>" + finite(record.result->uncertainty->correlation(Eigen::Index(i), Eigen::Index(j)), 3) + "</td>";
    out += "</tr>\n";
  }
  return out + "</table>\n";
}

std::string directions(const FitRecord& record) {
  if (!record.result->uncertainty) return "";
  std::string out = head("What the data tell") +
                    "<p>Each unknown is counted in the range between its bounds. A singular value says by how many "
                    "standard deviations all data together change along its combination over that range; one over it "
                    "is the standard error. What has more than a quarter of the range, so that two standard errors to "
                    "each side span it, is not told. Priors and bounds are left out here.</p>\n<table>\n" +
                    row({"combination", "singular value", "standard error", "told"}, "th");
  for (const fit::Direction& d : record.result->uncertainty->directions)
    out += row({escaped(combinationText(*record.plan, d)), finite(d.singularValue), finite(d.standardError, 3),
                d.told ? "yes" : "<span class=\"no\">no</span>"});
  return out + "</table>\n";
}

std::string startsTable(const FitRecord& record) {
  std::string out = head("Starts") + "<table>\n<tr><th>start</th>";
  for (const fit::Unknown& unknown : record.plan->unknowns) out += "<th>" + escaped(unknown.name) + "</th>";
  out += "<th>" + std::string(record.plan->objective ? "objective" : "cost") +
         "</th><th>iterations</th><th>gave up</th><th>ended as</th></tr>\n";
  for (std::size_t i = 0; i < record.result->starts.size(); ++i) {
    const fit::StartResult& start = record.result->starts[i];
    out += "<tr><td>" + std::to_string(i + 1) + (int(i) == record.result->best ? ", best" : "") + "</td>";
    for (std::size_t u = 0; u < record.plan->unknowns.size(); ++u) {
      const fit::Unknown& unknown = record.plan->unknowns[u];
      out += "<td>" + humanNumber(unknown.value(start.from[Eigen::Index(u)]), 4) + " &rarr; " +
             humanNumber(unknown.value(start.z[Eigen::Index(u)]), 6) + "</td>";
    }
    const bool none = start.stop == fit::Stop::noStart || std::isnan(start.cost);
    out += "<td>" + (none ? "" : humanNumber(start.cost)) + "</td><td>" + std::to_string(start.iterations) +
           "</td><td>" + std::to_string(start.gaveUp) + "</td><td>" + escaped(fit::wordsOf(start.stop)) +
           (start.reason.empty() ? "" : "; a run gave up: " + escaped(printable(start.reason))) + "</td></tr>\n";
  }
  return out + "</table>\n";
}

std::vector<double> pick(const Eigen::MatrixXd& values, const fit::Experiment& e, Eigen::Index c, bool held) {
  std::vector<double> out;
  for (Eigen::Index r = 0; r < values.rows(); ++r)
    out.push_back(e.held[std::size_t(r)] == held ? values(r, c) : std::nan(""));
  return out;
}

std::string columnPlots(const FitRecord& record, std::size_t experiment, std::size_t column) {
  const fit::Experiment& e = record.plan->experiments[experiment];
  const fit::DataColumn& of = e.columns[column];
  const Eigen::MatrixXd& model = record.result->predictions[experiment];
  const Eigen::Index c = Eigen::Index(column);
  const std::string name = e.name + ", " + of.name + (of.name == of.probe ? "" : " (" + of.probe + ")");
  Plot data{name, "t [s]", of.probe, {}, 230, false};
  data.series = {{"data", e.time, pick(e.data, e, c, false), false}, {"held", e.time, pick(e.data, e, c, true), false}};
  if (model.size() == 0) return data.svg();
  const Eigen::VectorXd curve = model.col(c);
  data.series.push_back({"model", e.time, {curve.begin(), curve.end()}, true});
  const Eigen::MatrixXd residual = model - e.data;
  Plot left{"residuals: model less data", "t [s]", of.probe, {}, 150, true};
  left.series = {{"left", e.time, pick(residual, e, c, false), false},
                 {"held", e.time, pick(residual, e, c, true), false}};
  return data.svg() + left.svg();
}

std::string errorsTable(const FitRecord& record) {
  std::string out = "<table>\n" + row({"experiment", "column", "standard deviation", "fitted to: root mean square",
                                       "held back: root mean square"},
                                      "th");
  for (std::size_t e = 0; e < record.plan->experiments.size(); ++e)
    for (std::size_t c = 0; c < record.plan->experiments[e].columns.size(); ++c)
      out += row({escaped(record.plan->experiments[e].name), escaped(record.plan->experiments[e].columns[c].name),
                  record.plan->sigmas ? humanNumber(record.plan->experiments[e].columns[c].sigma) : "",
                  finite(columnError(record, e, c, false)), finite(columnError(record, e, c, true))});
  return out + "</table>\n";
}

std::string dataSection(const FitRecord& record) {
  std::string out = head("Data and model") + errorsTable(record) +
                    "<p class=\"key\"><span style=\"color:#2f6fb3\">&#9679; fitted to</span><span "
                    "style=\"color:#c2571a\">&#9675; held back: prediction</span><span "
                    "style=\"color:#d08a00\">&mdash; model</span></p>\n";
  for (std::size_t e = 0; e < record.plan->experiments.size(); ++e)
    for (std::size_t c = 0; c < record.plan->experiments[e].columns.size(); ++c) out += columnPlots(record, e, c);
  return out;
}

/// Whether neither the objective nor any limit changes with any unknown at the best values.
bool actsOnNothing(const FitRecord& record) {
  const fit::ObjectiveValues& at = record.result->optimum->values;
  return at.gradient.isZero(0) && at.jacobian.isZero(0);
}

/// Where the best start did not end at a minimum, and was not stopped either.
std::string noMinimum(const FitRecord& record) {
  const fit::StartResult& best = record.result->starts[std::size_t(record.result->best)];
  if (best.stop == fit::Stop::asked) return "";
  // Of the widths of the bounds: a step that the gradient would still take.
  constexpr double stuck = 1e-3;
  const auto& optimum = record.result->optimum;
  if (fit::converged(best.stop) && optimum && optimum->optimality.stationarity > stuck)
    return "no minimum was found: the search got stuck (" + std::string(fit::wordsOf(best.stop)) +
           ") where the objective still falls: stationarity is " + humanNumber(optimum->optimality.stationarity, 3) +
           ". Look for a kink in what is asked for, and try other starts";
  if (fit::converged(best.stop) && optimum && actsOnNothing(record))
    return "nothing that is asked for changes with the unknowns here, to first order: this may be a maximum, or they act "
           "on nothing; try another start";
  if (fit::converged(best.stop)) return "";
  return std::string("no minimum was found: ") + fit::wordsOf(best.stop) +
         (best.reason.empty() ? "" : " (a run gave up: " + printable(best.reason) + ")");
}

std::string warnings(const FitRecord& record) {
  std::string out;
  if (const std::string why = noMinimum(record); !why.empty()) out += "<p class=\"no\">" + escaped(why) + "</p>\n";
  for (const std::string& name : untold(record))
    out += "<p class=\"no\">" + escaped(name) +
           ": not identifiable. The data leave it open over the range between its bounds; its value here means "
           "nothing.</p>\n";
  for (const std::string& doubt : record.result->doubts)
    out += "<p class=\"no\">The derivatives at these values are doubtful: " + escaped(printable(doubt)) + "</p>\n";
  for (const std::string& words : offPlaneWords(record)) out += "<p class=\"no\">" + escaped(words) + "</p>\n";
  if (record.result->stopped) out += "<p class=\"no\">Stopped before its end: the best so far.</p>\n";
  return out;
}

// Where the data are farther from the model than their standard deviations say. Chi squared has a standard deviation of
// sqrt(2 n) where both are right.
std::string misfit(const FitRecord& record) {
  if (record.plan->objective) return {};
  const double degrees = double(record.degrees());
  constexpr double far = 5;
  if (!record.plan->sigmas || !(degrees > 0) || record.chiSquared() <= degrees + far * std::sqrt(2 * degrees))
    return {};
  return "These values do not describe the data: residuals are " +
         humanNumber(std::sqrt(record.chiSquared() / degrees), 3) +
         " times what their standard deviations say. Look for another minimum (\"starts\"), bounds that keep it out, "
         "outliers (\"loss\"), or what the scene leaves out; the errors above do not count that." +
         (record.plan->sequential ? " One knot after the other, an error of one knot may come back larger in the next: "
                                    "compare with \"sequential\": false, or take fewer knots."
                                  : "");
}

/// Lines of a summary.
std::string remarks(const FitRecord& record) {
  std::string out;
  int gaveUp = 0;
  for (const fit::StartResult& start : record.result->starts) gaveUp += start.gaveUp;
  if (gaveUp > 0) out += "\n" + counted(gaveUp, "step") + " shortened, because a run gave up";
  if (const std::string why = noMinimum(record); !why.empty()) out += "\n" + why;
  if (const std::string why = misfit(record); !why.empty()) out += "\n" + why;
  for (const std::string& words : offPlaneWords(record)) out += "\n" + printable(words);
  for (const std::string& doubt : record.result->doubts)
    out += "\nThe derivatives at these values are doubtful: " + printable(doubt);
  return out;
}

}  // namespace

std::string fitReport(const FitRecord& record) {
  const std::string name = escaped(printable(record.planName));
  std::string out =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>Fit of " +
      name + "</title>\n<style>\n" + style + "</style></head><body>\n<h1>Fit of " + name +
      "</h1>\n<p>Scene: " + escaped(printable(record.plan->sceneName)) + ". Tendril " + version() + ", " +
      counted(record.runs, "run") + ", " + humanNumber(record.seconds, 3) + " s. To repeat it:<br><code>" +
      escaped(printable(record.command)) + "</code></p>\n";
  if (record.result->best < 0)
    return out + "<p class=\"no\">No start led to a result.</p>\n" + startsTable(record) + "</body></html>\n";
  if (record.plan->objective)
    return out + warnings(record) + objectiveSection(record) + startsTable(record) + "</body></html>\n";
  if (const std::string why = misfit(record); !why.empty()) out += "<p class=\"no\">" + escaped(why) + "</p>\n";
  out += warnings(record) + fitQuality(record) + unknownsTable(record) + correlations(record) + directions(record) +
         framesSection(record) + dataSection(record) + startsTable(record);
  return out + "</body></html>\n";
}

std::string fitSummary(const FitRecord& record) {
  if (record.plan->objective) return objectiveSummary(record) + remarks(record) + "\n";
  std::string out = printable(record.planName) + ": " + record.status() + ", " + counted(record.numbers(), "number") +
                    ", " + counted(record.runs, "run") + ", " + humanNumber(record.seconds, 3) + " s\n\n";
  for (std::size_t u = 0; u < record.plan->unknowns.size(); ++u) {
    const fit::Unknown& unknown = record.plan->unknowns[u];
    const double error = record.result->standardErrors[Eigen::Index(u)];
    out += "  " + printable(unknown.name) + "  " + humanNumber(record.result->values[Eigen::Index(u)], 8);
    if (record.result->atBound[u])
      out += " (at its bound)";
    else if (!std::isnan(error))
      out += " +- " + humanNumber(error, 3);
    out += (unknown.unit.empty() ? "" : " " + printable(unknown.unit)) +
           (isTold(record, u) ? "" : "  not identifiable by these data") + "\n";
  }
  const long degrees = record.degrees();
  out += "\nchi squared " + humanNumber(record.chiSquared()) + ", " + std::to_string(degrees) + " degrees of freedom";
  if (!record.plan->sigmas && record.result->uncertainty)
    out += ", estimated sigma " + humanNumber(std::sqrt(record.result->uncertainty->variance));
  return out + remarks(record) + "\n";
}

}  // namespace tendril::cli
