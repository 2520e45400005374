// SPDX-License-Identifier: BSD-3-Clause
// jounce compute constrained-forward | constrained-inverse | constrained-hybrid.
#include <jounce/model/loop.hpp>

#include "apps/jounce/compute/quantity.hpp"
#include "io/names.hpp"

namespace jounce::app::quantity {
namespace {

/// "contacts", {"frame": "kind"}.
std::vector<Contact> contacts_of(const ComputeContext& c, JsonObject& state) {
  std::vector<Contact> contacts;
  const JsonValue* const all = state.find("contacts");
  if (all == nullptr) return contacts;
  JsonObject frames(state.context(), *all, state.who() + ": \"contacts\"");
  for (const io::JsonMember& member : all->members()) {
    const std::string text = frames.name(member.key);
    const std::optional<LoopKind> kind = io::loop_kind(text);
    if (!kind)
      frames.fail(member.offset,
                  "kind " + io::in_quotes(text) + " is not one of " + io::loop_kinds());
    contacts.push_back({c.robot.frame(member.key), *kind});
  }
  return contacts;
}

Optimum optimum_of(const ComputeContext& c) {
  return c.optimum == "torque" ? Optimum::torque : Optimum::force;
}

/// What all three tell of loops and contacts, by name.
void add_constraints(ComputeContext& c, const std::vector<double>& q,
                     std::span<const Contact> contacts, const Eigen::VectorXd& lambda,
                     const ConstraintReport& report, Json& out) {
  Json rows = Json::object(), wrenches = Json::object();
  const std::vector<Wrench<double>> F = c.constrained->loop_wrenches(
      q, std::span(lambda.data(), static_cast<size_t>(lambda.size())), contacts);
  const auto loops = c.robot.loops();
  const double* next = lambda.data();
  for (size_t k = 0; k < F.size(); ++k) {
    const bool loop = k < loops.size();
    const Contact contact = loop ? Contact{} : contacts[k - loops.size()];
    const std::string& name = loop ? loops[k].name : c.robot.frame_info(contact.frame).name;
    const int count = jounce::rows(loop ? loops[k].kind : contact.kind);
    append(rows, name, std::vector<double>(next, next + count));
    append(wrenches, name, {F[k].m.x, F[k].m.y, F[k].m.z, F[k].f.x, F[k].f.y, F[k].f.z});
    next += count;
  }
  out["lambda"] = std::move(rows);
  out["loop_wrenches"] = std::move(wrenches);
  out["rank"] = report.rank;
  out["rank_margin"] = report.rank_margin;
  out["redundancy_defect"] = report.redundancy_defect;
  out["residual"] = report.residual;
}

}  // namespace

Json constrained_forward(ComputeContext& c, JsonObject& state) {
  const StateVectors x = vectors_of(c, state);
  const std::vector<Contact> contacts = contacts_of(c, state);
  const ConstrainedForward found =
      c.constrained->forward(x.q, x.v, x.tau, surroundings(c, state), contacts);
  Json out{{"a", to_json(found.a)}};
  add_constraints(c, x.q, contacts, found.lambda, found, out);
  return out;
}

Json constrained_inverse(ComputeContext& c, JsonObject& state) {
  const StateVectors x = vectors_of(c, state);
  const std::vector<Contact> contacts = contacts_of(c, state);
  const int n = c.robot.nv();
  ConstrainedInverse found;
  found.tau.setZero(n);
  found.lambda.resize(c.constrained->rows() + ConstrainedDynamics::rows(contacts));
  const std::vector<double> none(static_cast<size_t>(n));
  const ConstraintReport report =
      c.constrained->inverse(x.q, x.v, x.a, x.tau.empty() ? none : x.tau, surroundings(c, state),
                             contacts, optimum_of(c), into(found.tau), into(found.lambda));
  Json out{{"tau", to_json(found.tau)}};
  add_constraints(c, x.q, contacts, found.lambda, report, out);
  out["free_dimension"] = report.free_dimension;
  return out;
}

Json constrained_hybrid(ComputeContext& c, JsonObject& state) {
  const HybridInput x = hybrid_input(c, state);
  const std::vector<Contact> contacts = contacts_of(c, state);
  const ConstrainedHybrid found =
      c.constrained->hybrid({x.flags.get(), size_t(c.robot.nv())}, x.q, x.v, x.a, x.tau,
                            surroundings(c, state), contacts, optimum_of(c));
  Json out{{"a", to_json(found.a)}, {"tau", to_json(found.tau)}};
  add_constraints(c, x.q, contacts, found.lambda, found, out);
  out["free_dimension"] = found.free_dimension;
  return out;
}

}  // namespace jounce::app::quantity
