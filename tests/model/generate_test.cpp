// SPDX-License-Identifier: BSD-3-Clause
// Random robots: every kind occurs, every robot compiles, and a seed means the same everywhere.
#include <gtest/gtest.h>

#include <cstring>
#include <jounce/model/generate.hpp>
#include <jounce/model/robot.hpp>
#include <map>

#include "support/dense.hpp"

namespace jounce::test {
namespace {

GeneratorOptions everything(std::uint64_t seed) {
  GeneratorOptions o;
  o.shape = static_cast<TreeShape>(seed % 4);
  o.bodies = 1 + static_cast<int>(seed % 29);
  o.branches = 1 + static_cast<int>(seed % 5);
  o.kinds = all_joint_kinds();
  o.free_base = seed % 2 == 1;
  o.mimic = o.fixed_links = o.child_placements = o.passive = true;
  o.seed = seed;
  return o;
}

/// Every number of a description, as the bits it consists of.
struct Bits {
  std::vector<std::uint64_t> all;

  void add(double x) {
    all.emplace_back();
    std::memcpy(&all.back(), &x, sizeof(x));
  }
  void add(const Vec3<double>& a) { add(a.x), add(a.y), add(a.z); }
  void add(const SE3<double>& T) {
    for (const Vec3<double>& row : T.R.m.row) add(row);
    add(T.p);
  }
  void add(const std::vector<double>& list) {
    all.push_back(list.size());
    for (const double x : list) add(x);
  }
  void add(const JointGeometry& joint) {
    all.push_back(static_cast<std::uint64_t>(joint.kind));
    add(joint.placement);
    add(joint.pitch);
    for (const Vec3<double>& axis : joint.axes) add(axis);
    for (const JointGeometry& part : joint.parts) add(part);
  }
  void add(const JointDescription& joint) {
    add(joint.geometry);
    add(joint.child_placement);
    const JointProperties& p = joint.properties;
    for (const auto* list : {&p.lower, &p.upper, &p.velocity_limit, &p.effort_limit, &p.armature,
                             &p.damping, &p.friction, &p.stiffness, &p.rest})
      add(*list);
    if (joint.mimic) add(joint.mimic->multiplier), add(joint.mimic->offset);
  }
  void add(const LinkDescription& link) {
    add(link.mass);
    add(link.com);
    for (const double x :
         {link.I_com.xx, link.I_com.xy, link.I_com.yy, link.I_com.xz, link.I_com.yz, link.I_com.zz})
      add(x);
  }
};
std::vector<std::uint64_t> bits_of(const RobotDescription& robot) {
  Bits bits;
  for (const LinkDescription& link : robot.links) bits.add(link);
  for (const JointDescription& joint : robot.joints) bits.add(joint);
  for (const FrameDescription& frame : robot.frames) bits.add(frame.placement);
  return bits.all;
}
std::uint64_t fnv1a(const std::vector<std::uint64_t>& words) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::uint64_t word : words)
    for (int k = 0; k < 64; k += 8) hash = (hash ^ ((word >> k) & 255u)) * 0x100000001b3u;
  return hash;
}

std::string message(const GeneratorOptions& options) {
  try {
    generate(options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Generate, ThreeHundredRobotsOfAllKindsCompile) {
  std::map<JointKind, int> count, parts;
  int mimics = 0, brackets = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const GeneratorOptions options = everything(seed);
    const RobotDescription description = generate(options);
    ASSERT_NO_THROW(Robot{description}) << "seed " << seed;
    for (const JointDescription& joint : description.joints) {
      ++count[joint.geometry.kind];
      for (const JointGeometry& part : joint.geometry.parts) ++parts[part.kind];
      mimics += joint.mimic.has_value();
      brackets += joint.name.starts_with("bracket_joint_");
    }
    EXPECT_EQ(description.frames.back().link, description.links.back().name);
  }
  for (const JointKind kind : all_joint_kinds()) EXPECT_GT(count[kind], 100) << name(kind);
  parts[JointKind::composite] = parts[JointKind::custom] = 100;  // these are no parts
  for (const JointKind kind : all_joint_kinds()) EXPECT_GT(parts[kind], 5) << name(kind);
  EXPECT_GT(mimics, 100);
  EXPECT_GT(brackets, 500);
}

TEST(Generate, BothBases) {
  for (const bool free_base : {false, true}) {
    GeneratorOptions options;
    options.free_base = free_base;
    const Robot robot(generate(options));
    EXPECT_EQ(robot.nv(), free_base ? 12 : 6);
    EXPECT_EQ(robot.nq(), free_base ? 13 : 6);
    EXPECT_EQ(robot.frame_info(robot.frame("base")).body, free_base ? 1 : 0);
  }
}

TEST(Generate, InertiasArePhysical) {
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    for (const LinkDescription& link : generate(everything(seed)).links) {
      const Mat4<double> J = pseudo_inertia(link_inertia(link));
      Eigen::MatrixXd pseudo(4, 4);
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) pseudo(i, j) = J(i, j);
      const Eigen::VectorXd eigenvalues = symmetric_eigenvalues(pseudo);
      EXPECT_GT(eigenvalues[0], 1e-4 * eigenvalues[3]) << "seed " << seed << ", " << link.name;
    }
}

/// The length of axes is 1 to rounding and rotations are orthogonal to rounding.
void expect_unit(const JointGeometry& joint, std::uint64_t seed) {
  for (const Vec3<double>& axis : joint.axes) EXPECT_NEAR(norm(axis), 1, 4e-16) << seed;
  for (size_t k = 1; k < joint.axes.size(); ++k)
    EXPECT_GT(norm(cross(joint.axes[k - 1], joint.axes[k])), 0.49) << seed;
  const Mat3<double> defect =
      joint.placement.R.m * transpose(joint.placement.R.m) - Mat3<double>::identity();
  for (const Vec3<double>& row : defect.row) EXPECT_LT(norm(row), 1e-15) << seed;
  EXPECT_GT(determinant(joint.placement.R.m), 0) << seed;
  for (const JointGeometry& part : joint.parts) expect_unit(part, seed);
}

TEST(Generate, AxesAreUnitAndRotationsOrthogonal) {
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    for (const JointDescription& joint : generate(everything(seed)).joints)
      expect_unit(joint.geometry, seed);
}

TEST(Generate, SameSeedSameBytes) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto first = bits_of(generate(everything(seed)));
    EXPECT_EQ(first, bits_of(generate(everything(seed)))) << seed;
    GeneratorOptions other = everything(seed);
    other.seed += 1000;
    EXPECT_NE(first, bits_of(generate(other))) << seed;
  }
}

TEST(Generate, SameBytesOnEveryPlatform) {
  EXPECT_EQ(fnv1a(bits_of(generate_chain(20))), 10845733101650418032u);
  EXPECT_EQ(fnv1a(bits_of(generate(everything(3)))), 860626916937114917u);
}

TEST(Generate, Shapes) {
  const auto parents = [](TreeShape shape, int bodies, int branches) {
    GeneratorOptions o;
    o.shape = shape;
    o.bodies = bodies;
    o.branches = branches;
    const Robot robot(generate(o));
    return std::vector<int>(robot.model().parent + 1, robot.model().parent + robot.bodies());
  };
  EXPECT_EQ(parents(TreeShape::chain, 4, 1), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(parents(TreeShape::branches, 6, 2), (std::vector<int>{0, 1, 2, 0, 4, 5}));
  EXPECT_EQ(parents(TreeShape::branches, 5, 2), (std::vector<int>{0, 1, 2, 0, 4}));
  EXPECT_EQ(parents(TreeShape::branches, 2, 9), (std::vector<int>{0, 0}));
  EXPECT_EQ(parents(TreeShape::binary_tree, 7, 1), (std::vector<int>{0, 1, 1, 2, 2, 3, 3}));
  int at = 0;
  for (const int p : parents(TreeShape::random_tree, 50, 1)) EXPECT_LE(p, at++);
  EXPECT_TRUE(parents(TreeShape::random_tree, 0, 1).empty());
}

TEST(Generate, WeightsChoose) {
  GeneratorOptions options;
  options.bodies = 400;
  options.kinds = {JointKind::revolute, JointKind::prismatic, JointKind::spherical};
  options.weights = {3, 1, 0};
  std::map<JointKind, int> count;
  for (const JointDescription& joint : generate(options).joints) ++count[joint.geometry.kind];
  EXPECT_EQ(count[JointKind::spherical], 0);
  EXPECT_NEAR(count[JointKind::prismatic], 100, 30);
}

TEST(Generate, LimitsAndPassiveData) {
  GeneratorOptions options = everything(8);
  options.kinds = {JointKind::prismatic, JointKind::universal};
  for (const JointDescription& joint : generate(options).joints) {
    if (joint.geometry.kind == JointKind::prismatic) {
      EXPECT_LT(joint.properties.lower[0], 0);
      EXPECT_GT(joint.properties.upper[0], 0);
    }
    if (joint.geometry.kind == JointKind::universal) {
      EXPECT_EQ(joint.properties.armature.size(), 2u);
      EXPECT_EQ(joint.properties.rest.size(), 2u);
    }
  }
}

TEST(Generate, BenchmarkRobots) {
  const Robot tree(generate_benchmark_tree());
  EXPECT_EQ(tree.name(), "tree_5x20");
  EXPECT_EQ(tree.nv(), 106);
  EXPECT_EQ(tree.bodies(), 102);
  EXPECT_EQ(std::count(tree.model().parent + 2, tree.model().parent + 102, 1), 5);
  const Robot chain(generate_chain(1000));
  EXPECT_EQ(chain.name(), "chain_1000");
  EXPECT_EQ(chain.nv(), 1000);
  EXPECT_EQ(chain.frame_info(chain.frame("tool")).body, 1000);
}

TEST(Generate, RefusesBadOptions) {
  GeneratorOptions o;
  o.bodies = -1;
  EXPECT_EQ(message(o), "generate: bodies is -1, needs 0 or more");
  o = {};
  o.branches = 0;
  EXPECT_EQ(message(o), "generate: branches is 0, needs 1 or more");
  o = {};
  o.kinds.clear();
  EXPECT_EQ(message(o), "generate: kinds is empty, needs at least one kind of joint");
  o = {};
  o.link_length = 0;
  EXPECT_EQ(message(o), "generate: link_length is 0.000000, needs 1e-6 to 1e6");
  o.link_length = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message(o), "generate: link_length is nan, needs 1e-6 to 1e6");
  o = {};
  o.weights = {1, 2};
  EXPECT_EQ(message(o), "generate: weights has 2 elements, kinds has 1");
  o.weights = {-1};
  EXPECT_EQ(message(o), "generate: weight -1 is negative");
  o.weights = {0};
  EXPECT_EQ(message(o), "generate: weights add up to 0, needs 1 to 1000000");
}

}  // namespace
}  // namespace jounce::test
