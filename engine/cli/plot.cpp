#include "cli/plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "cli/numbers.h"

namespace tendril::cli {

namespace {

constexpr double width = 640, left = 76, right = 12, top = 24, bottom = 38;

/// Numbers to a length of the picture.
struct Axis {
  double low = std::numeric_limits<double>::infinity(), high = -low, from = 0, to = 1;

  void take(double value) {
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  }
  void widen(double share) {
    if (!(low <= high)) low = 0, high = 1;
    const double room = high > low ? share * (high - low) : std::max(1e-12, 0.1 * std::abs(high));
    low -= room, high += room;
  }
  double at(double value) const { return from + (value - low) / (high - low) * (to - from); }

  /// Round numbers, about `count`.
  std::vector<double> ticks(int count) const {
    const double rough = (high - low) / count, unit = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * unit;
    for (const double factor : {5.0, 2.0, 1.0})
      if (factor * unit >= rough) step = factor * unit;
    std::vector<double> out;
    for (double k = std::ceil(low / step); k * step <= high * (1 + 1e-12) && out.size() < 50; k += 1)
      out.push_back(k * step + 0.0);  // not -0
    return out;
  }
};

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

std::string lineAt(double x1, double y1, double x2, double y2, const char* kind) {
  return "<line class=\"" + std::string(kind) + "\" x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" +
         number(x2) + "\" y2=\"" + number(y2) + "\"/>\n";
}

std::string words(double x, double y, const char* anchor, const std::string& text, const std::string& more = "") {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\"" + more + ">" +
         escaped(text) + "</text>\n";
}

std::string marks(const PlotSeries& series, const Axis& x, const Axis& y) {
  std::string out;
  bool down = false;
  if (series.line) out += "<path class=\"" + series.kind + "\" d=\"";
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (!std::isfinite(series.y[i])) {
      down = false;
      continue;
    }
    const std::string px = number(x.at(series.x[i])), py = number(y.at(series.y[i]));
    if (series.line)
      out += (down ? "L" : "M") + px + " " + py;
    else
      out += "<circle class=\"" + series.kind + "\" cx=\"" + px + "\" cy=\"" + py + "\" r=\"2.2\"/>\n";
    down = true;
  }
  return series.line ? out + "\"/>\n" : out;
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string Plot::svg() const {
  Axis x, y;
  for (const PlotSeries& one : series) {
    for (std::size_t i = 0; i < one.x.size(); ++i)
      if (std::isfinite(one.y[i])) x.take(one.x[i]), y.take(one.y[i]);
  }
  if (zeroLine) y.take(0);
  x.widen(0.01), y.widen(0.06);
  x.from = left, x.to = width - right, y.from = height - bottom, y.to = top;
  std::string out = "<svg viewBox=\"0 0 640 " + number(height) + "\" role=\"img\" aria-label=\"" + escaped(title) +
                    "\">\n" + words(left, 14, "start", title, " class=\"title\"");
  for (const double tick : y.ticks(5))
    out += lineAt(left, y.at(tick), width - right, y.at(tick), tick == 0 && zeroLine ? "zero" : "grid") +
           words(left - 6, y.at(tick) + 4, "end", humanNumber(tick, 4));
  for (const double tick : x.ticks(8))
    out += lineAt(x.at(tick), height - bottom, x.at(tick), height - bottom + 4, "tick") +
           words(x.at(tick), height - bottom + 16, "middle", humanNumber(tick, 4));
  out += words(0.5 * (left + width), height - 5, "middle", xLabel);
  const std::string middle = number(0.5 * (top + height - bottom));
  out += "<text transform=\"translate(12 " + middle + ") rotate(-90)\" text-anchor=\"middle\">" + escaped(yLabel) +
         "</text>\n";
  for (const PlotSeries& one : series) out += marks(one, x, y);
  return out + "</svg>\n";
}

}  // namespace tendril::cli
