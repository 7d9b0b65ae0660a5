// Cross-sections: from the dimensions of a scene to areas, second moments and torsion constants.
#pragma once

#include "geometry/types.h"
#include "scene/section.h"

namespace tendril::scene {

/// Geometry of a section at one point; for explicit stiffness the moduli are included. SI units.
struct SectionGeometry {
  bool explicitStiffness = false;
  double area = 0;                          ///< [m^2]; explicit stiffness: pi r^2 if a radius is given, else 0
  double I1 = 0, I2 = 0;                    ///< second moments [m^4] for bending toward d1, toward d2
  double J = 0;                             ///< torsion constant [m^4] (Saint-Venant for rectangles)
  double polar = 0;                         ///< polar second moment [m^4], for the rotary inertia of the twist
  double EA = 0, EI1 = 0, EI2 = 0, GJ = 0;  ///< explicit stiffness only
  double massPerLength = 0;                 ///< explicit stiffness only [kg/m]
  double halfAxis1 = 0, halfAxis2 = 0;      ///< for display and contact [m]
  bool round = true;                        ///< elliptic outline; otherwise rectangular
};

SectionGeometry sectionGeometry(const Section& section, const formula::Input& at);

/// Saint-Venant torsion constant [m^4] of a rectangle with sides a, b [m], to round-off.
double rectangleTorsion(double a, double b);

}  // namespace tendril::scene
