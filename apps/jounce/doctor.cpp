// SPDX-License-Identifier: BSD-3-Clause
// jounce doctor: what is wrong with a robot's file, and how to mend it.
#include <CLI/CLI.hpp>

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

/// What there is to say of a file, refused or not.
std::vector<Finding> findings_of(const ModelOptions& options) {
  try {
    const Loaded loaded = read_robot(options.model, read_options(options));
    std::vector<Finding> findings = make_model(options, loaded).findings;
    for (Finding& finding : examine(make_model(options, loaded).robot, loaded))
      findings.push_back(std::move(finding));
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& a, const Finding& b) { return a.level > b.level; });
    return findings;
  } catch (const FileError& error) {
    return error.findings;
  }
}

/// 0: nothing but notes; 1: warnings; 2: refused.
int status_of(const std::vector<Finding>& findings) {
  Level worst = Level::note;
  for (const Finding& finding : findings) worst = std::max(worst, finding.level);
  return static_cast<int>(worst);
}

const char* verdict(int status) {
  constexpr const char* words[] = {"healthy", "warnings", "refused"};
  return words[status];
}

Json doctor_json(const ModelOptions& options, const std::vector<Finding>& findings) {
  Json list = findings_json(findings);
  for (size_t k = 0; k < findings.size(); ++k) {
    list[k]["text"] = text(findings[k]);
    list[k]["remedy"] = remedy(findings[k].kind);
  }
  return {{"model", options.model},
          {"verdict", verdict(status_of(findings))},
          {"findings", std::move(list)}};
}

/// A finding in lines, each of a fault by itself, and under them what helps.
std::string doctor_text(const ModelOptions& options, const std::vector<Finding>& findings) {
  std::string out;
  for (const Finding& finding : findings) {
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
  return out + options.model + ": " + verdict(status_of(findings)) + "\n";
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
    const std::vector<Finding> findings = findings_of(options->model);
    if (options->json) write_json("-", doctor_json(options->model, findings), "doctor");
    else report::write_standard_output(doctor_text(options->model, findings));
    if (const int status = status_of(findings); status != 0) throw ExitStatus{status};
  });
}

}  // namespace jounce::app
