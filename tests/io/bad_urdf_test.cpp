// SPDX-License-Identifier: BSD-3-Clause
// URDF that must be refused, with the exact message: line, column, what, found, needed.
#include <algorithm>

#include "io/bad_text.hpp"

namespace jounce {
namespace {

using test::BadText;

std::string in_robot(const std::string& body) {
  return "<robot name=\"r\">\n<link name=\"a\"/><link name=\"b\"/>\n" + body + "\n</robot>";
}
std::string joint(const std::string& body, const std::string& type = "revolute",
                  const std::string& ends = R"(<parent link="a"/><child link="b"/>)") {
  return in_robot("<joint name=\"j\" type=\"" + type + "\">" + ends + "\n" + body + "</joint>");
}
std::string link(const std::string& body) {
  return "<robot name=\"r\"><link name=\"a\">\n" + body + "</link></robot>";
}
std::string mass(const std::string& mass) {
  return link("<inertial>" + mass + R"(<inertia ixx="1" iyy="1" izz="1"/></inertial>)");
}
std::string inertia(const std::string& inertia) {
  return link(R"(<inertial><mass value="1"/>)" + inertia + "</inertial>");
}
std::string origin(const std::string& origin) {
  return link("<inertial>" + origin +
              R"(<mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>)");
}
std::string geometry(const std::string& geometry) {
  return link("<visual><geometry>" + geometry + "</geometry></visual>");
}
std::string motor(const std::string& actuated) {
  return in_robot("<joint name=\"j\" type=\"revolute\" " + actuated +
                  R"(><parent link="a"/><child link="b"/></joint>)");
}
/// In line 5.
std::string loop(const std::string& kind,
                 const std::string& ends = R"(<link_1 link="a"/><link_2 link="b"/>)") {
  return in_robot(
      "<joint name=\"j\" type=\"fixed\">\n<parent link=\"a\"/><child link=\"b\"/></joint>\n<loop "
      "name=\"l\"" +
      kind + ">" + ends + "</loop>");
}

/// Not XML, not UTF-8, not URDF, truncated, or a trap.
const std::vector<BadText> texts = {
    {"", "1:1: is empty"},
    {" \n\t ", "1:1: is empty"},
    {"hello", R"(1:1: is not XML: does not start with "<")"},
    {"\357\273\277", "1:4: has no element"},
    {"<", R"(1:1: "<" is not followed by a name)"},
    {"<robot", "1:1: tag <robot> does not end"},
    {R"(<robot name="r")", "1:1: tag <robot> does not end"},
    {R"(<robot name="r">)", "1:17: the text ends inside <robot> of line 1"},
    {"<robot name=\"r\">\n<link name=\"a\">", "2:16: the text ends inside <link> of line 2"},
    {R"(<robot name="r"><link name="a"></robot>)",
     "1:32: </robot> does not close <link> of line 1"},
    {"</robot>", "1:1: </robot> closes nothing"},
    {R"(<robot name="r"/>x)", "1:18: text outside the root element"},
    {R"(x<robot name="r"/>)", R"(1:1: is not XML: does not start with "<")"},
    {R"(<robot name="r"/><robot name="s"/>)", "1:18: a second root element <robot>"},
    {"<!-- only a comment -->", "1:24: has no element"},
    {R"(<?xml version="1.0"?>)", "1:22: has no element"},
    {R"(<robot name="r"><!-- no end </robot>)", "1:17: this comment does not end"},
    {R"(<?xml version="1.0")", "1:1: this processing instruction does not end"},
    {R"(<robot name="r"><![CDATA[ ]] </robot>)", "1:17: this CDATA section does not end"},
    {R"(<![CDATA[x]]><robot name="r"/>)", "1:1: text outside the root element"},
    {R"(<!DOCTYPE robot><robot name="r"/>)",
     "1:1: document type declarations (<!DOCTYPE, <!ENTITY) are refused"},
    {"<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [<!ENTITY lol \"lol\"><!ENTITY lol2 "
     "\"&lol;&lol;\">]>\n<robot name=\"&lol2;\"/>",
     "2:1: document type declarations (<!DOCTYPE, <!ENTITY) are refused"},
    {R"(<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="&x;"/>)",
     "1:1: document type declarations (<!DOCTYPE, <!ENTITY) are refused"},
    {R"(<robot name="&x;"/>)",
     R"(1:14: "&" does not start one of &lt; &gt; &amp; &quot; &apos; &#NUMBER;)"},
    {R"(<robot name="&#0;"/>)", R"(1:14: "&#0;": control characters are refused)"},
    {R"(<robot name="a&#10;b"/>)", R"(1:15: "&#10;": control characters are refused)"},
    {R"(<robot name="&#x1b;"/>)", R"(1:14: "&#x1b;": control characters are refused)"},
    {R"(<robot name="&#xD800;"/>)",
     R"(1:14: "&" does not start one of &lt; &gt; &amp; &quot; &apos; &#NUMBER;)"},
    {R"(<robot name="a & b"/>)",
     R"(1:16: "&" does not start one of &lt; &gt; &amp; &quot; &apos; &#NUMBER;)"},
    {R"(<robot name="r">&nbsp;</robot>)",
     R"(1:17: "&" does not start one of &lt; &gt; &amp; &quot; &apos; &#NUMBER;)"},
    {"<robot name=\"r\"\001/>", "1:16: control character 0x01 in the text"},
    {"<robot name=\"\377\"/>", "1:14: is not UTF-8 text: byte 0xff"},
    {"<robot name=\"\300\257\"/>", "1:14: is not UTF-8 text: byte 0xc0"},
    {"<robot name=\"\355\240\200\"/>", "1:14: is not UTF-8 text: byte 0xed"},
    {std::string("\377\376<\000r\000", 6),
     "1:1: is not UTF-8 text: byte 0xff; it says that it is \"UTF-16\": convert it with iconv -f "
     "UTF-16 -t UTF-8"},
    {"<?xml version='1.0' encoding='ISO-8859-1'?>\n<robot name='\351'/>",
     "2:14: is not UTF-8 text: byte 0xe9; it says that it is \"ISO-8859-1\": convert it with iconv "
     "-f ISO-8859-1 -t UTF-8"},
    {std::string("<robot name=\"r\">\000</robot>", 25), "1:17: control character 0x00 in the text"},
    {"<robot name/>", R"(1:12: attribute "name" has no value)"},
    {"<robot name=r/>", R"(1:13: the value of attribute "name" is not in quotes)"},
    {R"(<robot name="r/>)", R"(1:13: the value of attribute "name" does not end)"},
    {R"(<robot name="r<"/>)", R"(1:13: the value of attribute "name" does not end)"},
    {R"(<robot name="r"version="1"/>)", "1:16: malformed tag <robot>"},
    {R"(<robot "r"/>)", "1:8: malformed tag <robot>"},
    {R"(< robot name="r"/>)", R"(1:1: "<" is not followed by a name)"},
    {"<1robot/>", R"(1:1: "<" is not followed by a name)"},
    {"</>", "1:1: </> closes nothing"},
    {R"(<robot name="r"></robot x>)", "1:17: tag </robot> does not end"},
    {R"(<robot name="r" name="s"><link name="a"/></robot>)",
     R"(1:17: robot "r": attribute "name" appears twice)"},
    {R"(<sdf version="1.6"/>)",
     "1:1: the root element is <sdf>, URDF needs <robot>; SDF is not read: convert it to URDF with "
     "a tool for SDF"},
    {"<mujoco/>",
     "1:1: the root element is <mujoco>, URDF needs <robot>; MJCF is not read: convert it to URDF "
     "with a tool for MJCF"},
    {R"(<xacro:robot name="r"/>)", "1:1: the root element is <xacro:robot>, URDF needs <robot>"},
    {R"(<robot name="r"><xacro:property name="x" value="1"/></robot>)",
     "1:17: is xacro, a source of URDF: run xacro file > file.urdf, or load it with --xacro, "
     "which runs that program"},
    {"<robot/>", R"(1:1: robot "file" has no links)"},
    {R"(<robot name="r"><?></robot>)", "1:17: this processing instruction does not end"},
};

/// Links and inertias.
const std::vector<BadText> links = {
    {R"(<robot name="r"><link/></robot>)", R"(1:17: <link> has no attribute "name")"},
    {R"(<robot name="r"><link name=""/></robot>)", R"(1:29: attribute "name" of <link> is empty)"},
    {"<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"a\"/></robot>",
     R"(3:1: link "a" is already defined in line 2)"},
    {mass(R"(<mass value=""/>)"),
     R"(2:24: link "a": attribute "value" of <mass> has 0 numbers, needs 1)"},
    {mass(R"(<mass value="-1"/>)"), R"(2:24: link "a": mass -1 is negative)"},
    {mass(R"(<mass value="nan"/>)"),
     R"(2:24: link "a": attribute "value" of <mass>: "nan" is not a finite number)"},
    {mass(R"(<mass value="inf"/>)"),
     R"(2:24: link "a": attribute "value" of <mass>: "inf" is not a finite number)"},
    {mass(R"(<mass value="-infinity"/>)"),
     R"(2:24: link "a": attribute "value" of <mass>: "-infinity" is not a finite number)"},
    {mass(R"(<mass value="1.0abc"/>)"),
     R"(2:24: link "a": attribute "value" of <mass>: "1.0abc" is not a number)"},
    {mass(R"(<mass value="1,5"/>)"),
     R"(2:24: link "a": attribute "value" of <mass>: "1,5" is not a number)"},
    {mass(R"(<mass value="0x10"/>)"),
     R"(2:24: link "a": attribute "value" of <mass>: "0x10" is not a number)"},
    {mass(R"(<mass value="1e999"/>)"),
     R"(2:24: link "a": attribute "value" of <mass>: "1e999" is outside the range of double)"},
    {mass(R"(<mass value="1e-999"/>)"),
     R"(2:24: link "a": attribute "value" of <mass>: "1e-999" is outside the range of double)"},
    {mass(R"(<mass value="1 2"/>)"),
     R"(2:24: link "a": attribute "value" of <mass> has 2 numbers, needs 1)"},
    {mass(R"(<mass value="--1"/>)"),
     R"(2:24: link "a": attribute "value" of <mass>: "--1" is not a number)"},
    {mass(R"(<mass value="+-1"/>)"),
     R"(2:24: link "a": attribute "value" of <mass>: "+-1" is not a number)"},
    {mass(R"(<mass value="1.2.3"/>)"),
     R"(2:24: link "a": attribute "value" of <mass>: "1.2.3" is not a number)"},
    {mass(R"(<mass value="1" value="2"/>)"),
     R"(2:27: link "a": attribute "value" of <mass> appears twice)"},
    {inertia(R"(<inertia ixx="1" iyy="1" izz="x"/>)"),
     R"(2:58: link "a": attribute "izz" of <inertia>: "x" is not a number)"},
    {origin(R"(<origin xyz="1 2"/>)"),
     R"(2:24: link "a": attribute "xyz" of <origin> has 2 numbers, needs 3)"},
    {origin(R"(<origin rpy="1 2 3 4"/>)"),
     R"(2:24: link "a": attribute "rpy" of <origin> has 4 numbers, needs 3)"},
    {origin(R"(<origin xyz="1 2 three"/>)"),
     R"(2:28: link "a": attribute "xyz" of <origin>: "three" is not a number)"},
};

/// Shapes and materials: a warning, for dynamics does without them.
const std::vector<BadText> shapes = {
    {geometry(""),
     R"(2:9: link "a": <geometry> needs <box>, <cylinder>, <sphere>, <capsule> or <mesh>)"
     ": left out"},
    {geometry("<teapot/>"),
     R"(2:9: link "a": <geometry> needs <box>, <cylinder>, <sphere>, <capsule> or <mesh>)"
     ": left out"},
    {geometry("<box/>"), R"(2:19: link "a": <box> has no attribute "size": left out)"},
    {geometry(R"(<box size="1 1"/>)"),
     R"(2:30: link "a": attribute "size" of <box> has 2 numbers, needs 3: left out)"},
    {geometry(R"(<box size="1 1 -1"/>)"),
     R"(2:30: link "a": size (1,1,-1) of <box> is negative: left out)"},
    {geometry(R"(<sphere radius="-1"/>)"),
     R"(2:35: link "a": radius -1 of <sphere> is negative: left out)"},
    {geometry("<sphere/>"), R"(2:19: link "a": <sphere> has no attribute "radius": left out)"},
    {geometry(R"(<cylinder radius="1"/>)"),
     R"(2:19: link "a": <cylinder> has no attribute "length": left out)"},
    {geometry(R"(<capsule radius="1" length="-2"/>)"),
     R"(2:47: link "a": length -2 of <capsule> is negative: left out)"},
    {geometry(R"(<sphere radius="1"/><box size="1 1 1"/>)"),
     R"(2:39: link "a": <geometry> has two shapes: the first is used)"},
    {geometry("<mesh/>"), R"(2:19: link "a": <mesh> has no attribute "filename": left out)"},
    {geometry(R"(<mesh filename=""/>)"),
     R"(2:35: link "a": attribute "filename" of <mesh> is empty: left out)"},
    {geometry(R"(<mesh filename="a" scale="1"/>)"),
     R"(2:19: link "a": scale "1" of <mesh> is one number: used for all three)"},
    {geometry(R"(<mesh filename="a" scale="1 1"/>)"),
     R"(2:45: link "a": attribute "scale" of <mesh> has 2 numbers, needs 3: left out)"},
    {link("<visual/>"), R"(2:1: link "a": <visual> has no <geometry>: left out)"},
    {link("<collision/>"), R"(2:1: link "a": <collision> has no <geometry>: left out)"},
    {link(R"(<visual><geometry><sphere radius="1"/></geometry>)"
          R"(<material name="m"><color rgba="1 1 1"/></material></visual>)"),
     R"(2:82: link "a": attribute "rgba" of <color> has 3 numbers, needs 4: no colour)"},
    {R"(<robot name="r"><material><color rgba="1 1 1 1"/></material><link name="a"/></robot>)",
     R"(1:17: <material> has no attribute "name")"},
    {R"(<robot name="r"><material name="m"><color/></material><link name="a"/></robot>)",
     R"(1:36: material "m": <color> has no attribute "rgba")"},
};

/// Joints and their names.
const std::vector<BadText> joints = {
    {in_robot("<joint/>"), R"(3:1: <joint> has no attribute "name")"},
    {in_robot(R"(<joint name="j"/>)"),
     "3:1: joint \"j\": <joint> has no attribute \"type\"\nfile:3:1: joint \"j\": <joint> has no "
     "<parent>\n"
     "file:3:1: joint \"j\": <joint> has no <child>"},
    {joint("", "hinge"), R"(3:23: joint "j": type "hinge" is not one of )"
                         R"(revolute, continuous, prismatic, fixed, floating, planar, )"
                         R"(spherical, ball, screw, universal)"},
    {joint("", ""), R"(3:23: joint "j": attribute "type" is empty)"},
    {joint("", "revolute", ""),
     "3:1: joint \"j\": <joint> has no <parent>\nfile:3:1: joint \"j\": <joint> has no <child>"},
    {joint("", "revolute", R"(<parent link="a"/>)"), R"(3:1: joint "j": <joint> has no <child>)"},
    {joint("", "revolute", R"(<parent/><child link="b"/>)"),
     R"(3:33: joint "j": <parent> has no attribute "link")"},
    {joint("", "revolute", R"(<parent link="aa"/><child link="b"/>)"),
     R"(3:33: joint "j": parent: there is no link "aa"; nearest: "a", "b")"},
    {joint("", "revolute", R"(<parent link="a"/><child link="c"/>)"),
     R"(3:51: joint "j": child: there is no link "c"; nearest: "a", "b")"},
    {joint("", "revolute", R"(<parent link="a"/><child link="a"/>)"),
     R"(3:1: joint "j": parent and child are both link "a")"},
    {joint(R"(<axis xyz="0 0 0"/>)"), R"(4:12: joint "j": axis (0,0,0) has no direction)"},
    {joint(R"(<axis xyz="nan 0 1"/>)"),
     R"(4:12: joint "j": attribute "xyz" of <axis>: "nan" is not a finite number)"},
    {joint(R"(<axis xyz="0 1"/>)"),
     R"(4:12: joint "j": attribute "xyz" of <axis> has 2 numbers, needs 3)"},
    {joint("<axis/>"), R"(4:1: joint "j": <axis> has no attribute "xyz")"},
    {joint(R"(<axis xyz=""/>)"),
     R"(4:12: joint "j": attribute "xyz" of <axis> has 0 numbers, needs 3)"},
    {joint(R"(<axis xyz="1.7e308 1.7e308 1.7e308"/>)"),
     R"(4:12: joint "j": axis (1.7e+308,1.7e+308,1.7e+308) has no direction)"},
    {joint(R"(<axis xyz="0 0 0"/>)", "planar"),
     R"(4:12: joint "j": axis (0,0,0) has no direction)"},
    {joint(R"(<limit effort="strong"/>)"),
     R"(4:16: joint "j": attribute "effort" of <limit>: "strong" is not a number)"},
    {joint(R"(<limit velocity=""/>)"),
     R"(4:18: joint "j": attribute "velocity" of <limit> has 0 numbers, needs 1)"},
    {joint(R"(<limit lower="-inf" upper="1"/>)"),
     R"(4:15: joint "j": attribute "lower" of <limit>: "-inf" is not a finite number)"},
    {joint(R"(<dynamics damping="0.1 0.2"/>)"),
     R"(4:20: joint "j": attribute "damping" of <dynamics> has 2 numbers, needs 1)"},
    {joint(R"(<dynamics friction="NaN"/>)"),
     R"(4:21: joint "j": attribute "friction" of <dynamics>: "NaN" is not a finite number)"},
    {joint("<mimic/>"), R"(4:1: joint "j": <mimic> has no attribute "joint")"},
    {joint(R"(<mimic joint="jj"/>)"),
     R"(4:1: joint "j": mimic: there is no joint "jj"; nearest: "j")"},
    {joint(R"(<mimic joint="j"/>)"), R"(4:15: joint "j" mimics itself)"},
    {joint(R"(<mimic joint="j2" multiplier="two"/>)"),
     "4:1: joint \"j\": mimic: there is no joint \"j2\"; nearest: \"j\"\n"
     "file:4:31: joint \"j\": attribute \"multiplier\" of <mimic>: \"two\" is not a number"},
    {joint(R"(<mimic joint="j2" offset="1;2"/>)"),
     "4:1: joint \"j\": mimic: there is no joint \"j2\"; nearest: \"j\"\n"
     "file:4:27: joint \"j\": attribute \"offset\" of <mimic>: \"1;2\" is not a number"},
    {in_robot(
         "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint>\n<joint "
         "name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint>"),
     R"(4:1: joint "j" is already defined in line 3)"},
    {joint(R"(<origin xyz="1 2 3" rpy="0 0 90deg"/>)"),
     R"(4:30: joint "j": attribute "rpy" of <origin>: "90deg" is not a number)"},
};

/// Loops and motors.
const std::vector<BadText> loops = {
    {motor(R"(actuated="maybe")"),
     R"(3:43: joint "j": actuated is "maybe", needs "true" or "false")"},
    {motor(R"(actuated="True")"),
     R"(3:43: joint "j": actuated is "True", needs "true" or "false")"},
    {motor(R"(actuated="1")"), R"(3:43: joint "j": actuated is "1", needs "true" or "false")"},
    {motor(R"(actuated="")"), R"(3:43: joint "j": attribute "actuated" is empty)"},
    {motor(R"(actuated="true" actuated="false")"),
     R"(3:49: joint "j": attribute "actuated" appears twice)"},
    {in_robot("<loop/>"), R"(3:1: <loop> has no attribute "name")"},
    {loop(""), R"(5:1: loop "l": <loop> has no attribute "kind")"},
    {loop(R"( type="fixed")"), R"(5:1: loop "l": <loop> has no attribute "kind")"},
    {loop(R"( kind="ball")"),
     R"(5:22: loop "l": kind "ball" is not one of fixed, revolute, prismatic, cylindrical, )"
     "universal, planar, spherical, point, orientation, distance, knife_edge, rolling, gear"},
    {loop(R"( kind="")"), R"(5:22: loop "l": attribute "kind" is empty)"},
    {loop(R"( kind="fixed")", ""),
     "5:1: loop \"l\": <loop> has no <link_1>\nfile:5:1: loop \"l\": <loop> has no <link_2>"},
    {loop(R"( kind="fixed")", R"(<link_1 link="a"/>)"), R"(5:1: loop "l": <loop> has no <link_2>)"},
    {loop(R"( kind="fixed")", R"(<link_1 link="a"/><link_2/>)"),
     R"(5:47: loop "l": <link_2> has no attribute "link")"},
    {loop(R"( kind="fixed")", R"(<link_1 link="a"/><link_2 link=""/>)"),
     R"(5:61: loop "l": attribute "link" of <link_2> is empty)"},
    {loop(R"( kind="fixed")", R"(<link_1 link="a"/><link_2 link="x"/>)"),
     R"(5:47: loop "l": link_2: there is no link "x"; nearest: "a", "b")"},
    {loop(R"( kind="fixed")", R"(<link_1 link="a"/><link_2 link="a"/>)"),
     R"(5:1: loop "l": both ends are on link "a")"},
    {loop(R"( kind="fixed")", R"(<link_1 link="a"><origin xyz="1 2"/></link_1><link_2 link="b"/>)"),
     R"(5:59: loop "l": attribute "xyz" of <origin> has 2 numbers, needs 3)"},
    {loop(R"( kind="distance")"), R"(5:1: loop "l": <loop> has no attribute "length")"},
    {loop(R"( kind="distance" length="long")"),
     R"(5:40: loop "l": attribute "length": "long" is not a number)"},
    {loop(R"( kind="distance" length="0")"),
     R"(5:1: loop "l": length 0 must be finite and positive)"},
    {loop(R"( kind="fixed")",
          R"(<link_1 link="a"/><link_2 link="b"/></loop><loop name="l" kind="fixed">)"
          R"(<link_1 link="a"/><link_2 link="b"/>)"),
     R"(5:72: loop "l" is already defined in line 5)"},
};

TEST(BadUrdf, Text) { test::expect_refusals(read_urdf, texts); }
TEST(BadUrdf, Links) { test::expect_refusals(read_urdf, links); }
TEST(BadUrdf, Shapes) {
  for (const BadText& bad : shapes) {
    const Loaded loaded = read_urdf(bad.text, "file");
    const auto found =
        std::find_if(loaded.findings.begin(), loaded.findings.end(),
                     [](const Finding& finding) { return finding.kind == FindingKind::shape; });
    ASSERT_NE(found, loaded.findings.end()) << bad.text;
    const Remark& first = found->places.at(0);
    EXPECT_EQ(std::to_string(first.line) + ":" + std::to_string(first.column) + ": " + first.what,
              bad.message);
    EXPECT_EQ(found->level, Level::warning);
  }
}
TEST(BadUrdf, Joints) { test::expect_refusals(read_urdf, joints); }
TEST(BadUrdf, Loops) { test::expect_refusals(read_urdf, loops); }

/// One end named twice: the first counts, and it is said.
TEST(BadUrdf, AnEndOfALoopTwice) {
  const Loaded loaded = read_urdf(
      loop(R"( kind="fixed")", R"(<link_1 link="a"/><link_1 link="b"/><link_2 link="b"/>)"),
      "file");
  EXPECT_EQ(loaded.robot.loops.at(0).link_1, "a");
  ASSERT_EQ(loaded.findings.size(), 1u);
  EXPECT_EQ(loaded.findings[0].kind, FindingKind::repeated);
  EXPECT_EQ(loaded.findings[0].level, Level::warning);
  EXPECT_EQ(loaded.findings[0].places.at(0).what,
            "loop \"l\": <link_1> appears twice in <loop>; that of line 5 is used");
}

}  // namespace
}  // namespace jounce
