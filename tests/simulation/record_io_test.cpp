// SPDX-License-Identifier: BSD-3-Clause
// Records and checkpoints come back from files to the same bits; broken files are refused by place.
#include <gtest/gtest.h>

#include <bit>
#include <jounce/record_io.hpp>
#include <limits>

#include "io/zip_file.hpp"
#include "support/message.hpp"
#include "tests/simulation/known_motions.hpp"

namespace jounce {
namespace {

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}
void expect_same(const Record& a, const Record& b, int first = 0) {
  ASSERT_EQ(a.size(), b.size() + first);
  EXPECT_TRUE(same_bits(a.t().subspan(size_t(first)), b.t()));
  for (int i = 0; i < b.size(); ++i) {
    EXPECT_TRUE(same_bits(a.q(i + first), b.q(i))) << i;
    EXPECT_TRUE(same_bits(a.v(i + first), b.v(i))) << i;
    EXPECT_TRUE(same_bits(a.a(i + first), b.a(i))) << i;
    EXPECT_TRUE(same_bits(a.tau(i + first), b.tau(i))) << i;
  }
}
void expect_same(const SimulationState& a, const SimulationState& b) {
  EXPECT_EQ(a.t, b.t);
  EXPECT_TRUE(same_bits(a.q, b.q));
  EXPECT_TRUE(same_bits(a.v, b.v));
  EXPECT_TRUE(same_bits(a.a, b.a));
  EXPECT_EQ(a.next_step, b.next_step);
  EXPECT_EQ(a.stiff, b.stiff);
}

/// What a call refuses with.
template <class F>
std::string refusal(F f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}
void expect_refused(const std::string& found, const char* needed) {
  EXPECT_NE(found.find(needed), std::string::npos) << found;
}

Robot odd_names() {
  RobotDescription d = test::double_pendulum().description();
  d.joints[0].name = "a, \"b\"";
  d.joints[1].name = "\xc3\xa9lbow \xf0\x9f\xa6\xbe";
  return Robot(d);
}

Record some_record(const Robot& robot) {
  Simulation sim(robot, {.tol = 1e-6});
  SimulationState x = sim.start(robot.closed(), std::vector<double>(size_t(robot.nv()), 0.3));
  Record record(robot);
  sim.run(x, 0.05, record, {.every = 0.01, .energy = false});
  return record;
}

constexpr RecordFormat formats[] = {RecordFormat::csv, RecordFormat::json, RecordFormat::npz};

TEST(RecordIo, ComesBackToTheSameBits) {
  for (const Robot& robot : {load("builtin:arm7"), load("builtin:quadruped"),
                             load("builtin:five_bar"), odd_names(), test::free_body()})
    for (const RecordFormat format : formats) {
      const Record record = some_record(robot);
      ASSERT_GT(record.size(), 4);
      expect_same(record, read_record(robot, write_record(record, format), "record"));
    }
}
TEST(RecordIo, NumbersAtTheEdges) {
  const Robot robot = test::double_pendulum();
  constexpr auto limits = std::numeric_limits<double>();
  Record record(robot);
  record.add(-0.0, std::vector{-0.0, limits.denorm_min()}, std::vector{limits.max(), 0.1},
             std::vector{limits.infinity(), -limits.infinity()},
             std::vector{limits.quiet_NaN(), 1.0 / 3});
  for (const RecordFormat format : formats)
    expect_same(record, read_record(robot, write_record(record, format), "record"));
  const Record empty(robot);
  for (const RecordFormat format : formats)
    EXPECT_EQ(read_record(robot, write_record(empty, format), "record").size(), 0);
}
TEST(RecordIo, ColumnsOfCsvAreNamedAfterJoints) {
  const std::string text = write_record(Record(odd_names()), RecordFormat::csv);
  EXPECT_EQ(text.substr(0, text.find(",v.")).substr(0, 19), "t,\"q.a, \"\"b\"\"\",\"q.\xc3");
  const std::string base = write_record(Record(test::free_body()), RecordFormat::csv);
  EXPECT_NE(base.find("t,q.free:0,q.free:1,"), std::string::npos);
  EXPECT_NE(base.find(",q.free:6,v.free:0,"), std::string::npos);
  EXPECT_NE(base.find(",v.free:5,a.free:0,"), std::string::npos);
}
TEST(RecordIo, FormatIsInTheExtension) {
  EXPECT_EQ(record_format("a/run.json"), RecordFormat::json);
  EXPECT_EQ(record_format("run.npz"), RecordFormat::npz);
  EXPECT_EQ(record_format("run.csv"), RecordFormat::csv);
  EXPECT_EQ(record_format("-"), RecordFormat::csv);
}

TEST(RecordIo, RefusesOtherTexts) {
  const Robot robot = test::double_pendulum();
  const Record record = some_record(robot);
  const auto refused = [&](std::string bytes, const char* needed) {
    expect_refused(refusal([&] { read_record(robot, bytes, "r"); }), needed);
  };
  const std::string csv = write_record(record, RecordFormat::csv);
  const size_t line = csv.find('\n') + 1;
  refused("", "r");
  refused("t,q.hinge1\n", "r:1:1: column \"q.hinge2\" of robot \"double_pendulum\" is missing");
  refused("q.hinge1\n1\n", "r:1:1: column \"t\" is missing");
  refused("t,t\n", "r:1:3: column \"t\" is there twice");
  refused(csv.substr(0, line - 1) + ",q.elbow\n", "there is no column \"q.elbow\"; nearest: \"q.");
  refused(csv.substr(0, line) + "0,1,x,1,1,1,1,1,1\n", "r:2:5: \"x\" is not a number");
  refused(csv.substr(0, line) + "0,1,,1,1,1,1,1,1\n", "r:2:5: an empty cell has no number");
  refused(csv.substr(0, line) + "0,1\n", "r:2:1: a row of 2 numbers, needs 9");
  refused(csv + "0,1,1,1,1,1,1,1,1\n", "Record: the time is 0, needs one from 0.05 on");
  const std::string json = write_record(record, RecordFormat::json);
  refused(json.substr(0, 40), "r:3:17: the JSON text ends too early");
  refused("{\"jounce_record\": 2}", "\"jounce_record\" is 2, needs a whole number from 1 to 1");
  expect_refused(refusal([&] { read_record(odd_names(), json, "r"); }),
                 "joint: \"hinge1\" stands where robot \"double_pendulum\" has \"a, \"b\"\"");
}
TEST(RecordIo, RefusesOtherArchives) {
  const Robot robot = test::double_pendulum();
  const std::string npz = write_record(some_record(robot), RecordFormat::npz);
  const auto refused = [&](std::string bytes, const char* needed) {
    expect_refused(refusal([&] { read_record(robot, bytes, "r"); }), needed);
  };
  std::string damaged = npz;
  damaged[npz.find("NUMPY") + 130] ^= 1;
  refused(damaged, "r: \"t.npy\" is damaged: its check sum is another");
  for (size_t size = 2; size < npz.size(); size += 97)
    refused(npz.substr(0, size), "r: is no archive of arrays: ");
  refused(io::write_zip({}), "r: array \"t\" is missing");
  refused(io::write_zip({{"t.npy", "none"}}), "array \"t\": is no array of NumPy");
  std::vector<io::ZipEntry> entries = io::read_zip(npz, "r");
  std::string& t = entries[0].content;
  t.replace(t.find("<f8"), 3, "<f4");
  refused(io::write_zip(entries), "array \"t\" is of \"<f4\", needs numbers \"<f8\"");
  expect_refused(refusal([&] { read_record(odd_names(), npz, "r"); }),
                 "array \"q_names\" has other names than the robot's coordinates");
  for (size_t at = 0; at < npz.size(); ++at) {  // nothing worse than a refusal
    std::string changed = npz;
    changed[at] = char(changed[at] + 1);
    refusal([&] { read_record(robot, changed, "r"); });
  }
}
TEST(RecordIo, CheckSumIsThatOfTheStandard) { EXPECT_EQ(io::crc32("123456789"), 0xCBF43926u); }

TEST(RecordIo, ForcesAreLinearBetweenTheirTimes) {
  const Robot robot = test::double_pendulum();
  const ForceTable forces =
      read_forces(robot, "t, hinge2, hinge1\n0, 1, 5\n2, 3, 5\n3, -1, 5\n", "f");
  ASSERT_EQ(forces.columns.size(), 2u);
  EXPECT_EQ(forces.columns[0].joint, "hinge2");
  const Law& law = forces.columns[0].law;
  const std::pair<double, double> points[] = {{-1, 1}, {0, 1}, {0.5, 1.5}, {2.5, 1}, {9, -1}};
  for (const auto& [t, x] : points) EXPECT_EQ(law(t), x) << t;
  EXPECT_EQ(law.next_break(0.5), 2);
  const Record record = some_record(robot);
  EXPECT_EQ(read_forces(robot, write_record(record, RecordFormat::csv), "f").columns[1].joint,
            "hinge2");
  const auto refused = [&](const char* text, const char* needed) {
    expect_refused(refusal([&] { read_forces(robot, text, "f"); }), needed);
  };
  refused("t,hinge3\n0,1\n", "f:1:3: there is no coordinate \"hinge3\"; nearest: \"hinge");
  refused("t,hinge1\n0,1\n0,2\n", "f:3:1: t is 0, needs more than 0 of the row before");
  refused("t,hinge1\n0,nan\n", "f:2:1: \"hinge1\" is not finite");
  refused("t,hinge1\n0,1\n1e-300,1e10\n",
          "f:3:1: \"hinge1\" goes from 1 to 1e+10 within 1e-300 s: its slope is not finite");
  refused("t,hinge1\n0,-1e308\n1,1e308\n", "f:3:1: \"hinge1\" goes from -1e+308 to 1e+308 within");
  refused("t,hinge1\n", "f:1:1: there are names, and no row of numbers");
}

struct ResumeCase {
  Integrator integrator;
  const char* robot;
  double step;
};
class Resume : public testing::TestWithParam<ResumeCase> {};

/// A run that is stopped on the way, saved, loaded and gone on with in another simulation.
TEST_P(Resume, GoesOnToTheSameBits) {
  const auto [integrator, name_of, step] = GetParam();
  const Robot robot = load(name_of);
  const SimulationOptions options{.integrator = integrator, .step = step};
  const auto prepared = [&] {
    Simulation sim(robot, options);
    const JointInfo& driven = robot.joints().back();
    if (driven.nv == 1) sim.command(driven.name, Command::force(septic(0, 2, 0.15)));
    return sim;
  };
  const std::vector<double> v(size_t(robot.nv()), 0.4);
  Simulation whole = prepared(), part = prepared(), rest = prepared();
  SimulationState at_once = whole.start(robot.closed(), v), first = part.start(robot.closed(), v);
  Record all(robot), second(robot);
  whole.run(at_once, 0.2, all);
  Record begun(robot);
  part.run(first, 0.2, begun, {.watch = [](const auto& x) { return x.t < 0.08; }});
  ASSERT_LT(first.t, 0.15);
  SimulationState on = read_checkpoint(robot, write_checkpoint(robot, first), "checkpoint");
  rest.run(on, 0.2, second);
  expect_same(at_once, on);
  expect_same(all, second, begun.size() - 1);
}
INSTANTIATE_TEST_SUITE_P(
    All, Resume,
    testing::Values(ResumeCase{Integrator::automatic, "builtin:arm7", 0},
                    ResumeCase{Integrator::automatic, "builtin:five_bar", 0},
                    ResumeCase{Integrator::semi_implicit, "builtin:quadruped", 1e-3},
                    ResumeCase{Integrator::rk4, "builtin:quadruped", 1e-3},
                    ResumeCase{Integrator::variational, "builtin:quadruped", 1e-3},
                    ResumeCase{Integrator::variational, "builtin:five_bar", 1e-3},
                    ResumeCase{Integrator::rkmk4, "builtin:five_bar", 1e-3},
                    ResumeCase{Integrator::dopri5, "builtin:arm7", 0},
                    ResumeCase{Integrator::dopri5, "builtin:arm7", 1e-3},
                    ResumeCase{Integrator::dop853, "builtin:quadruped", 0},
                    ResumeCase{Integrator::rodas4, "builtin:arm7", 0},
                    ResumeCase{Integrator::rodas4, "builtin:five_bar", 0},
                    ResumeCase{Integrator::taylor, "builtin:quadruped", 0},
                    ResumeCase{Integrator::taylor, "builtin:five_bar", 0}),
    [](const auto& one) {
      return std::string(name(one.param.integrator)) + "_" + std::to_string(one.index);
    });

TEST(Checkpoint, GoesOnWithWhatControllersHoldAndStops) {
  const Robot robot = load("builtin:arm7");
  const auto prepared = [&] {
    Simulation sim(robot);
    sim.controller(
        [](double, auto q, auto v) {
          std::vector<double> tau(v.size());
          for (size_t k = 0; k < v.size(); ++k) tau[k] = -3 * q[k] - 0.2 * v[k];
          return tau;
        },
        {.sample = 7e-3, .delay = 12e-3, .rate_limit = 40});
    sim.stops({.restitution = 0.3});
    return sim;
  };
  Simulation whole = prepared(), part = prepared(), rest = prepared();
  const std::vector<double> v(7, 2.0);
  SimulationState x = whole.start(robot.closed(), v), y = part.start(robot.closed(), v);
  whole.run(x, 1.0);
  part.run(y, 1.0, {.watch = [](const auto& at) { return at.t < 0.52; }});
  ASSERT_FALSE(y.held.empty());
  y = read_checkpoint(robot, write_checkpoint(robot, y), "checkpoint");
  rest.run(y, 1.0);
  expect_same(x, y);
  EXPECT_TRUE(same_bits(x.held, y.held));
  EXPECT_EQ(x.modes, y.modes);
}
/// What a controller got wrong half way is not in state and record: a run with one that works goes
/// on to the same bits as one that was never broken off.
TEST(Checkpoint, GoesOnAfterAnError) {
  const Robot robot = load("builtin:arm7");
  for (const double sample : {0.0, 7e-3}) {
    const auto prepared = [&](double fails_at) {
      Simulation sim(robot);
      sim.controller(
          [=](double t, auto q, auto) {
            std::vector<double> tau(q.size(), t < fails_at ? 0.0 : NAN);
            for (size_t k = 0; k < q.size(); ++k) tau[k] -= 0.02 * q[k];
            return tau;
          },
          {.sample = sample});
      return sim;
    };
    Simulation whole = prepared(9), broken = prepared(0.3), rest = prepared(9);
    const std::vector<double> v(7, 1.0);
    SimulationState x = whole.start(robot.closed(), v), y = broken.start(robot.closed(), v);
    whole.run(x, 0.5);
    Record record(robot);
    EXPECT_NE(test::message([&] { broken.run(y, 0.5, record); }).find("the force on joint"),
              std::string::npos);
    EXPECT_GT(y.t, 0.2);
    EXPECT_LT(y.t, 0.31);
    ASSERT_GT(record.size(), 3);
    EXPECT_LE(record.t().back(), y.t);
    EXPECT_GT(record.t().back(), 0.2);
    record = read_record(robot, write_record(record, RecordFormat::npz), "record");
    y = read_checkpoint(robot, write_checkpoint(robot, y), "checkpoint");
    if (sample == 0) y.next_step = 0;  // step control has seen the error
    rest.run(y, 0.5);
    for (size_t k = 0; k < 7; ++k) EXPECT_NEAR(x.q[k], y.q[k], sample == 0 ? 1e-6 : 0) << k;
  }
}
TEST(Checkpoint, HasEveryPart) {
  const Robot robot = test::double_pendulum();
  constexpr auto limits = std::numeric_limits<double>();
  SimulationState x;
  x.t = 0.1, x.q = {1.0 / 3, -0.0}, x.v = {1e-310, 2}, x.a = {limits.infinity(), 0};
  x.has_a = true, x.next_step = 0.1 / 3, x.last_ratio = 0.7, x.stiff = true, x.stiff_steps = -3;
  x.momentum = {1, 2}, x.moved = {3, 4}, x.moved_before = {5, 6}, x.moves = 2;
  x.contacts = {{robot.frame("bar2"), LoopKind::point}};
  x.held = {limits.quiet_NaN(), 7}, x.modes = {-1, 1};
  const std::string text = write_checkpoint(robot, x);
  const SimulationState y = read_checkpoint(robot, text, "checkpoint");
  EXPECT_EQ(write_checkpoint(robot, y), text);
  expect_same(x, y);
  EXPECT_EQ(y.has_a, x.has_a);
  EXPECT_EQ(y.last_ratio, x.last_ratio);
  EXPECT_EQ(y.stiff_steps, x.stiff_steps);
  EXPECT_EQ(y.momentum, x.momentum);
  EXPECT_EQ(y.moved, x.moved);
  EXPECT_EQ(y.moved_before, x.moved_before);
  EXPECT_EQ(y.moves, x.moves);
  EXPECT_EQ(y.contacts[0].frame, x.contacts[0].frame);
  EXPECT_EQ(y.contacts[0].kind, x.contacts[0].kind);
  EXPECT_TRUE(same_bits(y.held, x.held));
  EXPECT_EQ(y.modes, x.modes);
}
TEST(Checkpoint, RefusesOthers) {
  const Robot robot = test::double_pendulum();
  SimulationState x;
  x.q = {0, 0}, x.v = x.a = {0, 0};
  const std::string text = write_checkpoint(robot, x);
  const auto refused = [&](const std::string& changed, const char* needed) {
    expect_refused(refusal([&] { read_checkpoint(robot, changed, "c"); }), needed);
  };
  const auto with = [&](const char* from, const char* to) {
    std::string changed = text;
    return changed.replace(changed.find(from), std::string_view(from).size(), to);
  };
  expect_refused(refusal([&] { read_checkpoint(test::free_body(), text, "c"); }),
                 "c:3:12: checkpoint: is of robot \"double_pendulum\", not of \"free_body\"");
  refused(with("\"q\": [0, 0]", "\"q\": [0]"), "\"q\" has 1 numbers, the robot needs 2");
  refused(with("\"moves\": 0", "\"moves\": 0.5"), "\"moves\" is 0.5, needs a whole number");
  refused(with("\"held\"", "\"hled\""), "key \"held\" is missing");
}

}  // namespace
}  // namespace jounce
