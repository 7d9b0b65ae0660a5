#include "scene/section_geometry.h"

#include <algorithm>
#include <cmath>

namespace tendril::scene {

double rectangleTorsion(double a, double b) {
  if (a < b) std::swap(a, b);
  // sum of tanh(n pi a / 2b) / n^5 over odd n: the deviation of tanh from 1 decays at once, and sum 1 / n^5 = 31/32
  // zeta(5).
  double sum = 31.0 / 32.0 * 1.0369277551433699263;
  for (int n = 1; n < 40; n += 2) {
    const double lack = 2 / (1 + std::exp(n * pi * a / b)) / std::pow(n, 5);
    sum -= lack;
    if (lack < 1e-17) break;
  }
  return a * b * b * b / 3 * (1 - 192 * b / (std::pow(pi, 5) * a) * sum);
}

SectionGeometry sectionGeometry(const Section& section, const formula::Input& at) {
  SectionGeometry g;
  switch (section.kind) {
    case Section::Kind::circle: {
      const double r = section.radius(at);
      g.area = pi * r * r;
      g.I1 = g.I2 = pi * r * r * r * r / 4;
      g.J = g.polar = 2 * g.I1;
      g.halfAxis1 = g.halfAxis2 = r;
      break;
    }
    case Section::Kind::tube: {
      const double r = section.radius(at), inner = r - section.wall(at);
      g.area = pi * (r * r - inner * inner);
      g.I1 = g.I2 = pi * (r * r * r * r - inner * inner * inner * inner) / 4;
      g.J = g.polar = 2 * g.I1;
      g.halfAxis1 = g.halfAxis2 = r;
      break;
    }
    case Section::Kind::ellipse: {
      const double a = section.a(at), b = section.b(at);
      g.area = pi * a * b;
      g.I1 = pi * a * a * a * b / 4;
      g.I2 = pi * a * b * b * b / 4;
      g.polar = g.I1 + g.I2;
      g.J = pi * a * a * a * b * b * b / (a * a + b * b);
      g.halfAxis1 = a, g.halfAxis2 = b;
      break;
    }
    case Section::Kind::rectangle: {
      const double w = section.width(at), h = section.height(at);
      g.area = w * h;
      g.I1 = h * w * w * w / 12;
      g.I2 = w * h * h * h / 12;
      g.polar = g.I1 + g.I2;
      g.J = rectangleTorsion(w, h);
      g.halfAxis1 = w / 2, g.halfAxis2 = h / 2;
      g.round = false;
      break;
    }
    case Section::Kind::stiffness: {
      g.explicitStiffness = true;
      g.EA = section.EA(at), g.EI1 = section.EI1(at), g.EI2 = section.EI2(at), g.GJ = section.GJ(at);
      g.massPerLength = section.massPerLength(at);
      const double r = section.hasRadius ? section.radius(at) : 0;
      g.area = pi * r * r;
      g.halfAxis1 = g.halfAxis2 = r;
      break;
    }
  }
  return g;
}

}  // namespace tendril::scene
