// SPDX-License-Identifier: BSD-3-Clause
// A robot seen from far away: facets from back to front, in shades of their colour.
#include "pictures/robot_drawing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <jounce/constrained_dynamics.hpp>
#include <jounce/kinematics.hpp>
#include <numbers>

#include "pictures/facets.hpp"
#include "report/marks.hpp"
#include "report/palette.hpp"
#include "report/text.hpp"

namespace jounce::pictures {
namespace {

using Point = Vec3<double>;
using report::attribute;

constexpr double width = 720, height = 540, margin = 40;
constexpr std::array<std::array<double, 3>, 4> link_colours = {
    {{0.62, 0.69, 0.78}, {0.88, 0.62, 0.36}, {0.45, 0.68, 0.60}, {0.72, 0.58, 0.75}}};

Point vertical(const Robot& robot) {
  const Point g = robot.gravity();
  return norm(g) > 0 ? g * (-1 / norm(g)) : Point{0, 0, 1};
}

/// Right, up and towards the viewer.
struct Camera {
  Point right, up, out;

  Camera(const Point& vertical, const View& view) {
    const Point x = std::abs(vertical.x) < 0.9 ? Point{1, 0, 0} : Point{0, 1, 0};
    const Point east = x - vertical * dot(x, vertical);
    const Point e = east * (1 / norm(east)), n = cross(vertical, e);
    const double a = view.azimuth * std::numbers::pi / 180,
                 h = view.elevation * std::numbers::pi / 180;
    const Point flat = e * std::cos(a) + n * std::sin(a);
    out = flat * std::cos(h) + vertical * std::sin(h);
    up = vertical * std::cos(h) - flat * std::sin(h);
    right = cross(up, out);
  }
  Point seen(const Point& p) const { return {dot(p, right), dot(p, up), dot(p, out)}; }
};

/// A piece of the picture: a polygon with a colour, or a bar or a mark without one.
struct Piece {
  std::vector<Point> corners;  ///< as seen: right, up, towards the viewer
  std::string fill;
  double depth() const {
    double sum = 0;
    for (const Point& p : corners) sum += p.z;
    return sum / double(corners.size());
  }
};

std::string shade(std::span<const double> colour, double light) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text = "#";
  for (size_t k = 0; k < 3; ++k) {
    const auto byte = size_t(std::lround(255 * std::clamp(colour[k] * light, 0.0, 1.0)));
    text += {digits[byte / 16], digits[byte % 16]};
  }
  return text;
}

/// All that is drawn, as it is seen.
class Scene {
 public:
  Scene(const Robot& robot, std::span<const double> q, const View& view)
      : robot_(robot), kinematics_(robot), camera_(vertical(robot), view) {
    kinematics_.at(q);
    const RobotDescription& d = robot.description();
    for (size_t k = 0; k < d.links.size(); ++k) add_link(int(k));
    for (const LoopDescription& loop : d.loops)
      if (loop.kind != LoopKind::gear && !loop.link_2.empty())
        marks_.push_back(camera_.seen(pose(loop.link_2) * loop.placement_2.p));
  }

  const std::vector<std::string>& not_drawn() const { return not_drawn_; }
  std::string svg(const std::string& title);

 private:
  SE3<double> pose(const std::string& link) const {
    return link.empty() ? SE3<double>{} : kinematics_.pose(robot_.frame(link));
  }
  void add_link(int k);
  bool add_shapes(const SE3<double>& at, const std::vector<Shape>& shapes, int place);
  void add_bars(const std::string& link, const SE3<double>& at);

  const Robot& robot_;
  Kinematics kinematics_;
  Camera camera_;
  std::vector<Piece> pieces_;
  std::vector<Point> marks_;
  std::vector<std::string> not_drawn_;
};

bool Scene::add_shapes(const SE3<double>& at, const std::vector<Shape>& shapes, int place) {
  const Point light_from = {0.35, 0.55, 0.75};  // as seen
  bool any = false;
  for (const Shape& shape : shapes) {
    std::string fault;
    const std::vector<Facet> facets = facets_of(shape, fault);
    if (!fault.empty()) not_drawn_.push_back(std::move(fault));
    any = any || !facets.empty();
    for (const Facet& facet : facets) {
      Point normal = camera_.seen(at.R * facet.normal);
      if (facet.both_sides && normal.z < 0) normal = normal * -1.0;
      if (normal.z <= 0) continue;
      const double light = 0.55 + 0.5 * std::max(0.0, dot(normal, light_from));
      Piece piece;
      for (const Point& corner : facet.corners) piece.corners.push_back(camera_.seen(at * corner));
      const bool own = shape.colour && shape.colour->size() >= 3;
      piece.fill = shade(own ? std::span<const double>(*shape.colour)
                             : std::span<const double>(link_colours[size_t(place) % 4]),
                         light);
      pieces_.push_back(std::move(piece));
    }
  }
  return any;
}

/// From the link's origin to all that hangs on it.
void Scene::add_bars(const std::string& link, const SE3<double>& at) {
  const RobotDescription& d = robot_.description();
  const auto bar = [&](const Point& end) {
    pieces_.push_back({{camera_.seen(at.p), camera_.seen(at * end)}, ""});
  };
  for (const JointDescription& joint : d.joints)
    if (joint.parent == link) bar(joint.geometry.placement.p);
  for (const LoopDescription& loop : d.loops) {
    if (loop.link_1 == link) bar(loop.placement_1.p);
    if (loop.link_2 == link) bar(loop.placement_2.p);
  }
  for (const FrameDescription& frame : d.frames)
    if (frame.link == link) bar(frame.placement.p);
}

void Scene::add_link(int k) {
  const LinkDescription& link = robot_.description().links[size_t(k)];
  const SE3<double> at = pose(link.name);
  if (add_shapes(at, link.visual, k)) return;
  const size_t of_visual = not_drawn_.size();
  const bool drawn = add_shapes(at, link.collision, k);
  if (!link.visual.empty()) not_drawn_.resize(of_visual);  // what was asked for first is told
  if (!drawn) add_bars(link.name, at);
}

/// From what is seen to pixels: the middle in the middle, one scale for both directions.
class Frame {
 public:
  explicit Frame(const std::vector<Piece>& pieces) {
    Point low{1e300, 1e300, 0}, high{-1e300, -1e300, 0};
    for (const Piece& piece : pieces)
      for (const Point& p : piece.corners) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), 0};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), 0};
      }
    if (pieces.empty()) low = high = {};
    middle_ = (low + high) * 0.5;
    const double x = std::max(high.x - low.x, 1e-3), y = std::max(high.y - low.y, 1e-3);
    scale_ = std::min((width - 2 * margin) / x, (height - 2 * margin) / y);
  }
  double x(const Point& p) const { return width / 2 + scale_ * (p.x - middle_.x); }
  double y(const Point& p) const { return height / 2 + 8 - scale_ * (p.y - middle_.y); }

 private:
  Point middle_;
  double scale_ = 1;
};

std::string points_text(const Piece& piece, const Frame& frame) {
  std::string text;
  for (const Point& p : piece.corners)
    text += (text.empty() ? "" : " ") + report::trimmed(frame.x(p), 1) + "," +
            report::trimmed(frame.y(p), 1);
  return text;
}

std::string Scene::svg(const std::string& title) {
  std::stable_sort(pieces_.begin(), pieces_.end(),
                   [](const Piece& a, const Piece& b) { return a.depth() < b.depth(); });
  const Frame frame(pieces_);
  std::string out =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"jounce-plot jounce-drawing "
      "jounce-robot\"" +
      attribute("width", width) + attribute("height", height) +
      attribute("viewBox", "0 0 720 540") + " role=\"img\"" +
      attribute("aria-label", report::escape(title)) + ">\n<style>" +
      std::string(report::plot_style()) + "</style>\n<rect class=\"surface\" rx=\"8\"" +
      attribute("width", width) + attribute("height", height) + "/>\n" +
      report::text_element("title", 16, 26, "start", title) +
      "<g stroke-linejoin=\"round\" fill=\"currentColor\" stroke=\"currentColor\" "
      "stroke-width=\"0.6\">\n";
  for (const Piece& piece : pieces_) {
    const std::string points = attribute("points", points_text(piece, frame));
    if (piece.fill.empty())
      out += "<polyline class=\"line c7\" stroke-width=\"6\"" + points + "/>\n";
    else out += "<polygon" + points + attribute("color", piece.fill) + "/>\n";
  }
  for (const Point& mark : marks_)
    out += "<circle class=\"dot c1\" r=\"5\"" + attribute("cx", frame.x(mark)) +
           attribute("cy", frame.y(mark)) + "/>\n";
  return out + "</g>\n</svg>\n";
}

/// The largest step of a coordinate on the way to closed loops.
double close_loops(const Robot& robot, std::vector<double>& q) {
  ConstrainedDynamics dynamics(robot);
  std::vector<double> closed(q.size()), way(size_t(robot.nv()));
  dynamics.assemble(q, {}, into(closed));
  robot.difference(q, closed, way);
  q = closed;
  double most = 0;
  for (const double x : way) most = std::max(most, std::abs(x));
  return most;
}

}  // namespace

View natural_view(const Robot& robot) {
  const Point up = vertical(robot);
  Kinematics kinematics(robot);
  kinematics.at(robot.closed());
  Point axis;
  for (const JointInfo& joint : robot.joints()) {
    const JointDescription& d = robot.description().joints[size_t(joint.description)];
    if (!is_revolute(joint) || d.geometry.axes.empty()) return {};
    const SE3<double> parent =
        d.parent.empty() ? SE3<double>{} : kinematics.pose(robot.frame(d.parent));
    const Point one = parent.R * (d.geometry.placement.R * d.geometry.axes[0]);
    if (std::abs(dot(one, up)) > 1e-6 || (norm(axis) > 0 && norm(cross(axis, one)) > 1e-6))
      return {};
    axis = one;
  }
  if (robot.joints().empty() || std::abs(up.z) < 0.9) return {};
  const double angle = std::atan2(axis.y, axis.x) * 180 / std::numbers::pi;
  return {angle > 0 ? angle - 180 : angle, 8};  // the x axis to the right
}

std::string not_drawn_text(const Drawing& drawing) {
  const size_t count = drawing.not_drawn.size();
  if (count == 0) return "";
  return std::to_string(count) +
         (count == 1 ? " mesh is not drawn: " : " meshes are not drawn; the first: ") +
         drawing.not_drawn[0];
}

Drawing draw(const Robot& robot, const VectorArg& q, std::optional<View> view) {
  const std::span<const double> given = q;
  robot.check_q("draw", "q", given);
  std::vector<double> at(given.begin(), given.end());
  Drawing drawing;
  if (!robot.loops().empty()) drawing.closed_loops = close_loops(robot, at);
  Scene scene(robot, at, view.value_or(natural_view(robot)));
  drawing.not_drawn = scene.not_drawn();
  drawing.svg = scene.svg(robot.name());
  return drawing;
}

}  // namespace jounce::pictures
