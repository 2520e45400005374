// SPDX-License-Identifier: BSD-3-Clause
// A page as one self-contained HTML file.
#include <algorithm>
#include <string_view>

#include "report/page.hpp"
#include "report/page_parts.hpp"
#include "report/palette.hpp"
#include "report/text.hpp"

namespace jounce::report {
namespace {

constexpr std::string_view page_style = R"(
:root{color-scheme:light dark;--back:#f4f6f8;--surface:#ffffff;--ink:#1c2430;--muted:#5a6573;
--rule:#dfe4ea;--soft:#f7f9fb;--link:#0067a3;--good:#00794f;--good-back:#e2f5ec;--bad:#c02f1d;
--bad-back:#fdebe7;--shade:rgba(20,30,45,.22);
--shadow:0 1px 2px rgba(20,30,45,.06),0 4px 16px rgba(20,30,45,.05)}
@media (prefers-color-scheme:dark){:root{--back:#0f1318;--surface:#171c23;--ink:#e8ebef;
--muted:#a0abb8;--rule:#2a323c;--soft:#1c222a;--link:#6cbdf0;--good:#4fd3a0;--good-back:#12362a;
--bad:#ff8f7d;--bad-back:#43201b;--shade:rgba(160,190,220,.3);--shadow:none}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1.5rem}
body{margin:0;background:var(--back);color:var(--ink);line-height:1.6;
font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
a{color:var(--link);text-decoration:none}
a:hover{text-decoration:underline}
.page{max-width:74rem;margin:0 auto;padding:3rem 1.5rem 5rem;display:grid;
grid-template-columns:13rem minmax(0,1fr);gap:0 3rem}
header{grid-column:1/-1;margin-bottom:2.5rem;border-bottom:1px solid var(--rule);
padding-bottom:1.75rem}
h1{font-size:2.1rem;line-height:1.2;letter-spacing:-.02em;margin:0 0 .5rem;text-wrap:balance}
header p{margin:0 0 1rem;max-width:46rem;color:var(--muted);font-size:1.08rem}
.verdict{display:inline-block;padding:.2rem .8rem;border-radius:2rem;font-weight:600;
font-size:.9rem}
.pass{color:var(--good)}
.fail{color:var(--bad)}
.verdict.pass{background:var(--good-back)}
.verdict.fail{background:var(--bad-back)}
nav{position:sticky;top:1.5rem;align-self:start;font-size:.92rem;max-height:calc(100vh - 3rem);
overflow:auto}
nav ol{list-style:none;margin:0;padding:0;counter-reset:chapter}
nav li{counter-increment:chapter;display:flex;gap:.6rem;padding:.22rem 0}
nav li::before{content:counter(chapter);color:var(--muted);min-width:1.1rem;text-align:right;
font-variant-numeric:tabular-nums}
nav li a{flex:1}
header+main{grid-column:1/-1}
section{margin-bottom:3rem}
h2{font-size:1.4rem;line-height:1.3;letter-spacing:-.01em;margin:0 0 1rem}
h2 a{color:inherit}
p{margin:0 0 1rem;max-width:46rem;white-space:pre-line}
.scroll,figure,pre{border:1px solid var(--rule);border-radius:10px;
box-shadow:var(--shadow);margin:0 0 1.5rem;overflow-x:auto}
/* a shade where there is more to scroll to: covers move with the content, shades stay */
.scroll,figure,pre{background:linear-gradient(90deg,var(--surface) 40%,transparent) 0 0/2.5rem 100%
no-repeat local,linear-gradient(270deg,var(--surface) 40%,transparent) 100% 0/2.5rem 100% no-repeat
local,linear-gradient(90deg,var(--shade),transparent) 0 0/.9rem 100% no-repeat,
linear-gradient(270deg,var(--shade),transparent) 100% 0/.9rem 100% no-repeat,var(--surface)}
table{border-collapse:collapse;width:100%;font-size:.93rem}
caption{caption-side:top;text-align:left;padding:.8rem 1rem .4rem;font-weight:600}
caption span{display:inline-block;position:sticky;left:1rem;max-width:calc(100vw - 4.5rem)}
th,td{padding:.5rem 1rem;text-align:left;border-top:1px solid var(--rule);vertical-align:baseline}
thead th{border-top:0;color:var(--muted);font-weight:600;font-size:.85rem;white-space:nowrap;
background:var(--soft)}
tbody tr:hover{background:var(--soft)}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.mark{width:2.6rem;font-weight:700;text-align:center;padding-right:0}
tr.failed{background:var(--bad-back)}
figure{padding:1rem}
details{margin:0 0 1.25rem}
summary{cursor:pointer;color:var(--muted)}
figure svg{display:block;max-width:100%;height:auto;margin:0 auto}
figure svg.jounce-plot rect.surface{fill:none}
.narrow{display:none}
figure.small{display:inline-block;width:calc(33.3% - .8rem);margin:0 .6rem .8rem 0}
/* small letters: the caption or the heading has the robot's name */
figure.small svg.jounce-robot>.title{display:none}
figcaption{color:var(--muted);font-size:.92rem;margin:.75rem auto 0;max-width:44rem;
text-align:center;overflow-wrap:anywhere}
pre{padding:1rem 1.2rem;font-size:.86rem;line-height:1.55;
font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;tab-size:4}
@media (max-width:60rem){.page{grid-template-columns:minmax(0,1fr);padding:1.5rem 1rem 3rem}
nav{position:static;margin-bottom:2rem;max-height:none}h1{font-size:1.6rem}
th,td{padding:.45rem .7rem}figure{padding:.5rem}}
@media (max-width:40rem){figure{overflow-x:auto}
figure svg.jounce-robot>.title{display:none}
figure svg:not(.jounce-drawing){max-width:none;width:36rem}
figure.small{width:calc(50% - .8rem)}
figure .narrow svg.jounce-plot{width:100%}.wide{display:none}.narrow{display:block}}
@media print{body{background:none}nav{display:none}.page{display:block;padding:0}
.scroll,figure,pre{box-shadow:none;break-inside:avoid}}
)";

std::string mark(bool passed) {
  return passed ? "<span class=\"pass\" role=\"img\" aria-label=\"passed\">✓</span>"
                : "<span class=\"fail\" role=\"img\" aria-label=\"failed\">✗</span>";
}

std::string cell(std::string_view tag, bool numeric, std::string_view text) {
  const std::string name(tag);
  return "<" + name + (numeric ? " class=\"number\">" : ">") + escape(text) + "</" + name + ">";
}

/// The header of a column of words, which on a small screen is not to become a letter wide.
std::string words_header(const Table& table, std::size_t column) {
  constexpr std::size_t wide_enough = 18;
  const std::string& title = table.header[column];
  std::size_t longest = 0;
  for (const auto& row : table.rows) longest = std::max(longest, columns(row[column]));
  const std::size_t width = std::min(longest, wide_enough);
  if (width <= columns(title)) return cell("th", false, title);
  return "<th style=\"min-width:calc(" + std::to_string(width) + "ch + 2rem)\">" + escape(title) +
         "</th>";
}

std::string html(const Paragraph& paragraph) { return "<p>" + escape(paragraph.text) + "</p>\n"; }

std::string html(const Code& code) { return "<pre><code>" + escape(code.text) + "</code></pre>\n"; }

std::string html(const Table& table) {
  const std::vector<bool> numeric = numeric_columns(table);
  std::string out = "<div class=\"scroll\"><table>\n";
  if (!table.caption.empty())
    out += "<caption><span>" + escape(table.caption) + "</span></caption>\n";
  out += "<thead><tr>";
  for (std::size_t i = 0; i < numeric.size(); ++i)
    out += numeric[i] ? cell("th", true, table.header[i]) : words_header(table, i);
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < numeric.size(); ++i) out += cell("td", numeric[i], row[i]);
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

/// One line that opens; open where a check failed.
std::string html(const Checks& checks) {
  const Tally count = tally(checks);
  const bool passed = count.passed == count.total;
  std::string out =
      std::string(passed ? "<details>" : "<details open=\"open\">") + "<summary>" + mark(passed) +
      " " + verdict(count) +
      "</summary>\n<div class=\"scroll\"><table class=\"checks\">\n<thead><tr><th "
      "class=\"mark\"></th>"
      "<th>Check</th><th class=\"number\">Value</th><th class=\"number\">Bound</th></tr></thead>\n"
      "<tbody>\n";
  for (const Check& row : checks.rows) {
    out += row.passed ? "<tr>" : "<tr class=\"failed\">";
    out += "<td class=\"mark\">" + mark(row.passed) + "</td>" + cell("td", false, row.name) +
           cell("td", true, row.value) + cell("td", true, row.bound) + "</tr>\n";
  }
  return out + "</tbody></table></div>\n</details>\n";
}

/// Without the style of plots, which the page has once.
std::string without_style(std::string svg) {
  const std::string style = "<style>" + std::string(plot_style()) + "</style>\n";
  if (const std::size_t at = svg.find(style); at != std::string::npos) svg.erase(at, style.size());
  return svg;
}

std::string html(const Figure& figure) {
  const Svg& svg = figure.svg;
  std::string out = figure.small ? "<figure class=\"small\">\n" : "<figure>\n";
  out += svg.narrow.empty()
             ? without_style(svg.wide)
             : "<div class=\"wide\">" + without_style(svg.wide) + "</div>\n<div class=\"narrow\">" +
                   without_style(svg.narrow) + "</div>\n";
  if (!figure.caption.empty()) out += "<figcaption>" + escape(figure.caption) + "</figcaption>\n";
  return out + "</figure>\n";
}

/// A path as the reference of a link.
std::string reference(const std::filesystem::path& path) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : path.generic_string()) {
    const auto byte = static_cast<unsigned char>(c);
    if (plain.find(c) != std::string_view::npos) out += c;
    else out += {'%', digits[byte / 16], digits[byte % 16]};
  }
  return out;
}

std::string html(const ReadOn& more, const std::filesystem::path& folder) {
  if (folder.empty() || more.documents.empty()) return "";
  std::string out;
  for (const Document& one : more.documents)
    out += (out.empty() ? "<p>More: <a href=\"" : ", <a href=\"") + reference(folder / one.file) +
           "\">" + escape(one.title) + "</a>";
  return out + "</p>\n";
}

std::string html(const Block& block, const std::filesystem::path& documents) {
  if (const auto* paragraph = std::get_if<Paragraph>(&block)) return html(*paragraph);
  if (const auto* table = std::get_if<Table>(&block)) return html(*table);
  if (const auto* checks = std::get_if<Checks>(&block)) return html(*checks);
  if (const auto* figure = std::get_if<Figure>(&block)) return html(*figure);
  if (const auto* more = std::get_if<ReadOn>(&block)) return html(*more, documents);
  return html(std::get<Code>(block));
}

std::string header(const Page& page) {
  const Tally count = tally(page);
  std::string out = "<header>\n<h1>" + escape(page.title) + "</h1>\n";
  if (!page.summary.empty()) out += "<p>" + escape(page.summary) + "</p>\n";
  if (count.total > 0) {
    const bool passed = count.passed == count.total;
    out += std::string("<div class=\"verdict ") + (passed ? "pass\">✓ " : "fail\">✗ ") +
           verdict(count) + "</div>\n";
  }
  return out + "</header>\n";
}

/// None where there is one chapter.
std::string contents(const Page& page, const std::vector<std::string>& ids) {
  if (ids.size() < 2) return "";
  std::string out = "<nav aria-label=\"Contents\">\n<ol>\n";
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Tally count = tally(page.chapters[i]);
    out += "<li><a href=\"#" + ids[i] + "\">" + escape(page.chapters[i].title) + "</a>" +
           (count.total > 0 ? mark(count.passed == count.total) : "") + "</li>\n";
  }
  return out + "</ol>\n</nav>\n";
}

}  // namespace

std::string Page::to_html() const {
  check(*this);
  const std::vector<std::string> ids = chapter_ids(*this);
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>" +
      escape(one_line(title)) + "</title>\n<style>" + std::string(plot_style()) +
      std::string(page_style) + "</style>\n</head>\n<body>\n<div class=\"page\">\n" +
      header(*this) + contents(*this, ids) + "<main>\n";
  for (std::size_t i = 0; i < ids.size(); ++i) {
    out += "<section id=\"" + ids[i] + "\">\n<h2><a href=\"#" + ids[i] + "\">" +
           escape(chapters[i].title) + "</a></h2>\n";
    for (const Block& block : chapters[i].blocks) out += html(block, documents);
    out += "</section>\n";
  }
  return out + "</main>\n</div>\n</body>\n</html>\n";
}

}  // namespace jounce::report
