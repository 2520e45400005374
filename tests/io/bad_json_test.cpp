// SPDX-License-Identifier: BSD-3-Clause
// JSON that must be refused, with the exact message: line, column, what, found, needed.
#include "io/bad_text.hpp"

namespace jounce {
namespace {

using test::BadText;

std::string in_robot(const std::string& body) {
  return "{\"jounce\": 1, \"name\": \"r\",\n" + body + "}";
}
std::string link(const std::string& body) {
  return in_robot("\"links\": [{\"name\": \"a\", " + body + "}]");
}
std::string two_links(const std::string& body) {
  return in_robot("\"links\": [{\"name\": \"a\"}, {\"name\": \"b\"}],\n" + body);
}
std::string bare_joint(const std::string& body) {
  return two_links("\"joints\": [{\"name\": \"j\", " + body + "}]");
}
std::string child_b(const std::string& body) {
  return bare_joint(R"("parent": "a", "child": "b", )" + body);
}
std::string joint(const std::string& body) {
  return child_b(R"("kind": "revolute", "axes": [[0, 0, 1]], )" + body);
}
std::string loop(const std::string& body) {
  return child_b("\"kind\": \"fixed\"}],\n\"loops\": [{\"name\": \"l\", " + body);
}

/// Not JSON, truncated, or not a robot.
const std::vector<BadText> texts = {
    {"", "1:1: is empty"},
    {"{", "1:2: the JSON text ends too early"},
    {R"({"jounce")", "1:10: the JSON text ends too early"},
    {R"({"jounce":)", "1:11: the JSON text ends too early"},
    {R"({"jounce": 1)", "1:13: the JSON text ends too early"},
    {R"({"jounce": 1,)", "1:14: the JSON text ends too early"},
    {R"({"jounce": 1,})", R"(1:14: is not JSON: unexpected "}")"},
    {R"({"jounce": 1}x)", R"(1:14: is not JSON: unexpected "x")"},
    {"[]", "1:1: robot: must be an object, found a list"},
    {"1", "1:1: robot: must be an object, found a number"},
    {R"("text")", "1:1: robot: must be an object, found a string"},
    {"nul", "1:4: the JSON text ends too early"},
    {"{jounce: 1}", R"(1:2: is not JSON: unexpected "jounce")"},
    {"{'jounce': 1}", R"(1:2: is not JSON: unexpected "'jounce'")"},
    {R"({"jounce": 01})", R"(1:13: is not JSON: unexpected "1")"},
    {R"({"jounce": NaN})", R"(1:12: is not JSON: unexpected "NaN")"},
    {R"({"jounce": Infinity})", R"(1:12: is not JSON: unexpected "Infinity")"},
    {R"({"jounce": 0x1})", R"(1:13: is not JSON: unexpected "x1")"},
    {R"({"jounce": 1,5})", R"(1:14: is not JSON: unexpected "5")"},
    {R"({"jounce": 1e999})", R"(1:12: "1e999" is outside the range of double)"},
    {R"({"jounce": 1e-999})", R"(1:12: "1e-999" is outside the range of double)"},
    {R"({"jounce": .5})", R"(1:12: is not JSON: unexpected ".5")"},
    {R"({"jounce": +1})", R"(1:12: is not JSON: unexpected "+1")"},
    {R"({"jounce": "\ud800"})", R"(1:12: is not JSON: unexpected "\ud800")"},
    {"{\"jounce\": \"\001\"}", "1:13: control character 0x01 in the text"},
    {"{\"jounce\": \"\377\"}", "1:13: is not UTF-8 text: byte 0xff"},
    {R"({"jounce": 1 "name": "r"})", R"(1:14: is not JSON: unexpected "name")"},
    {"// comment\n{}", R"(1:1: is not JSON: unexpected "//")"},
    {"{}", R"(1:1: robot: key "jounce", the version of the format, is missing)"},
    {R"({"name": "r"})", R"(1:1: robot: key "jounce", the version of the format, is missing)"},
    {R"({"jounce": 2, "name": "r"})", "1:12: robot: version 2 of the format, this library reads 1"},
    {R"({"jounce": "1", "name": "r"})",
     R"(1:12: robot: "jounce" must be a number, found a string)"},
    {R"({"jounce": 1})", R"(1:1: robot: key "name" is missing)"},
    {R"({"jounce": 1, "name": ""})", R"(1:23: robot: "name" is empty)"},
    {R"({"jounce": 1, "name": 7})", R"(1:23: robot: "name" must be a string, found a number)"},
    {R"({"jounce": 1, "name": "r", "name": "s"})", R"(1:28: key "name" appears twice)"},
    {R"({"jounce": 1, "name": "a\nb"})", R"(1:23: string "a?b" has a control character)"},
    {R"({"jounce": 1, "name": "r", "about": [1, 2)", "1:42: the JSON text ends too early"},
};

/// Gravity, links and shapes.
const std::vector<BadText> links = {
    {in_robot(R"("gravity": 9.81)"),
     R"(2:12: robot "r": "gravity" must be a list, found a number)"},
    {in_robot(R"("gravity": [0, -9.81])"), R"(2:12: robot "r": "gravity" has 2 numbers, needs 3)"},
    {in_robot(R"("gravity": [0, 0, "down"])"),
     R"(2:19: robot "r": an entry of "gravity" must be a number, found a string)"},
    {in_robot(R"("gravity": [0, 0, null])"),
     R"(2:19: robot "r": an entry of "gravity" must be a number, found null)"},
    {in_robot(R"("links": {})"), R"(2:10: robot "r": "links" must be a list, found an object)"},
    {in_robot(R"("links": [1])"),
     R"(2:11: robot "r": an entry of "links" must be an object, found a number)"},
    {in_robot(R"("links": [{}])"), R"(2:11: link: key "name" is missing)"},
    {in_robot("\"links\": [{\"name\": \"a\"},\n{\"name\": \"a\"}]"),
     R"(3:10: link "a" is already defined in line 2)"},
    {in_robot(R"("links": [{"name": null}])"),
     R"(2:20: link: "name" must be a string, found null)"},
    {link(R"("mass": -1)"), R"(2:33: link "a": mass -1 is negative)"},
    {link(R"("mass": "1")"), R"(2:33: link "a": "mass" must be a number, found a string)"},
    {link(R"("mass": true)"), R"(2:33: link "a": "mass" must be a number, found true or false)"},
    {link(R"("com": [0, 0])"), R"(2:32: link "a": "com" has 2 numbers, needs 3)"},
    {link(R"("inertia": [1, 1, 1])"), R"(2:36: link "a": "inertia" has 3 numbers, needs 6)"},
    {link(R"("inertia": [1, 0, 1, 0, 0, [1]])"),
     R"(2:52: link "a": an entry of "inertia" must be a number, found a list)"},
    {link(R"("visual": [{}])"),
     R"(2:36: link "a": visual: needs one of "box", "cylinder", "sphere", "capsule", "mesh")"},
    {link(R"("visual": {})"), R"(2:35: link "a": "visual" must be a list, found an object)"},
    {link(R"("visual": [{"box": [1, 1, -1]}])"),
     R"(2:44: link "a": visual: size (1,1,-1) is negative)"},
    {link(R"("visual": [{"box": 1}])"),
     R"(2:44: link "a": visual: "box" must be a list, found a number)"},
    {link(R"("visual": [{"sphere": {}}])"),
     R"(2:47: link "a": visual: sphere: key "radius" is missing)"},
    {link(R"("visual": [{"sphere": 1}])"),
     R"(2:47: link "a": visual: sphere: must be an object, found a number)"},
    {link(R"("visual": [{"sphere": {"radius": -1}}])"),
     R"(2:58: link "a": visual: sphere: radius -1 is negative)"},
    {link(R"("visual": [{"box": [1, 1, 1], "sphere": {"radius": 1}}])"),
     R"(2:65: link "a": visual: has two kinds of solid)"},
    {link(R"("visual": [{"mesh": {}}])"), R"(2:45: link "a": visual: mesh: key "file" is missing)"},
    {link(R"("visual": [{"sphere": {"radius": 1}, "colour": [1]}])"),
     R"(2:72: link "a": visual: "colour" has 1 number, needs 4)"},
    {link(R"("collision": [{"cylinder": {"radius": 1}}])"),
     R"(2:52: link "a": collision: cylinder: key "length" is missing)"},
    {link(R"("visual": [{"sphere": {"radius": 1}, "placement": [0, 0, 0]}])"),
     R"(2:75: link "a": visual: placement: must be an object, found a list)"},
};

/// Joints and frames.
const std::vector<BadText> joints = {
    {child_b(R"("axes": [[0, 0, 1]])"), R"(3:12: joint "j": key "kind" is missing)"},
    {child_b(R"("kind": "hinge", "axes": [[0, 0, 1]])"),
     R"(3:63: joint "j": kind "hinge" is not one of fixed, revolute, )"
     R"(prismatic, helical, cylindrical, universal, planar, )"
     R"(translational, spherical, euler_ball, free, circle, composite)"},
    {child_b(R"("kind": "custom", "axes": [[0, 0, 1]])"),
     R"(3:63: joint "j": kind "custom" is not one of fixed, revolute, )"
     R"(prismatic, helical, cylindrical, universal, planar, )"
     R"(translational, spherical, euler_ball, free, circle, composite)"},
    {child_b(R"("kind": 1, "axes": [[0, 0, 1]])"),
     R"(3:63: joint "j": "kind" must be a string, found a number)"},
    {bare_joint(R"("parent": "a", "kind": "revolute", "axes": [[0, 0, 1]])"),
     R"(3:12: joint "j": key "child" is missing)"},
    {bare_joint(R"("parent": "c", "child": "b", "kind": "revolute", "axes": [[0, 0, 1]])"),
     R"(3:36: joint "j": parent: there is no link "c"; nearest: "a", "b")"},
    {bare_joint(R"("parent": "a", "child": "bb", "kind": "revolute", "axes": [[0, 0, 1]])"),
     R"(3:50: joint "j": child: there is no link "bb"; nearest: "b", "a")"},
    {bare_joint(R"("parent": "a", "child": "a", "kind": "revolute", "axes": [[0, 0, 1]])"),
     R"(3:12: joint "j": parent and child are both link "a")"},
    {child_b(R"("kind": "revolute")"), R"(3:12: joint "j": kind revolute needs 1 axis, found 0)"},
    {child_b(R"("kind": "revolute", "axes": [])"),
     R"(3:83: joint "j": kind revolute needs 1 axis, found 0)"},
    {child_b(R"("kind": "revolute", "axes": [0, 0, 1])"),
     R"(3:83: joint "j": kind revolute needs 1 axis, found 3)"},
    {child_b(R"("kind": "revolute", "axes": [[0, 0, 1], [1, 0, 0]])"),
     R"(3:83: joint "j": kind revolute needs 1 axis, found 2)"},
    {child_b(R"("kind": "revolute", "axes": [[0, 0, 0]])"),
     R"(3:84: joint "j": axis (0,0,0) has length 0, needs 1)"},
    {child_b(R"("kind": "revolute", "axes": [[0, 1, 1]])"),
     R"(3:84: joint "j": axis (0,1,1) has length 1.4142135623730951, needs 1)"},
    {child_b(R"("kind": "revolute", "axes": "z")"),
     R"(3:83: joint "j": "axes" must be a list, found a string)"},
    {child_b(R"("kind": "universal", "axes": [[0, 0, 1]])"),
     R"(3:84: joint "j": kind universal needs 2 axes, found 1)"},
    {child_b(R"("kind": "fixed", "axes": [[0, 0, 1]])"),
     R"(3:80: joint "j": kind fixed needs 0 axes, found 1)"},
    {joint(R"("lower": 1, "upper": -1)"),
     R"(3:105: joint "j": lower limit 1 lies above upper limit -1)"},
    {joint(R"("lower": "low")"), R"(3:105: joint "j": "lower" must be a number, found a string)"},
    {joint(R"("damping": null)"), R"(3:107: joint "j": "damping" must be a number, found null)"},
    {joint(R"("damping": [1, "2"])"),
     R"(3:111: joint "j": an entry of "damping" must be a number, found a string)"},
    {joint(R"("pitch": [1])"), R"(3:105: joint "j": "pitch" must be a number, found a list)"},
    {child_b(R"("kind": "composite", "parts": [])"),
     R"(3:12: joint "j": kind composite needs "parts")"},
    {joint(R"("parts": [{"kind": "fixed"}])"), R"(3:105: joint "j": kind revolute has no parts)"},
    {child_b(R"("kind": "composite", "parts": [{"kind": "revolute"}])"),
     R"(3:86: joint "j": part: kind revolute needs 1 axis, found 0)"},
    {child_b(R"("kind": "composite", "parts": [{}])"),
     R"(3:86: joint "j": part: key "kind" is missing)"},
    {joint(R"("placement": {"rotation": [1, 0, 0, 0, 1, 0, 0, 0, -1]})"),
     R"(3:122: joint "j": placement: "rotation" is not a rotation matrix)"},
    {joint(R"("placement": {"rotation": [1, 0, 0, 0, 1, 0, 0, 0, 1.1]})"),
     R"(3:122: joint "j": placement: "rotation" is not a rotation matrix)"},
    {joint(R"("placement": {"rotation": [1, 0, 0]})"),
     R"(3:122: joint "j": placement: "rotation" has 3 numbers, needs 9)"},
    {joint(R"("placement": {"quaternion": [0, 0, 0, 2]})"),
     R"(3:124: joint "j": placement: "quaternion" has length 2, needs 1)"},
    {joint(R"("placement": {"quaternion": [0, 0, 1]})"),
     R"(3:124: joint "j": placement: "quaternion" has 3 numbers, needs 4)"},
    {joint(R"("placement": {"quaternion": [0, 0, 0, 1], "rotation": [1, 0, 0, 0, 1, 0, 0, 0, 1]})"),
     R"(3:124: joint "j": placement: "rotation" and "quaternion" are both given)"},
    {joint(R"("placement": {"position": [1e400, 0, 0]})"),
     R"(3:123: "1e400" is outside the range of double)"},
    {joint(R"("mimic": "k")"), R"(3:105: joint "j": mimic: must be an object, found a string)"},
    {joint(R"("mimic": {})"), R"(3:105: joint "j": mimic: key "leader" is missing)"},
    {joint(R"("mimic": {"leader": "k"})"),
     R"(3:116: joint "j": mimic: there is no joint "k"; nearest: "j")"},
    {joint(R"("mimic": {"leader": "j"})"), R"(3:105: joint "j" mimics itself)"},
    {joint(R"("mimic": {"leader": "k", "offset": "x"})"),
     R"(3:131: joint "j": mimic: "offset" must be a number, found a string)"},
    {two_links(R"("frames": [{"name": "f"}])"), R"(3:12: frame "f": key "link" is missing)"},
    {two_links(R"("frames": [{"name": "f", "link": "c"}])"),
     R"(3:34: frame "f": link: there is no link "c"; nearest: "a", "b")"},
    {two_links(R"("frames": [{"name": "f", "link": "a"}, {"name": "f", "link": "a"}])"),
     R"(3:49: frame "f" is already defined in line 3)"},
};

const std::string known_kinds =
    "fixed, revolute, prismatic, cylindrical, universal, planar, spherical, point, orientation, "
    "distance, knife_edge, rolling, gear";

/// Loops, motors and where loops are closed.
const std::vector<BadText> loops = {
    {loop(R"("link_1": "a")"), R"(4:11: loop "l": key "kind" is missing)"},
    {loop(R"("link_1": "a", "link_2": "x", "kind": "fixed")"),
     R"(4:50: loop "l": link_2: there is no link "x"; nearest: "a", "b")"},
    {loop(R"("link_1": "x", "kind": "fixed")"),
     R"(4:35: loop "l": link_1: there is no link "x"; nearest: "a", "b")"},
    {loop(R"("link_1": null, "link_2": "b", "kind": "fixed")"),
     R"(4:35: loop "l": "link_1" must be a string, found null)"},
    {loop(R"("link_1": "a", "link_1": "b", "kind": "fixed")"),
     R"(4:40: key "link_1" appears twice)"},
    {loop(R"("link_1": "a", "link_2": "b", "kind": "ball")"),
     R"(4:63: loop "l": kind "ball" is not one of )" + known_kinds},
    {loop(R"("link_1": "a", "link_2": "b", "kind": "helical")"),
     R"(4:63: loop "l": kind "helical" is not one of )" + known_kinds},
    {loop(R"("link_1": "a", "link_2": "b", "kind": 1)"),
     R"(4:63: loop "l": "kind" must be a string, found a number)"},
    {loop(R"("link_1": "a", "link_2": "b", "kind": "distance")"),
     R"(4:11: loop "l": key "length" is missing)"},
    {loop(R"("link_1": "a", "link_2": "b", "kind": "distance", "length": "1")"),
     R"(4:85: loop "l": "length" must be a number, found a string)"},
    {loop(R"("link_1": "a", "link_2": "b", "kind": "distance", "length": 0)"),
     R"(4:20: loop "l": length 0 must be finite and positive)"},
    {loop(R"("link_1": "a", "link_2": "b", "kind": "distance", "length": -1)"),
     R"(4:20: loop "l": length -1 must be finite and positive)"},
    {loop(R"("link_1": "a", "link_2": "a", "kind": "fixed")"),
     R"(4:20: loop "l": both ends are on link "a")"},
    {loop(R"("kind": "fixed")"), R"(4:20: loop "l": both ends are on the world)"},
    {loop(R"("link_2": "b", "kind": "fixed", "placement_1": {"quaternion": [0, 0, 0, 2]})"),
     R"(4:87: loop "l": placement_1: "quaternion" has length 2, needs 1)"},
    {loop("\"link_2\": \"b\", \"kind\": \"fixed\"},\n"
          "{\"name\": \"l\", \"link_2\": \"b\", \"kind\": \"fixed\""),
     R"(5:10: loop "l" is already defined in line 4)"},
    {joint(R"("actuated": "yes")"),
     R"(3:108: joint "j": "actuated" must be true or false, found a string)"},
    {joint(R"("actuated": 1)"),
     R"(3:108: joint "j": "actuated" must be true or false, found a number)"},
    {joint(R"("closed": "x")"), R"(3:106: joint "j": "closed" must be a number, found a string)"},
    {joint(R"("closed": [null])"),
     R"(3:107: joint "j": an entry of "closed" must be a number, found null)"},
    {joint(R"("closed": [1, 2])"), R"(3:21: joint "j": closed has 2 elements, needs 1)"},
    {child_b(R"("kind": "spherical", "closed": [0, 0, 0, 2])"),
     R"(3:21: joint "j": the quaternion of closed has length 2, needs 1)"},
};

TEST(BadJson, Text) { test::expect_refusals(read_json, texts); }
TEST(BadJson, Links) { test::expect_refusals(read_json, links); }
TEST(BadJson, Joints) { test::expect_refusals(read_json, joints); }
TEST(BadJson, Loops) { test::expect_refusals(read_json, loops); }

}  // namespace
}  // namespace jounce
