// Areas, second moments and torsion constants of cross-sections against textbook values.
#include "scene/section_geometry.h"

#include <gtest/gtest.h>

namespace tendril::scene {
namespace section_geometry_test {

SectionGeometry geometry(Section section) { return sectionGeometry(section, {}); }

TEST(Section, RectangleTorsionMeetsTheTabulatedValues) {
  // Timoshenko and Goodier, Theory of Elasticity, the table of k1 in J = k1 a b^3 (four digits, rounded).
  const double table[][2] = {{1, 0.1406}, {1.2, 0.166}, {1.5, 0.196}, {2, 0.229}, {2.5, 0.249},
                             {3, 0.263},  {4, 0.281},   {5, 0.291},   {10, 0.312}};
  for (const auto& row : table) {
    EXPECT_NEAR(rectangleTorsion(row[0], 1), row[1] * row[0], 6e-4 * row[0]) << row[0];
    EXPECT_DOUBLE_EQ(rectangleTorsion(1, row[0]), rectangleTorsion(row[0], 1)) << "width and height may change places";
  }
  EXPECT_NEAR(rectangleTorsion(1, 1), 0.140577014955153, 1e-14);
  EXPECT_NEAR(rectangleTorsion(3, 3), 81 * 0.140577014955153, 1e-12);
  // A thin strip: a b^3 / 3 (1 - 0.630249 b / a).
  EXPECT_NEAR(rectangleTorsion(1, 1e-3) / (1e-9 / 3), 1 - 0.000630249, 1e-9);
}

TEST(Section, CircleAndTube) {
  Section circle;
  circle.kind = Section::Kind::circle;
  circle.radius = 0.2;
  const SectionGeometry c = geometry(circle);
  EXPECT_NEAR(c.area, pi * 0.04, 1e-15);
  EXPECT_NEAR(c.I1, pi * 0.0016 / 4, 1e-16);
  EXPECT_EQ(c.I1, c.I2);
  EXPECT_NEAR(c.J, pi * 0.0016 / 2, 1e-16);
  EXPECT_EQ(c.J, c.polar);
  Section tube = circle;
  tube.kind = Section::Kind::tube;
  tube.wall = 0.05;
  const SectionGeometry t = geometry(tube);
  EXPECT_NEAR(t.area, pi * (0.04 - 0.0225), 1e-15);
  EXPECT_NEAR(t.I1, pi / 4 * (0.0016 - 0.00050625), 1e-16);
  EXPECT_NEAR(t.J, 2 * t.I1, 1e-16);
  tube.wall = 0.2;  // no hole left
  EXPECT_NEAR(geometry(tube).I1, c.I1, 1e-16);
}

TEST(Section, RectangleResistsBendingTowardD1WithItsWidthCubed) {
  Section section;
  section.kind = Section::Kind::rectangle;
  section.width = 0.3, section.height = 0.1;
  const SectionGeometry g = geometry(section);
  EXPECT_NEAR(g.area, 0.03, 1e-16);
  EXPECT_NEAR(g.I1, 0.1 * 0.027 / 12, 1e-16);
  EXPECT_NEAR(g.I2, 0.3 * 0.001 / 12, 1e-16);
  EXPECT_NEAR(g.polar, g.I1 + g.I2, 1e-16);
  EXPECT_LT(g.J, g.polar);
  EXPECT_FALSE(g.round);
  EXPECT_DOUBLE_EQ(g.halfAxis1, 0.15);
  EXPECT_DOUBLE_EQ(g.halfAxis2, 0.05);
}

TEST(Section, EllipseHasItsHalfAxisAAlongD1) {
  Section section;
  section.kind = Section::Kind::ellipse;
  section.a = 0.3, section.b = 0.1;
  const SectionGeometry g = geometry(section);
  EXPECT_NEAR(g.area, pi * 0.03, 1e-15);
  EXPECT_NEAR(g.I1, pi / 4 * 0.027 * 0.1, 1e-16);
  EXPECT_NEAR(g.I2, pi / 4 * 0.3 * 0.001, 1e-16);
  EXPECT_NEAR(g.J, pi * 0.027 * 0.001 / 0.1, 1e-16);
  section.a = section.b = 0.2;  // a circle
  EXPECT_NEAR(geometry(section).J, pi * 0.0016 / 2, 1e-16);
}

TEST(Section, ExplicitStiffnessTakesAreaFromTheRadiusOnly) {
  Section section;
  section.kind = Section::Kind::stiffness;
  section.EA = 1, section.EI1 = 2, section.EI2 = 3, section.GJ = 4, section.massPerLength = 5;
  SectionGeometry g = geometry(section);
  EXPECT_TRUE(g.explicitStiffness);
  EXPECT_EQ(g.area, 0);
  EXPECT_EQ(g.EI2, 3);
  EXPECT_EQ(g.massPerLength, 5);
  section.hasRadius = true;
  section.radius = 0.1;
  g = geometry(section);
  EXPECT_NEAR(g.area, pi * 0.01, 1e-16);
  EXPECT_EQ(g.halfAxis1, 0.1);
}

}  // namespace section_geometry_test
}  // namespace tendril::scene
