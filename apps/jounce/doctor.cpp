// SPDX-License-Identifier: BSD-3-Clause
// jounce doctor: what is wrong with a robot's file, and how to mend it.
#include <CLI/CLI.hpp>
#include <algorithm>

#include "apps/jounce/commands.hpp"
#include "apps/jounce/examine.hpp"
#include "apps/jounce/help.hpp"
#include "report/file.hpp"

namespace jounce::app {
namespace {

struct DoctorOptions {
  ModelOptions model;
  bool json = false;
};

struct Diagnosis {
  std::vector<Finding> findings;
  bool refused = false;

  /// The exit status. 0: nothing but notes; 1: warnings; 2: refused.
  int status() const {
    const bool warned = std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
      return finding.level == Level::warning;
    });
    return refused ? 2 : warned ? 1 : 0;
  }
  const char* verdict() const {
    constexpr const char* words[] = {"healthy", "warnings", "refused"};
    return words[status()];
  }
};

/// What there is to say of a file, refused or not.
Diagnosis diagnosis_of(const ModelOptions& options) {
  try {
    const Loaded loaded = read_robot(options.model, read_options(options));
    ModelAndReport made = make_model(options, loaded);
    std::vector<Finding> findings = std::move(made.findings);
    for (Finding& finding : examine(made.robot, loaded)) findings.push_back(std::move(finding));
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& a, const Finding& b) { return a.level > b.level; });
    return {std::move(findings), false};
  } catch (const FileError& error) {
    return {error.findings, true};
  }
}

Json doctor_json(const ModelOptions& options, const Diagnosis& diagnosis) {
  const std::vector<Finding>& findings = diagnosis.findings;
  Json list = findings_json(findings);
  for (size_t k = 0; k < findings.size(); ++k) {
    list[k]["text"] = text(findings[k]);
    list[k]["remedy"] = remedy(findings[k].kind);
  }
  return {
      {"model", options.model}, {"verdict", diagnosis.verdict()}, {"findings", std::move(list)}};
}

/// A finding in lines, each of a fault by itself, and under them what helps.
std::string doctor_text(const ModelOptions& options, const Diagnosis& diagnosis) {
  std::string out;
  for (const Finding& finding : diagnosis.findings) {
    std::vector<Finding> parts = {finding};
    if (finding.level == Level::fault) {
      parts.clear();
      for (const Remark& remark : finding.places)
        parts.push_back({finding.kind, finding.level, finding.subject, 1, {remark}});
    }
    for (const std::string& line : lines(parts, options.model)) out += line + "\n";
    if (finding.count > parts.size() && finding.level == Level::fault)
      out += options.model + ": and " + std::to_string(finding.count - parts.size()) + " more\n";
    out += wrapped(std::string("-> ") + remedy(finding.kind), 4);
  }
  return out + options.model + ": " + diagnosis.verdict() + "\n";
}

}  // namespace

void add_doctor(CLI::App& app) {
  auto options = std::make_shared<DoctorOptions>();
  CLI::App* command =
      app.add_subcommand("doctor", "Say what is wrong with a robot's file and how to mend it");
  add_model_options(*command, options->model);
  command->add_flag("--json", options->json, "As JSON");
  command->footer(
      "Exit status: 0 nothing but notes, 1 warnings, 2 the file is refused.\n"
      "Example: jounce doctor builtin:arm7");
  command->callback([options] {
    const Diagnosis found = diagnosis_of(options->model);
    if (options->json) write_json("-", doctor_json(options->model, found), "doctor");
    else report::write_standard_output(doctor_text(options->model, found));
    if (found.status() != 0) throw ExitStatus{found.status()};
  });
}

}  // namespace jounce::app
