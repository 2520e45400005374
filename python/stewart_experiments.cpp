// SPDX-License-Identifier: BSD-3-Clause
// The experiments of Xie, Dai, Liu 2021 in Python: tables, claims, surveys, extra sensors.
#include <pybind11/stl.h>

#include <jounce/stewart/branch_survey.hpp>
#include <jounce/stewart/extra_sensors.hpp>
#include <jounce/stewart/method_survey.hpp>
#include <jounce/stewart/xie_claims.hpp>

#include "bindings.hpp"
#include "stewart_arrays.hpp"

namespace jounce::python {
namespace {

using Pose = SE3<double>;

XieOutcome outcome_of(const std::string& name) {
  return named(name, {"XieCell", "outcome"}, outcome_words);
}

void bind_estimate(py::module_& m) {
  py::class_<Estimate> c(m, "Estimate", "A value with its 95 % confidence interval.");
  c.def_readonly("value", &Estimate::value, "What was found.");
  c.def_readonly("low", &Estimate::low, "Lower end of the interval.");
  c.def_readonly("high", &Estimate::high, "Upper end of the interval.");
  c.def_readonly("count", &Estimate::count, "Independent samples behind it.");
  c.def("__repr__", [](const Estimate& e) {
    return "Estimate(" + text(e.value, 6) + ", low=" + text(e.low, 6) +
           ", high=" + text(e.high, 6) + ", count=" + std::to_string(e.count) + ")";
  });
}

void bind_experiment(py::module_& m) {
  py::class_<XieExperiment> c(m, "XieExperiment",
                              "Platform, poses and lengths of Xie, Dai, Liu 2021, in cm.");
  c.def_readonly("platform", &XieExperiment::platform, "The Stewart of Table 1.");
  c.def_readonly("true_pose", &XieExperiment::true_pose, "q_C.");
  c.def_readonly("branch_pose", &XieExperiment::branch_pose, "T_s of (30), to machine precision.");
  c.def_property_readonly(
      "lengths", [](const XieExperiment& x) { return frozen(to_array(x.lengths)); },
      "Of both poses, shape (6,).");
  c.def_property_readonly(
      "starts",
      [](const XieExperiment& x) { return std::vector<Pose>(x.starts.begin(), x.starts.end()); },
      "Five SE3.");
  m.def(
      "xie_experiment",
      [](bool printed_lengths, bool printed_start_2) {
        return xie_experiment({printed_lengths, printed_start_2});
      },
      py::kw_only(), py::arg("printed_lengths") = false, py::arg("printed_start_2") = false,
      "xie_experiment(*, printed_lengths=False, printed_start_2=False)\n--\n\nA XieExperiment, "
      "with its misprints corrected unless asked for.");
}

void add_outcomes(py::class_<XieCell>& c) {
  c.def(
      "percent",
      [](const XieCell& cell, const std::string& outcome) {
        return cell.percent(outcome_of(outcome));
      },
      py::arg("outcome") = "true_pose",
      "percent($self, outcome='true_pose')\n--\n\nHow many percent of the runs ended like this.");
  c.def(
      "mean_iterations",
      [](const XieCell& cell, const std::string& outcome) {
        return cell.mean_iterations(outcome_of(outcome));
      },
      py::arg("outcome") = "true_pose",
      "mean_iterations($self, outcome='true_pose')\n--\n\nThe mean over those runs; 0 where there "
      "are none.");
  c.def(
      "ranges",
      [](const XieCell& cell, const std::string& outcome) {
        std::vector<std::pair<double, double>> ranges;
        for (const FactorRange& range : cell.ranges(outcome_of(outcome)))
          ranges.emplace_back(range.first, range.last);
        return ranges;
      },
      py::arg("outcome") = "true_pose",
      "ranges($self, outcome='true_pose')\n--\n\nConsecutive factors whose runs ended like this: a "
      "list of (first, last).");
}

void bind_cell(py::module_& m) {
  py::class_<XieCell> c(m, "XieCell", "One cell of Table 2 or 3: 50 runs.");
  c.def_property_readonly("name", &XieCell::name, "\"GN-SE(3)\", \"LM-Quat\", ...");
  c.def_readonly("start", &XieCell::start, "0 to 4.");
  c.def_readonly("paper_percent", &XieCell::paper_percent, "What the paper has.");
  c.def_property_readonly(
      "runs",
      [](const XieCell& cell) {
        py::list runs;
        for (const XieRun& run : cell.runs)
          runs.append(py::make_tuple(run.factor, run.iterations,
                                     word_of(run.outcome, outcome_words),
                                     word_of(run.stop, stop_words)));
        return runs;
      },
      "A list of (factor, iterations, outcome, stop); outcomes are \"true_pose\", \"branch\", "
      "\"other_pose\" and \"nowhere\".");
  add_outcomes(c);
}

void bind_tables(py::module_& m) {
  m.def(
      "xie_table",
      [](const XieExperiment& experiment, const std::string& method, const std::string& increment,
         const std::string& line_search, const std::string& scaling) {
        StewartMethodOptions options;
        options.method = named(method, {"xie_table", "method"}, method_words);
        options.increment = named(increment, {"xie_table", "increment"}, increment_words);
        options.line_search = named(line_search, {"xie_table", "line_search"}, search_words);
        options.scaling = named(scaling, {"xie_table", "scaling"}, scaling_words);
        return xie_table(experiment, options);
      },
      py::arg("experiment"), py::arg("method"), py::kw_only(), py::arg("increment") = "space",
      py::arg("line_search") = "squared", py::arg("scaling") = "none",
      "xie_table(experiment, method, *, increment='space', line_search='squared', "
      "scaling='none')\n--\n\nThe 15 XieCell of Table 2 (\"gauss_newton\") or 3 "
      "(\"levenberg_marquardt\"), row by row: five starts by R^6, quaternion, SE(3). Options are "
      "those of solve_pose.");
  py::class_<XieClaim> c(m, "XieClaim", "A statement of Xie, Dai, Liu 2021 and what comes out.");
  c.def_readonly("where", &XieClaim::where, "Where it stands.");
  c.def_readonly("claim", &XieClaim::claim, "What it says.");
  c.def_readonly("found", &XieClaim::found, "What the runs show.");
  c.def_readonly("reproduced", &XieClaim::reproduced, "Whether that is the same.");
  m.def(
      "xie_claims",
      [](const XieExperiment& x) {
        const auto newton = xie_table(x, StewartMethod::gauss_newton);
        const auto damped = xie_table(x, StewartMethod::levenberg_marquardt);
        std::vector<XieClaim> all;
        for (const auto& claims :
             {xie_data_claims(x), xie_algorithm_claims(x), xie_text_claims(newton, damped),
              xie_cell_claims(newton), xie_cell_claims(damped)})
          all.insert(all.end(), claims.begin(), claims.end());
        return all;
      },
      py::arg("experiment"),
      "xie_claims(experiment)\n--\n\nEvery statement of the paper as a XieClaim: data, algorithms, "
      "text, cells.");
}

void add_estimates(py::class_<MethodSurvey>& c) {
  c.def(
      "success",
      [](const MethodSurvey& s, const std::string& name) { return s.success(s.variant(name)); },
      py::arg("variant"), "success($self, variant)\n--\n\nShare that comes back, an Estimate.");
  c.def(
      "mean_iterations",
      [](const MethodSurvey& s, const std::string& name) {
        return s.mean_iterations(s.variant(name));
      },
      py::arg("variant"),
      "mean_iterations($self, variant)\n--\n\nTheir mean iterations, an Estimate.");
  c.def(
      "advantage",
      [](const MethodSurvey& s, const std::string& a, const std::string& b) {
        return s.advantage(s.variant(a), s.variant(b));
      },
      py::arg("a"), py::arg("b"),
      "advantage($self, a, b)\n--\n\nSuccess of a minus that of b, an Estimate.");
  c.def(
      "fewer_iterations",
      [](const MethodSurvey& s, const std::string& a, const std::string& b) {
        return s.fewer_iterations(s.variant(a), s.variant(b));
      },
      py::arg("a"), py::arg("b"),
      "fewer_iterations($self, a, b)\n--\n\nShare of samples that both solve on which a needs "
      "fewer.");
  c.def(
      "slopes",
      [](const MethodSurvey& s, const std::string& name) { return s.slopes(s.variant(name)); },
      py::arg("variant"),
      "slopes($self, variant)\n--\n\nChange of the success per standard deviation of each "
      "parameter.");
}

void bind_method_survey(py::module_& m) {
  py::class_<MethodSurvey> c(m, "MethodSurvey", "What survey_methods found.");
  c.def_property_readonly(
      "variants",
      [](const MethodSurvey& s) {
        std::vector<std::string> names;
        for (const MethodVariant& variant : s.variants) names.push_back(variant.name);
        return names;
      },
      "Names of the variants.");
  c.def_readonly("parameters", &MethodSurvey::parameters, "Names of the columns.");
  c.def_readonly("columns", &MethodSurvey::columns, "Parameter by parameter, sample by sample.");
  c.def_readonly("iterations", &MethodSurvey::iterations,
                 "Variant by variant; 0 where a run did not come back to its pose.");
  c.def_readonly("endless", &MethodSurvey::endless,
                 "Runs of Algorithm A1 as printed that would not end.");
  add_estimates(c);
  constexpr std::pair<const char*, SurveyFamily> families[] = {
      {"semi_regular", SurveyFamily::semi_regular}, {"general", SurveyFamily::general}};
  m.def(
      "survey_methods",
      [families](const std::string& family, int samples, std::uint64_t seed) {
        return survey_methods(named(family, {"survey_methods", "family"}, families), samples, seed);
      },
      py::arg("family"), py::arg("samples"), py::arg("seed") = 1,
      "survey_methods(family, samples, seed=1)\n--\n\nA MethodSurvey of all variants of the six "
      "methods on \"semi_regular\" or \"general\" platforms.");
}

using Compare = Estimate (BranchSurvey::*)(size_t, size_t, bool) const;
using Share = Estimate (BranchSurvey::*)(size_t, bool) const;

size_t method_of(const std::string& name) {
  for (size_t k = 0; k < 6; ++k)
    if (name == BranchSurvey::name(k)) return k;
  throw InputError("BranchSurvey: method is \"" + name +
                   "\", needs GN-R^6, GN-Quat, GN-SE(3), LM-R^6, LM-Quat or LM-SE(3)");
}

void bind_branch_survey(py::module_& m) {
  py::class_<BranchSurvey> c(m, "BranchSurvey",
                             "What survey_branches found. Methods are \"GN-R^6\", \"GN-Quat\", "
                             "\"GN-SE(3)\", \"LM-R^6\", \"LM-Quat\", \"LM-SE(3)\".");
  c.def_readonly("branches", &BranchSurvey::branches, "Other poses in all samples.");
  const auto share = [](Share of) {
    return [of](const BranchSurvey& s, const std::string& method, bool near_branch) {
      return (s.*of)(method_of(method), near_branch);
    };
  };
  const auto compare = [](Compare of) {
    return [of](const BranchSurvey& s, const std::string& a, const std::string& b,
                bool near_branch) { return (s.*of)(method_of(a), method_of(b), near_branch); };
  };
  c.def("right", share(&BranchSurvey::right), py::arg("method"), py::arg("near_branch"),
        "right($self, method, near_branch)\n--\n\nShare of starts that end at the pose.");
  c.def("caught", share(&BranchSurvey::caught), py::arg("method"), py::arg("near_branch"),
        "caught($self, method, near_branch)\n--\n\nShare of starts that end at another pose.");
  c.def("right_more", compare(&BranchSurvey::right_more), py::arg("a"), py::arg("b"),
        py::arg("near_branch"),
        "right_more($self, a, b, near_branch)\n--\n\nShare right of a minus that of b.");
  c.def("caught_more", compare(&BranchSurvey::caught_more), py::arg("a"), py::arg("b"),
        py::arg("near_branch"),
        "caught_more($self, a, b, near_branch)\n--\n\nShare caught of a minus that of b.");
}

void bind_survey_branches(py::module_& m) {
  constexpr std::pair<const char*, BranchFamily> families[] = {
      {"table_1", BranchFamily::table_1},
      {"semi_regular", BranchFamily::semi_regular},
      {"general", BranchFamily::general}};
  constexpr std::pair<const char*, BranchFactors> factor_words[] = {{"paper", BranchFactors::paper},
                                                                    {"full", BranchFactors::full}};
  m.def(
      "survey_branches",
      [families, factor_words](const std::string& family, const std::string& factors, int samples,
                               int starts, double turn, double offset, std::uint64_t seed) {
        return survey_branches({named(family, {"survey_branches", "family"}, families),
                                named(factors, {"survey_branches", "factors"}, factor_words),
                                samples, starts, turn, offset, seed});
      },
      py::arg("family") = "table_1", py::kw_only(), py::arg("factors") = "paper",
      py::arg("samples") = 100, py::arg("starts") = 4, py::arg("turn") = 0.5,
      py::arg("offset") = 0.5, py::arg("seed") = 1,
      "survey_branches(family='table_1', *, factors='paper', samples=100, starts=4, turn=0.5, "
      "offset=0.5, seed=1)\n--\n\nA BranchSurvey: which methods are caught by other poses from "
      "starts near the pose and near the others. family is \"table_1\", \"semi_regular\" or "
      "\"general\", factors \"paper\" or \"full\"; turn in rad, offset in platform sizes.");
}

void bind_sensors(py::module_& m) {
  py::class_<PoseSensor> c(m, "PoseSensor", "A sensor beside the six lengths.");
  c.def_static(
      "length",
      [](const py::object& base, const py::object& platform) {
        return PoseSensor::length(checked_vec3(base, {"PoseSensor.length", "base"}),
                                  checked_vec3(platform, {"PoseSensor.length", "platform"}));
      },
      py::arg("base"), py::arg("platform"),
      "length(base, platform)\n--\n\nThe distance between a point of the base and one of the "
      "platform.");
  c.def_static(
      "inclination",
      [](const py::object& base, const py::object& platform) {
        return PoseSensor::inclination(
            checked_vec3(base, {"PoseSensor.inclination", "base"}),
            checked_vec3(platform, {"PoseSensor.inclination", "platform"}));
      },
      py::arg("base"), py::arg("platform"),
      "inclination(base, platform)\n--\n\nThe angle between a direction of the base and one of the "
      "platform.");
  c.def_static("first_angle", &PoseSensor::first_angle, py::arg("leg"), py::arg("home"),
               "first_angle(leg, home)\n--\n\nThe first angle of the universal joint of leg 0 to "
               "5, zero at home.");
  c.def_static("second_angle", &PoseSensor::second_angle, py::arg("leg"), py::arg("home"),
               "second_angle(leg, home)\n--\n\nThe second angle of that joint.");
  c.def("reading", &PoseSensor::reading, py::arg("platform"), py::arg("T"),
        "reading($self, platform, T)\n--\n\nWhat it measures in a pose.");
}

void bind_readings(py::module_& m) {
  m.def(
      "poses_with_readings",
      [](const Stewart& platform, const AllPoses& all,
         const std::vector<std::tuple<PoseSensor, double, double>>& readings) {
        std::vector<SensorReading> checked;
        for (const auto& [sensor, value, accuracy] : readings)
          checked.push_back({sensor, value, accuracy});
        return poses_with_readings(platform, all, checked);
      },
      py::arg("platform"), py::arg("all"), py::arg("readings"),
      "poses_with_readings(platform, all, readings)\n--\n\nThe AssemblyMode of an AllPoses that a "
      "list of (sensor, value, accuracy) allows.");
}

void bind_sensor_survey(py::module_& m) {
  py::class_<SensorSurvey> c(m, "SensorSurvey", "How many poses one kind of sensor leaves.");
  c.def_readonly("sensor", &SensorSurvey::sensor, "Which kind.");
  c.def_readonly("accuracy", &SensorSurvey::accuracy, "In rad, or in platform sizes.");
  c.def_readonly("poses", &SensorSurvey::poses, "Without the sensor.");
  c.def_readonly("remaining", &SensorSurvey::remaining, "Mean number of poses, an Estimate.");
  c.def_readonly("unique", &SensorSurvey::unique, "Share told from all others, an Estimate.");
  c.def_readonly("most", &SensorSurvey::most, "Remaining at worst.");
  m.def("survey_sensors", &survey_sensors, py::arg("platform"), py::arg("all"),
        py::arg("accuracy") = 1e-3, py::arg("places") = 200, py::arg("seed") = 1,
        "survey_sensors(platform, all, accuracy=0.001, places=200, seed=1)\n--\n\nA list of "
        "SensorSurvey: one more length, an inclination, angles of a leg, two more lengths, each at "
        "random places.");
}

}  // namespace

void bind_stewart_experiments(py::module_& m) {
  bind_estimate(m);
  bind_experiment(m);
  bind_cell(m);
  bind_tables(m);
  bind_method_survey(m);
  bind_branch_survey(m);
  bind_survey_branches(m);
  bind_sensors(m);
  bind_readings(m);
  bind_sensor_survey(m);
}

}  // namespace jounce::python
