// SPDX-License-Identifier: BSD-3-Clause
// What [Xie] says beside what comes out: claim | found | reproduced.
#include <algorithm>
#include <cmath>
#include <jounce/stewart/xie_claims.hpp>

#include "apps/jounce/stewart_report.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

report::Table claim_table(const std::string& caption, const std::vector<XieClaim>& claims) {
  report::Table table{caption, {"where", "claim", "found", "reproduced"}, {}};
  for (const XieClaim& c : claims)
    table.rows.push_back({c.where, c.claim, c.found, c.reproduced ? "yes" : "no"});
  return table;
}

std::string percent(int value) { return std::to_string(value) + " %"; }

std::string start_text(int start) {
  constexpr const char* texts[5] = {"[0, 20, 20 | 10, 100, 5]", "[0, 20, 40 | 0, -50, -70]",
                                    "[20, -15, 70 | 20, -20, 50]", "[-20, 10, 70 | 50, -20, 70]",
                                    "[20, -10, 40 | 60, 70, 50]"};
  return texts[start];
}

/// The paper's own form: five starts by three charts.
report::Table paper_table(const std::vector<XieCell>& cells, const std::string& caption) {
  report::Table table{caption, {"start: cm | deg"}, {}};
  for (size_t c = 0; c < 3; ++c) {
    table.header.push_back(cells[c].name());
    table.header.emplace_back("paper");
  }
  for (size_t k = 0; k < 5; ++k) {
    std::vector<std::string> row{start_text(static_cast<int>(k))};
    for (size_t c = 0; c < 3; ++c) {
      const XieCell& cell = cells[3 * k + c];
      row.push_back(percent(cell.percent(XieOutcome::true_pose)) +
                    (cell.difference() == 0 ? "" : " (!)"));
      row.push_back(percent(cell.paper_percent));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Every cell that differs, and what its runs show of why.
report::Table difference_table(const std::vector<XieCell>& cells,
                               const std::vector<XieVariant>& variants,
                               const std::vector<XieRange>& ranges, int draws) {
  report::Table table{
      "Cells that differ (!), and which variants have the paper's percentage; under "
      "rounding: " +
          std::to_string(draws) + " sets of lengths with errors of 5e-5 cm",
      {"cell", "start", "here", "paper", "under rounding", "why"},
      {}};
  for (size_t k = 0; k < cells.size(); ++k)
    if (cells[k].difference() != 0)
      table.rows.push_back({cells[k].name(), std::to_string(cells[k].start + 1),
                            percent(cells[k].percent(XieOutcome::true_pose)),
                            percent(cells[k].paper_percent),
                            std::to_string(ranges[k].least) + " to " + percent(ranges[k].most),
                            xie_reason(cells[k], k, variants, ranges[k])});
  return table;
}

/// What each variant gives, row by row of the paper's table.
report::Table variant_table(const std::vector<XieVariant>& variants, const std::string& caption) {
  report::Table table{caption, {"variant"}, {}};
  for (int start = 1; start <= 5; ++start) table.header.push_back("start " + std::to_string(start));
  table.header.insert(table.header.end(), {"equal", "of them 1 to 99 %"});
  const auto row_of = [&](const std::string& name, auto percent_of) {
    std::vector<std::string> row{name};
    for (size_t start = 0; start < 5; ++start) {
      std::string three;
      for (size_t c = 0; c < 3; ++c)
        three += (c == 0 ? "" : " ") + std::to_string(percent_of(3 * start + c));
      row.push_back(three);
    }
    return row;
  };
  for (const XieVariant& v : variants) {
    auto row = row_of(v.name, [&](size_t k) { return v.cells[k].percent(XieOutcome::true_pose); });
    row.insert(row.end(), {std::to_string(v.equal()), std::to_string(v.equal_between())});
    table.rows.push_back(std::move(row));
  }
  auto paper = row_of("paper", [&](size_t k) { return variants[0].cells[k].paper_percent; });
  paper.insert(paper.end(), {"", ""});
  table.rows.push_back(std::move(paper));
  return table;
}

/// How much of each kind of claim is reproduced.
report::Paragraph tally(const std::vector<std::pair<const char*, std::vector<XieClaim>>>& kinds) {
  std::string text = "Reproduced: ";
  for (size_t k = 0; k < kinds.size(); ++k) {
    const auto& claims = kinds[k].second;
    const auto good =
        std::count_if(claims.begin(), claims.end(), [](const XieClaim& c) { return c.reproduced; });
    text += (k == 0 ? "" : ", ") + std::to_string(good) + " of " + std::to_string(claims.size()) +
            " " + kinds[k].first;
  }
  return {text + ". In brackets: how a vague word was read."};
}

}  // namespace

std::string text_of(const Estimate& e, double factor, int decimals) {
  const auto number = [&](double x) { return report::fixed(factor * x, decimals); };
  return number(e.value) + " (" + number(e.low) + " to " + number(e.high) + ")";
}

std::vector<report::Block> claim_blocks(const XieExperiment& x, int draws) {
  std::vector<report::Block> blocks;
  std::vector<XieCell> tables[2];
  std::vector<XieClaim> cells;
  std::vector<report::Block> details;
  const StewartMethod methods[2] = {StewartMethod::gauss_newton,
                                    StewartMethod::levenberg_marquardt};
  for (int k = 0; k < 2; ++k) {
    const std::vector<XieVariant> variants = xie_variants(x, methods[k]);
    tables[k] = variants[0].cells;
    for (XieClaim& claim : xie_cell_claims(tables[k])) cells.push_back(std::move(claim));
    const char* caption = k == 0 ? "Table 2, Gauss-Newton: 50 step factors"
                                 : "Table 3, Levenberg-Marquardt: 50 dampings";
    details.emplace_back(paper_table(tables[k], caption));
    details.emplace_back(
        difference_table(tables[k], variants, xie_ranges(x, methods[k], draws), draws));
    details.emplace_back(variant_table(
        variants, std::string("Percent to the true pose on R^6, Quat, SE(3) with one choice made "
                              "otherwise: ") +
                      (k == 0 ? "Gauss-Newton" : "Levenberg-Marquardt")));
  }
  const auto data = xie_data_claims(x), algorithms = xie_algorithm_claims(x),
             text = xie_text_claims(tables[0], tables[1]);
  blocks.emplace_back(tally(
      {{"data", data}, {"algorithms and counts", algorithms}, {"cells", cells}, {"text", text}}));
  blocks.emplace_back(claim_table("Data, as printed", data));
  blocks.emplace_back(claim_table("Algorithms and numbers of solutions", algorithms));
  blocks.emplace_back(claim_table("Section 5, the text", text));
  blocks.emplace_back(claim_table("Tables 2 and 3, cell by cell", cells));
  for (report::Block& block : details) blocks.push_back(std::move(block));
  return blocks;
}

}  // namespace jounce::app
