// SPDX-License-Identifier: BSD-3-Clause
// Tests of the report page: HTML, text for terminals, checks and writing whole or not at all.
#include "report/page.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "report/file.hpp"
#include "report/plot.hpp"
#include "report/text.hpp"
#include "xml.hpp"

namespace jounce::report {
namespace {

using testing::Element;
using testing::read_xml;
using testing::Xml;

Page example() {
  Page page{.title = "A <tour> & more", .summary = "One \"page\".", .chapters = {}};
  page.chapters.push_back({.title = "Energy", .blocks = {Paragraph{"x < y & z"}}});
  page.chapters.push_back(
      {.title = "Energy",
       .blocks = {Table{"Drift", {"Name", "Value"}, {{"rk4", "2.5e-3"}, {"taylor", "-"}}},
                  Checks{{at_most("drift", 1e-3, 1e-2), {"order", "3", "4", false}}},
                  Figure{to_svg({.title = "Plot"}), "A <caption>"}, Code{"a < b;\n\nc();"}}});
  return page;
}

std::string message_of(const Page& page) {
  try {
    page.to_html();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was thrown";
}

// A folder of its own, gone with the test.
struct Folder {
  std::filesystem::path path;
  Folder() {
    const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path =
        std::filesystem::path(::testing::TempDir()) / (std::string("jounce_page_") + test->name());
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path); }
  std::ptrdiff_t files() const {
    return std::distance(std::filesystem::directory_iterator(path), {});
  }
};

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string write_error(const std::filesystem::path& path) {
  try {
    example().write(path);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Page, IsWellFormedAndEscaped) {
  const std::string html = example().to_html();
  const Xml xml = read_xml(html);
  EXPECT_EQ(xml.error, "");
  EXPECT_NE(html.find("<h1>A &lt;tour&gt; &amp; more</h1>"), std::string::npos);
  EXPECT_NE(html.find("<p>x &lt; y &amp; z</p>"), std::string::npos);
  EXPECT_NE(html.find("<figcaption>A &lt;caption&gt;</figcaption>"), std::string::npos);
  EXPECT_NE(html.find("<pre><code>a &lt; b;\n\nc();</code></pre>"), std::string::npos);
  EXPECT_EQ(html, example().to_html());
}

TEST(Page, FiguresMayHaveANarrowForm) {
  Page page = example();
  page.chapters[1].blocks.push_back(Figure{both_widths({.title = "Wide"}), ""});
  EXPECT_EQ(read_xml(page.to_html()).error, "");
  EXPECT_NE(page.to_html().find("<div class=\"narrow\"><svg"), std::string::npos);
  page.chapters[1].blocks.push_back(Figure{Svg(to_svg({}), "<p>"), "f"});
  EXPECT_NE(message_of(page).find("figure \"f\": begins with \"<p>\", needs \"<svg\""),
            std::string::npos);
}

TEST(Page, NeedsNothingFromOutside) {
  const std::string html = example().to_html();
  for (const char* word : {"src=", "url(", "@import", "<link", "<script"}) {
    EXPECT_EQ(html.find(word), std::string::npos) << word;
  }
  EXPECT_NE(html.find("prefers-color-scheme:dark"), std::string::npos);
  EXPECT_NE(html.find("name=\"viewport\""), std::string::npos);
}

TEST(Page, LinksDocumentsWhereTheyLie) {
  Page page = example();
  page.chapters[0].blocks.push_back(ReadOn{{{"a & b", "dynamics.md"}, {"c", "x.md"}}});
  EXPECT_EQ(page.to_html().find("More:"), std::string::npos);  // nobody knows where they lie
  EXPECT_NE(page.to_text(false).find("\nMore: docs/dynamics.md, docs/x.md\n"), std::string::npos);
  page.documents = "../a b\"<é%/docs";
  EXPECT_EQ(read_xml(page.to_html()).error, "");
  EXPECT_NE(
      page.to_html().find("<p>More: <a href=\"../a%20b%22%3C%C3%A9%25/docs/dynamics.md\">a &amp; "
                          "b</a>, <a href=\"../a%20b%22%3C%C3%A9%25/docs/x.md\">c</a></p>"),
      std::string::npos);
}

TEST(Page, ContentsPointAtDifferentChapters) {
  Page page = example();
  page.chapters.push_back({.title = "Own id", .id = "energy-2", .blocks = {}});
  page.chapters.push_back({.title = "Ω", .blocks = {}});
  std::vector<std::string> targets;
  std::vector<std::string> sections;
  bool in_contents = false;
  for (const Element& e : read_xml(page.to_html()).elements) {
    if (e.name == "nav") in_contents = true;
    if (e.name == "main") in_contents = false;
    if (e.name == "a" && in_contents) targets.push_back(e.attributes.at("href"));
    if (e.name == "section") sections.push_back("#" + e.attributes.at("id"));
  }
  const std::vector<std::string> expected{"#energy", "#energy-3", "#energy-2", "#chapter"};
  EXPECT_EQ(sections, expected);
  EXPECT_EQ(targets, expected);
}

TEST(Page, HasNoContentsOfOneChapter) {
  Page page = example();
  page.chapters.resize(1);
  EXPECT_EQ(page.to_html().find("<nav"), std::string::npos);
  EXPECT_EQ(read_xml(page.to_html()).error, "");
}

TEST(Page, ColumnsOfWordsKeepAWidth) {
  const Table table{"",
                    {"words", "numbers", "a longer header", "texts"},
                    {{"ten lettrs", "1", "short", "quite a long sentence in a cell"}}};
  const Page page{.title = "", .summary = "", .chapters = {{.title = "", .blocks = {table}}}};
  std::vector<std::string> styles;
  for (const Element& e : read_xml(page.to_html()).elements)
    if (e.name == "th")
      styles.push_back(e.attributes.contains("style") ? e.attributes.at("style") : "");
  EXPECT_EQ(styles, (std::vector<std::string>{"min-width:calc(10ch + 2rem)", "", "",
                                              "min-width:calc(18ch + 2rem)"}));
}

TEST(Page, AlignsNumbersToTheRight) {
  const Table table{"",
                    {"words", "plain", "unit", "mixed", "blank"},
                    {{"1a", "1e-9", "3.5 µs", "7", "-"}, {"b", "−2", "12 %", "x", ""}}};
  const Page page{.title = "", .summary = "", .chapters = {{.title = "", .blocks = {table}}}};
  std::vector<std::string> right;
  for (const Element& e : read_xml(page.to_html()).with("th", "number")) right.push_back(e.text);
  EXPECT_EQ(right, (std::vector<std::string>{"plain", "unit"}));
}

TEST(Page, CountsChecks) {
  Page page = example();
  EXPECT_FALSE(page.all_passed());
  EXPECT_NE(page.to_html().find("✗ 1 of 2 checks failed"), std::string::npos);
  std::get<Checks>(page.chapters[1].blocks[1]).rows[1].passed = true;
  EXPECT_TRUE(page.all_passed());
  EXPECT_NE(page.to_html().find("✓ all 2 checks passed"), std::string::npos);
  EXPECT_TRUE(Page{}.all_passed());
  EXPECT_EQ(read_xml(Page{}.to_html()).error, "");
}

TEST(Page, ComparesWithBounds) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(at_most("a", 1, 1).passed);
  EXPECT_FALSE(at_most("a", nan, 1).passed);
  EXPECT_FALSE(at_least("a", nan, 1).passed);
  EXPECT_TRUE(at_least("a", 2, 1).passed);
  EXPECT_EQ(at_most("a", 1.23456e-13, 1e-12).value, "1.23e-13");
  EXPECT_EQ(at_most("a", 1.0000001, 1).value, "1.0000001");  // exact where it failed
  EXPECT_EQ(at_most("a", 1.0000001, 1).bound, "≤ 1");
}

TEST(Page, RendersForATerminal) {
  EXPECT_EQ(example().to_text(false),
            "A <tour> & more\n"
            "═══════════════\n"
            "One \"page\".\n"
            "\n"
            "1  Energy\n"
            "─────────\n"
            "x < y & z\n"
            "\n"
            "2  Energy\n"
            "─────────\n"
            "Drift\n"
            "Name     Value\n"
            "──────  ──────\n"
            "rk4     2.5e-3\n"
            "taylor       -\n"
            "\n"
            "✓ drift  0.001  ≤ 0.01\n"
            "✗ order      3       4\n"
            "\n"
            "    a < b;\n"
            "\n"
            "    c();\n"
            "\n"
            "✗ 1 of 2 checks failed\n");
}

TEST(Page, ColoursOnlyWhereAllowed) {
  Page page = example();
  page.title = "evil \x1b[31m\xc2\x9b title";
  EXPECT_EQ(page.to_text(false).find('\x1b'), std::string::npos);
  EXPECT_EQ(page.to_text(true).find("\x1b[31m title"), std::string::npos);
  EXPECT_NE(page.to_text(true).find("\x1b[32m✓\x1b[0m drift"), std::string::npos);
  EXPECT_NE(page.to_text(true).find("\x1b[31m✗\x1b[0m order"), std::string::npos);
}

TEST(Page, WrapsParagraphsAtEightyColumns) {
  const std::string words = repeat("größer ", 40);
  const Page page{.title = "t", .summary = words, .chapters = {}};
  std::istringstream lines(page.to_text(false));
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, columns(line));
  EXPECT_EQ(longest, 76U);  // eleven words of six letters; a twelfth would need 83
}

// A cell of more than 48 columns takes several lines, each in its own column; a sentence that
// begins with a number is no number.
TEST(Page, WrapsLongCells) {
  const std::string text = "1 of two words" + std::string(40, 'x') + " and some more of them";
  const Page page{
      .title = "T",
      .chapters = {{"C", "", {Table{"", {"claim", "n"}, {{text, "7"}, {"2 b", "8"}}}}}}};
  EXPECT_NE(page.to_text(false).find("1 of two  "), std::string::npos) << page.to_text(false);
  EXPECT_NE(page.to_text(false).find("\nwords" + std::string(40, 'x') + "\n"), std::string::npos);
  EXPECT_NE(page.to_text(false).find("\nand some more of them\n"), std::string::npos);
  EXPECT_NE(page.to_text(false).find("\n2 b"), std::string::npos);
}

TEST(PageErrors, SayWhatWasFoundAndNeeded) {
  const auto with = [](Block block, std::string id = "") {
    return Page{
        .title = "P", .summary = "", .chapters = {{"C", std::move(id), {std::move(block)}}}};
  };
  EXPECT_EQ(message_of(with(Table{"T", {"a", "b"}, {{"1", "2"}, {"1"}}})),
            "page \"P\", chapter \"C\", table \"T\": row 1 has 1 cells, needs 2 as the header has");
  EXPECT_EQ(message_of(with(Figure{std::string("<script>alert"), "F"})),
            "page \"P\", chapter \"C\", figure \"F\": begins with \"<script>\", needs \"<svg\"");
  EXPECT_EQ(message_of(with(Paragraph{}, "a b")),
            "page \"P\", chapter \"C\": id is \"a b\", needs letters, digits, - and _ only");
  Page twice = with(Paragraph{}, "a");
  twice.chapters.push_back({.title = "D", .id = "a", .blocks = {}});
  EXPECT_EQ(message_of(twice),
            "page \"P\", chapter \"D\": id \"a\" is taken by an earlier chapter, needs its own");
}

TEST(PageWrite, ReplacesTheFileAndLeavesNothingElse) {
  const Folder folder;
  const auto path = folder.path / "page.html";
  std::ofstream(path) << "old";
  example().write(path);
  EXPECT_EQ(content_of(path), example().to_html());
  EXPECT_EQ(folder.files(), 1);
}

TEST(PageWrite, SaysPathAndReason) {
  const Folder folder;
  const auto missing = folder.path / "missing" / "page.html";
  EXPECT_EQ(write_error(missing),
            "cannot write " + missing.string() + ": No such file or directory");
  std::ofstream(folder.path / "file") << "content";
  const auto below = folder.path / "file" / "page.html";
  EXPECT_EQ(write_error(below), "cannot write " + below.string() + ": Not a directory");
  std::filesystem::create_directories(folder.path / "taken" / "inside");
  const auto taken = folder.path / "taken";
  EXPECT_EQ(write_error(taken), "cannot write " + taken.string() + ": Is a directory");
  EXPECT_EQ(folder.files(), 2);  // no temporary file stays
}

TEST(PageWrite, KeepsTheOldFileWhenTheDiskIsFull) {
  const Folder folder;
  const auto path = folder.path / "page.html";
  std::ofstream(path) << "old";
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const rlimit small{100, old.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string error = write_error(path);
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(error, "cannot write " + path.string() + ": File too large");
  EXPECT_EQ(content_of(path), "old");
  EXPECT_EQ(folder.files(), 1);
}

TEST(PageWrite, RefusesAReadOnlyFolder) {
  const Folder folder;
  const auto path = folder.path / "page.html";
  std::filesystem::permissions(folder.path, std::filesystem::perms(0555));
  const uid_t user = geteuid();
  const uid_t writer = user == 0 ? 65534 : user;  // root may write anywhere
  ASSERT_EQ(seteuid(writer), 0);
  const std::string error = write_error(path);
  ASSERT_EQ(seteuid(user), 0);
  std::filesystem::permissions(folder.path, std::filesystem::perms(0755));
  EXPECT_EQ(error, "cannot write " + path.string() + ": Permission denied");
  EXPECT_EQ(folder.files(), 0);
}

TEST(Text, CleansAndCounts) {
  EXPECT_EQ(clean("a\r\nb\tc"), "a\nb\tc");
  EXPECT_EQ(clean("\xc0\xaf"), "\uFFFD\uFFFD");            // overlong
  EXPECT_EQ(clean("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // surrogate
  EXPECT_EQ(clean("\xe2\x82"), "\uFFFD\uFFFD");            // cut short
  EXPECT_EQ(clean("€ 𝛕 ¶"), "€ 𝛕 ¶");
  EXPECT_EQ(columns("größe"), 5U);
  EXPECT_EQ(first_columns("größe", 3), "grö");
  EXPECT_EQ(trimmed(-0.001, 2), "0");
  EXPECT_EQ(trimmed(12.50, 2), "12.5");
  EXPECT_EQ(fixed(-0.001, 2), "0.00");
  EXPECT_EQ(superscript(-120), "⁻¹²⁰");
}

}  // namespace
}  // namespace jounce::report
