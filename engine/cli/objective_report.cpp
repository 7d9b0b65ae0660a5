#include "cli/objective_report.h"

#include <cmath>

#include "cli/html_parts.h"
#include "cli/numbers.h"
#include "cli/plot.h"
#include "cli/scene_input.h"

namespace tendril::cli {

namespace {

const fit::StartResult& bestOf(const FitRecord& record) {
  return record.result->starts[std::size_t(record.result->best)];
}

std::string withUnit(const std::string& number, const std::string& unit) {
  return unit.empty() ? number : number + " " + printable(unit);
}

/// The unit of a multiplier: of the objective over that of what holds it; without units of formulas none.
std::string multiplierUnit(const FitRecord& record, const std::string& unit) {
  const std::string& of = record.plan->objective->minimize.unit;
  if (of.empty() && unit.empty()) return "";
  return (of.empty() ? "1" : of) + (unit.empty() ? "" : " per " + unit);
}

std::string boundsOf(const fit::Constraint& c) {
  if (c.min == c.max) return "= " + humanNumber(c.min);
  if (std::isinf(c.min)) return "at most " + humanNumber(c.max);
  if (std::isinf(c.max)) return "at least " + humanNumber(c.min);
  return humanNumber(c.min) + " to " + humanNumber(c.max);
}

std::string unknownsTable(const FitRecord& record) {
  std::string out =
      head("Values") + "<table>\n" + row({"unknown", "value", "unit", "bounds", "multiplier of its bound"}, "th");
  for (std::size_t u = 0; u < record.plan->unknowns.size(); ++u) {
    const fit::Unknown& unknown = record.plan->unknowns[u];
    std::string multiplier;
    if (record.result->atBound[u])
      multiplier = record.result->optimum
                       ? withUnit(humanNumber(record.result->optimum->boundMultipliers[Eigen::Index(u)], 4),
                                  multiplierUnit(record, unknown.unit))
                       : "at its bound";
    out += row({escaped(printable(unknown.name)), humanNumber(record.result->values[Eigen::Index(u)], 8),
                escaped(printable(unknown.unit)),
                humanNumber(unknown.min) + " to " + humanNumber(unknown.max) + (unknown.logarithmic ? ", log" : ""),
                escaped(multiplier)});
  }
  return out + "</table>\n";
}

std::string constraintsTable(const FitRecord& record) {
  const auto& subject = record.plan->objective->subject;
  if (subject.empty() || !record.result->optimum) return "";
  const fit::Optimum& found = *record.result->optimum;
  std::string out =
      head("Constraints") +
      "<p>A multiplier is how much the objective falls per unit by which the bound is moved outwards, to "
      "first order: positive of upper bounds, negative of lower ones. Of those that hold always, only active ones are "
      "shown.</p>\n<table>\n" +
      row({"constraint", "value", "unit", "asked for", "active", "multiplier"}, "th");
  for (std::size_t i = 0; i < subject.size(); ++i) {
    if (subject[i].always && !found.active[i]) continue;
    const Eigen::Index at = Eigen::Index(i);
    const std::string multiplier =
        withUnit(humanNumber(found.optimality.multipliers[at], 4), multiplierUnit(record, subject[i].unit));
    out += row({escaped(printable(subject[i].name)), humanNumber(found.values.constraints[at], 8),
                escaped(printable(subject[i].unit)), boundsOf(subject[i]), found.active[i] ? "yes" : "no",
                found.active[i] && record.keepsLimits() ? escaped(multiplier) : ""});
  }
  return out + "</table>\n";
}

std::string conditionsText(const FitRecord& record) {
  if (!record.result->optimum) return "";
  const fit::Optimality& at = record.result->optimum->optimality;
  return "stationarity " + humanNumber(at.stationarity, 3) + ", largest violation " + humanNumber(at.violation, 3) +
         ", in widths of the bounds";
}

std::string historyPlots(const FitRecord& record) {
  std::vector<double> iteration, objective, violation;
  for (const fit::SqpPoint& point : bestOf(record).history) {
    iteration.push_back(double(iteration.size()));
    objective.push_back(point.objective), violation.push_back(point.violation);
  }
  if (iteration.size() < 2) return "";
  Plot first{
      "objective over iterations", "iteration", printable(record.plan->objective->minimize.name), {}, 220, false};
  first.series = {{"model", iteration, objective, true}, {"data", iteration, objective, false}};
  std::string out = head("The search") + first.svg();
  if (record.plan->objective->subject.empty()) return out;
  Plot second{"largest violation over iterations", "iteration", "widths of the bounds", {}, 150, true};
  second.series = {{"model", iteration, violation, true}, {"data", iteration, violation, false}};
  return out + second.svg();
}

std::string termsTable(const FitRecord& record) {
  if (!record.result->optimum) return "";
  std::string out = head("What the run measured") + "<table>\n" + row({"probe", "value"}, "th");
  for (std::size_t k = 0; k < record.plan->objective->terms.size(); ++k)
    out += row({escaped(printable(record.plan->objective->terms[k].text)),
                humanNumber(record.result->optimum->terms[Eigen::Index(k)], 8)});
  return out + "</table>\n";
}

}  // namespace

std::string objectiveSection(const FitRecord& record) {
  const fit::Goal& goal = record.plan->objective->minimize;
  std::string out = "<p>Objective: <code>" + escaped(printable(goal.text)) +
                    "</code> = " + escaped(withUnit(humanNumber(bestOf(record).cost, 8), goal.unit)) + ".</p>\n";
  if (!bestOf(record).allowed()) out += "<p class=\"no\">Constraints are violated.</p>\n";
  if (record.result->optimum)
    out += "<p>Conditions of a minimum: " + conditionsText(record) +
           ". Stationarity is the length of the step that the gradient, at its scale, would still take.</p>\n";
  return out + unknownsTable(record) + constraintsTable(record) + termsTable(record) + historyPlots(record);
}

std::string objectiveSummary(const FitRecord& record) {
  const fit::Objective& objective = *record.plan->objective;
  std::string out = printable(record.planName) + ": " + record.status() + ", " +
                    counted(long(objective.subject.size()), "constraint") + ", " + counted(record.runs, "run") + ", " +
                    humanNumber(record.seconds, 3) + " s\n\n";
  for (std::size_t u = 0; u < record.plan->unknowns.size(); ++u)
    out += "  " + printable(record.plan->unknowns[u].name) + "  " +
           withUnit(humanNumber(record.result->values[Eigen::Index(u)], 8), record.plan->unknowns[u].unit) +
           (record.result->atBound[u] ? " (at its bound)" : "") + "\n";
  out += "\n" + printable(objective.minimize.name) + " = " +
         withUnit(humanNumber(bestOf(record).cost, 8), objective.minimize.unit);
  for (std::size_t i = 0; record.result->optimum && i < objective.subject.size(); ++i) {
    const fit::Optimum& found = *record.result->optimum;
    const fit::Constraint& c = objective.subject[i];
    if (c.always && !found.active[i]) continue;
    out += "\n" + printable(c.name) + " = " +
           withUnit(humanNumber(found.values.constraints[Eigen::Index(i)], 8), c.unit) + ", " + boundsOf(c);
    if (found.active[i] && record.keepsLimits())
      out += ", multiplier " +
             withUnit(humanNumber(found.optimality.multipliers[Eigen::Index(i)], 4), multiplierUnit(record, c.unit));
  }
  if (!bestOf(record).allowed()) out += "\nconstraints are violated";
  if (record.result->optimum) out += "\n" + conditionsText(record);
  return out;
}

}  // namespace tendril::cli
