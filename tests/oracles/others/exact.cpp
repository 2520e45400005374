// SPDX-License-Identifier: BSD-3-Clause
// A robot file in 113 bits, by a reader and Newton-Euler recursions of its own: what is right where
// others differ. The numbers of a file are doubles, as for everybody; all that follows is exact.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <sstream>
#include <stdexcept>

#include "oracles/others/peer.hpp"
#include "support/quad.hpp"

namespace jounce::others {
namespace {

using test::Quad;

struct Vec {
  Quad x = 0, y = 0, z = 0;
};
Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vec operator*(Quad s, Vec a) { return {s * a.x, s * a.y, s * a.z}; }
Quad dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec cross(Vec a, Vec b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// By its columns.
struct Mat {
  Vec x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
};
Vec operator*(const Mat& A, Vec b) { return b.x * A.x + b.y * A.y + b.z * A.z; }
Mat operator*(const Mat& A, const Mat& B) { return {A * B.x, A * B.y, A * B.z}; }
Vec times_transposed(const Mat& A, Vec b) { return {dot(A.x, b), dot(A.y, b), dot(A.z, b)}; }
Mat transposed(const Mat& A) {
  return {{A.x.x, A.y.x, A.z.x}, {A.x.y, A.y.y, A.z.y}, {A.x.z, A.y.z, A.z.z}};
}

/// A turn by an angle of this sine and cosine.
Mat turn(Vec axis, Quad s, Quad c) {
  const auto column = [&](Vec e) {
    return c * e + s * cross(axis, e) + (1 - c) * dot(axis, e) * axis;
  };
  return {column({1, 0, 0}), column({0, 1, 0}), column({0, 0, 1})};
}
Mat turn(Vec axis, Quad angle) {
  const test::QuadSinCos at = test::quad_sincos(angle);
  return turn(axis, at.sin, at.cos);
}
/// Of any length that a double has.
Vec unit(Vec a) {
  const Quad largest = std::max({test::quad_abs(a.x), test::quad_abs(a.y), test::quad_abs(a.z)});
  a = 1 / largest * a;
  return 1 / test::quad_sqrt(dot(a, a)) * a;
}

struct Pose {
  Mat R;
  Vec p;
};

enum class Motion : unsigned char { none, turning, sliding, free };

/// A link with the joint that carries it.
struct Body {
  int parent = -1;
  Motion motion = Motion::none;
  std::string joint;
  Pose placement;      ///< of the joint in the parent
  Vec axis;            ///< of the joint
  std::size_t at = 0;  ///< its first coordinate
  Quad mass = 0;
  Vec com;
  Mat I{{}, {}, {}};  ///< about the com
};

std::vector<double> numbers_in(pugi::xml_attribute attribute, std::size_t count) {
  std::istringstream text(attribute.value());
  std::vector<double> numbers;
  for (std::string word; text >> word;) {
    const char* const start = word.data() + (word[0] == '+' ? 1 : 0);
    const auto [end, error] =
        std::from_chars(start, word.data() + word.size(), numbers.emplace_back());
    if (error != std::errc() || *end != '\0') throw std::runtime_error("not a number: " + word);
  }
  if (numbers.size() != count) throw std::runtime_error("other than so many numbers");
  return numbers;
}
Quad number_in(pugi::xml_attribute attribute) {
  return attribute ? numbers_in(attribute, 1)[0] : 0;
}
Vec vec_in(pugi::xml_attribute attribute) {
  if (!attribute) return {};
  const std::vector<double> n = numbers_in(attribute, 3);
  return {n[0], n[1], n[2]};
}

Pose origin_of(pugi::xml_node node) {
  const pugi::xml_node origin = node.child("origin");
  const Vec rpy = vec_in(origin.attribute("rpy"));
  return {turn({0, 0, 1}, rpy.z) * turn({0, 1, 0}, rpy.y) * turn({1, 0, 0}, rpy.x),
          vec_in(origin.attribute("xyz"))};
}

/// No mass without <mass value>; a point mass without ixx, iyy, izz; products may be missing.
void read_inertial(pugi::xml_node node, Body& body) {
  const pugi::xml_attribute mass = node.child("mass").attribute("value");
  if (!mass) return;
  body.mass = number_in(mass);
  const Pose at = origin_of(node);
  body.com = at.p;
  const pugi::xml_node I = node.child("inertia");
  if (!I.attribute("ixx") || !I.attribute("iyy") || !I.attribute("izz")) return;
  const Quad xy = number_in(I.attribute("ixy")), xz = number_in(I.attribute("ixz"));
  const Quad yz = number_in(I.attribute("iyz"));
  const Mat own{{number_in(I.attribute("ixx")), xy, xz},
                {xy, number_in(I.attribute("iyy")), yz},
                {xz, yz, number_in(I.attribute("izz"))}};
  body.I = at.R * own * transposed(at.R);
}

class Tree {
 public:
  explicit Tree(const Question& question) {
    if (!document_.load_buffer(question.text.data(), question.text.size()))
      throw std::runtime_error("not XML");
    const pugi::xml_node robot = document_.child("robot");
    for (const pugi::xml_node link : robot.children("link"))
      links_.emplace(link.attribute("name").value(), link);
    for (const pugi::xml_node node : robot.children())
      if (!std::strcmp(node.name(), "joint") || !std::strcmp(node.name(), "drake:joint"))
        if (node.attribute("type")) add_joint(node);
    add(root(), pugi::xml_node(), -1, question.floating);
    if (bodies.size() != links_.size()) throw std::runtime_error("is no tree");
  }

  std::vector<Body> bodies;  ///< parents first
  std::vector<std::string> coordinates;

 private:
  void add_joint(pugi::xml_node node) {
    const std::string parent = node.child("parent").attribute("link").value();
    const std::string child = node.child("child").attribute("link").value();
    if (parent == "world") links_.emplace(parent, pugi::xml_node());
    if (!links_.contains(parent) || !links_.contains(child))
      throw std::runtime_error("no such link");
    children_[parent].push_back(node);
    carried_.insert(child);
  }

  std::string root() const {
    for (const auto& [name, link] : links_)
      if (!carried_.contains(name)) return name;
    throw std::runtime_error("no root");
  }

  void add(const std::string& link, pugi::xml_node joint, int parent, bool floating) {
    Body body;
    body.parent = parent;
    read_inertial(links_.at(link).child("inertial"), body);
    if (joint) read_motion(joint, body);
    if (floating) body.motion = Motion::free, body.joint = base;
    body.at = coordinates.size();
    if (body.motion != Motion::none)
      for (std::string& name : coordinates_of(body.joint, body.motion == Motion::free ? 6 : 1))
        coordinates.push_back(std::move(name));
    bodies.push_back(body);
    const int place = int(bodies.size()) - 1;
    for (const pugi::xml_node next : children_[link])
      add(next.child("child").attribute("link").value(), next, place, false);
  }

  void read_motion(pugi::xml_node joint, Body& body) {
    const std::string type = joint.attribute("type").value();
    body.joint = joint.attribute("name").value();
    body.placement = origin_of(joint);
    if (type == "revolute" || type == "continuous") body.motion = Motion::turning;
    else if (type == "prismatic") body.motion = Motion::sliding;
    else if (type == "floating") body.motion = Motion::free;
    else if (type != "fixed") throw UnknownJoint(type);
    if (body.motion != Motion::turning && body.motion != Motion::sliding) return;
    const pugi::xml_attribute axis = joint.child("axis").attribute("xyz");
    body.axis = axis ? unit(vec_in(axis)) : Vec{1, 0, 0};
  }

  pugi::xml_document document_;
  std::map<std::string, pugi::xml_node> links_;
  std::map<std::string, std::vector<pugi::xml_node>> children_;
  std::set<std::string> carried_;
};

/// Where the frame of a body is in its parent's.
Pose pose_of(const Body& body) {
  Pose moved;
  if (body.motion == Motion::turning) moved.R = turn(body.axis, number_of(body.joint, "q"));
  if (body.motion == Motion::sliding) moved.p = Quad(number_of(body.joint, "q")) * body.axis;
  if (body.motion == Motion::free) {
    const Eigen::Vector4d q = quaternion_of(body.joint);
    const Eigen::Vector3d p = position_of(body.joint);
    const Vec sine{q[0], q[1], q[2]};
    const Quad length = test::quad_sqrt(dot(sine, sine)),
               norm = length * length + Quad(q[3]) * q[3];
    moved.R = turn(1 / length * sine, 2 * length * q[3] / norm,
                   (Quad(q[3]) * q[3] - length * length) / norm);
    moved.p = {p[0], p[1], p[2]};
  }
  return {body.placement.R * moved.R, body.placement.p + body.placement.R * moved.p};
}

using Numbers = std::vector<Quad>;

/// The angular and the linear part of a joint's own motion, for its coordinates of x.
std::pair<Vec, Vec> motion_of(const Body& body, const Numbers& x) {
  const Quad* const own = x.data() + body.at;
  if (body.motion == Motion::turning) return {own[0] * body.axis, {}};
  if (body.motion == Motion::sliding) return {{}, own[0] * body.axis};
  if (body.motion == Motion::free) return {{own[0], own[1], own[2]}, {own[3], own[4], own[5]}};
  return {};
}

/// Velocities and accelerations of a body, and the force and moment on it at its frame.
struct Moving {
  Vec w, v, dw, dv;  ///< v and dv of the point of the body at its origin, in its moving axes
  Vec force, moment;
};

/// Newton-Euler, body by body, in the axes of the links.
Numbers inverse(const Tree& tree, const Numbers& v, const Numbers& a, Vec gravity) {
  std::vector<Moving> moving(tree.bodies.size());
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < moving.size(); ++i) {
    const Body& body = tree.bodies[i];
    Moving& m = moving[i];
    const Pose T = poses.emplace_back(pose_of(body));
    Moving under;
    if (body.parent < 0) under.dv = Quad(-1) * gravity;
    else under = moving[std::size_t(body.parent)];
    const auto [w, u] = motion_of(body, v);
    const auto [dw, du] = motion_of(body, a);
    m.w = times_transposed(T.R, under.w) + w;
    m.v = times_transposed(T.R, under.v + cross(under.w, T.p)) + u;
    m.dw = times_transposed(T.R, under.dw) + cross(m.w, w) + dw;
    m.dv =
        times_transposed(T.R, under.dv + cross(under.dw, T.p)) + cross(m.v, w) + cross(m.w, u) + du;
    const Vec of_com =
        m.dv + cross(m.w, m.v) + cross(m.dw, body.com) + cross(m.w, cross(m.w, body.com));
    m.force = body.mass * of_com;
    m.moment = body.I * m.dw + cross(m.w, body.I * m.w) + cross(body.com, m.force);
  }
  Numbers tau(tree.coordinates.size());
  for (std::size_t i = moving.size(); i-- > 0;) {
    const Body& body = tree.bodies[i];
    const Moving& m = moving[i];
    if (body.motion == Motion::turning) tau[body.at] = dot(body.axis, m.moment);
    if (body.motion == Motion::sliding) tau[body.at] = dot(body.axis, m.force);
    if (body.motion == Motion::free) {
      const Quad all[] = {m.moment.x, m.moment.y, m.moment.z, m.force.x, m.force.y, m.force.z};
      std::copy(all, all + 6, tau.begin() + std::ptrdiff_t(body.at));
    }
    if (body.parent < 0) continue;
    const Vec force = poses[i].R * m.force;
    Moving& under = moving[std::size_t(body.parent)];
    under.force = under.force + force;
    under.moment = under.moment + poses[i].R * m.moment + cross(poses[i].p, force);
  }
  return tau;
}

/// Solves M x = b by M = L D L^T, in place; nothing where M is singular.
Numbers solve(std::vector<Numbers> M, Numbers b) {
  const std::size_t n = b.size();
  for (std::size_t j = 0; j < n; ++j) {
    const Quad whole = M[j][j];
    for (std::size_t k = 0; k < j; ++k) M[j][j] -= M[j][k] * M[j][k] * M[k][k];
    if (!(M[j][j] > whole * Quad(1e-20))) return {};
    for (std::size_t i = j + 1; i < n; ++i) {
      for (std::size_t k = 0; k < j; ++k) M[i][j] -= M[i][k] * M[j][k] * M[k][k];
      M[i][j] /= M[j][j];
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < i; ++k) b[i] -= M[i][k] * b[k];
  for (std::size_t i = n; i-- > 0;) {
    b[i] /= M[i][i];
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= M[k][i] * b[k];
  }
  return b;
}

Numbers quads(const Eigen::VectorXd& x) { return Numbers(x.begin(), x.end()); }
Eigen::VectorXd doubles(const Numbers& x) {
  Eigen::VectorXd out(Eigen::Index(x.size()));
  for (std::size_t k = 0; k < x.size(); ++k) out[Eigen::Index(k)] = double(x[k]);
  return out;
}

}  // namespace

Answer ask_exact(const Question& question) {
  const Tree tree(question);
  const std::size_t n = tree.coordinates.size();
  Answer answer;
  answer.nv = int(n);
  for (const Body& body : tree.bodies) answer.nq += body.motion == Motion::free ? 1 : 0;
  answer.nq += answer.nv;
  if (n == 0) return answer;
  answer.coordinates = tree.coordinates;
  const Vec gravity{0, 0, -9.81};
  const Numbers v = quads(numbers_of(tree.coordinates, "v")), none(n);
  answer.tau = doubles(inverse(tree, v, quads(numbers_of(tree.coordinates, "a")), gravity));
  std::vector<Numbers> M;
  answer.M.resize(Eigen::Index(n), Eigen::Index(n));
  for (std::size_t k = 0; k < n; ++k) {
    Numbers one(n);
    one[k] = 1;
    answer.M.row(Eigen::Index(k)) = doubles(M.emplace_back(inverse(tree, none, one, {})));
  }
  Numbers forces = quads(numbers_of(tree.coordinates, "tau"));
  const Numbers bias = inverse(tree, v, none, gravity);
  for (std::size_t k = 0; k < n; ++k) forces[k] -= bias[k];
  answer.a = doubles(solve(std::move(M), std::move(forces)));
  return answer;
}

}  // namespace jounce::others
