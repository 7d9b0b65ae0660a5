// Plots as SVG within a page: points and a line over time, with axes.
#pragma once

#include <string>
#include <vector>

namespace tendril::cli {

/// Text for HTML and SVG: & < > and quotes escaped.
std::string escaped(const std::string& text);

struct PlotSeries {
  std::string kind;  ///< class of its marks: "data", "held", "model", "left"
  std::vector<double> x, y;
  bool line = false;  ///< else points; NaN: a gap
};

struct Plot {
  std::string title, xLabel, yLabel;
  std::vector<PlotSeries> series;
  double height = 220;  ///< of 640 wide
  bool zeroLine = false;

  std::string svg() const;
};

}  // namespace tendril::cli
