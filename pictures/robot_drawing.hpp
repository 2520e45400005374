// SPDX-License-Identifier: BSD-3-Clause
// A robot drawn in a configuration: the shapes of its file, as SVG that suits light and dark pages.
#pragma once

#include <jounce/model/robot.hpp>
#include <jounce/vector_arg.hpp>
#include <optional>
#include <string>

namespace jounce::pictures {

/// From where it is seen, in degrees: the azimuth about the vertical from the x axis, the
/// elevation above the ground.
struct View {
  double azimuth = -60, elevation = 20;
};

/// Along the axes of a robot whose hinges are all horizontal and parallel, the default view
/// otherwise.
View natural_view(const Robot& robot);

struct Drawing {
  std::string svg;
  std::vector<std::string> not_drawn = {};  ///< meshes, each with its file and why
  double closed_loops = 0;  ///< how far coordinates moved to close the loops, rad or m
};

/// "2 meshes are not drawn; the first: arm.dae: has no triangles"; empty where all are.
std::string not_drawn_text(const Drawing& drawing);

/// The visual shapes of all links, meshes from their files (STL, OBJ, COLLADA), the collision
/// shapes of links without any that can be drawn; of links without either bars from joint to joint.
/// Loops are closed near q first, and marked where they close. InputError for a q that is none of
/// the robot's; ComputationError where loops cannot be closed.
Drawing draw(const Robot& robot, const VectorArg& q, std::optional<View> view = {});

}  // namespace jounce::pictures
