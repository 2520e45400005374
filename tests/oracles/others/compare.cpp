// SPDX-License-Identifier: BSD-3-Clause
// Robot files in folders, computed by Jounce and by every peer that was found: a table of what
// loads, what agrees and how well.
//
//   compare_robots [--base fixed|floating] [--list] FOLDER|FILE...
//
// Every file is counted once by its content. --list names the files that load on one side only, and
// those that differ. Where a peer and we differ, numbers of 113 bits (exact.cpp)
// say who is nearer.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <sstream>

#include "oracles/others/distance.hpp"
#include "oracles/others/process.hpp"

namespace jounce::others {

std::vector<Peer> peers() {
  std::vector<Peer> found;
#ifdef JOUNCE_WITH_PINOCCHIO
  found.push_back({"Pinocchio", false, true, ask_pinocchio});
#endif
#ifdef JOUNCE_WITH_MUJOCO
  found.push_back({"MuJoCo", true, false, ask_mujoco});
#endif
#ifdef JOUNCE_WITH_DART
  found.push_back({"DART", true, true, ask_dart});
#endif
#ifdef JOUNCE_WITH_KDL
  found.push_back({"KDL (our reading)", false, false, ask_kdl});
#endif
  return found;
}

namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The file without its shapes; as it is where it is not XML.
std::string without_shapes(const std::string& text) {
  pugi::xml_document document;
  if (!document.load_buffer(text.data(), text.size())) return text;
  for (pugi::xml_node link : document.document_element().children("link"))
    while (link.remove_child("visual") || link.remove_child("collision")) continue;
  std::ostringstream out;
  document.save(out);
  return out.str();
}

/// All distinct files of folders.
std::map<std::string, std::string> files_in(const std::vector<std::string>& paths) {
  std::map<std::string, std::string> files;
  std::set<std::string> contents;
  const auto add = [&](const fs::path& path) {
    std::string text = content_of(path);
    if (contents.insert(text).second) files.emplace(path.string(), std::move(text));
  };
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      add(path);
      continue;
    }
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(path))
      if (entry.is_regular_file() &&
          (entry.path().extension() == ".urdf" || entry.path().extension() == ".URDF"))
        found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    for (const fs::path& one : found) add(one);
  }
  return files;
}

constexpr double tolerance = 1e-12;

/// What a peer and we made of all files.
struct Tally {
  std::string name;
  int both = 0, only_ours = 0, only_theirs = 0, neither = 0;
  int compared = 0, forward = 0, other_size = 0, differ = 0, apart = 0, nearer = 0;
  Distance worst;
  std::vector<std::string> remarks;

  void count(const std::string& path, const std::optional<Answer>& ours,
             const std::optional<Answer>& theirs, const std::optional<Answer>& exact) {
    ++(ours ? (theirs ? both : only_ours) : (theirs ? only_theirs : neither));
    if (!ours && theirs) remarks.push_back(path + ": loads there only");
    if (ours && theirs) compare(path, *ours, *theirs, exact);
  }

 private:
  void compare(const std::string& path, const Answer& ours, const Answer& theirs,
               const std::optional<Answer>& exact) {
    if (ours.nv != theirs.nv || (!ours.coordinates.empty() && ours.nq != theirs.nq)) {
      ++other_size;
      remarks.push_back(path + ": nv " + std::to_string(ours.nv) + ", theirs " +
                        std::to_string(theirs.nv));
      return;
    }
    const std::optional<Distance> found = distance(ours, theirs);
    if (!found) return;
    ++compared;
    forward += found->with_forward ? 1 : 0;
    const bool agrees = found->worst() <= tolerance;
    const std::optional<Distance> own = exact ? distance(ours, *exact) : std::nullopt;
    const std::optional<Distance> their = exact ? distance(theirs, *exact) : std::nullopt;
    const bool is_nearer = own && their && own->worst() <= their->worst();
    if (!agrees) remarks.push_back(path + text(*found) + (is_nearer ? "; ours is nearer" : ""));
    if (found->is_another_reading()) {
      ++differ;
      return;
    }
    apart += agrees ? 0 : 1;
    nearer += !agrees && is_nearer ? 1 : 0;
    worst.mass = std::max(worst.mass, found->mass);
    worst.inverse = std::max(worst.inverse, found->inverse);
    worst.forward = std::max(worst.forward, found->forward);
  }

  static std::string text(const Distance& found) {
    char line[100];
    std::snprintf(line, sizeof line, ": mass %.1e, inverse %.1e, forward %.1e", found.mass,
                  found.inverse, found.forward);
    return line;
  }
};

void print(const std::vector<Tally>& tallies) {
  std::printf(
      "| | load both | only Jounce | only the peer | neither | compared | other nv | differ "
      "| mass | inverse | forward | above 1e-12 | ours nearer |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Tally& t : tallies)
    std::printf("| %s | %d | %d | %d | %d | %d | %d | %d | %.1e | %.1e | %.1e (%d) | %d | %d |\n",
                t.name.c_str(), t.both, t.only_ours, t.only_theirs, t.neither, t.compared,
                t.other_size, t.differ, t.worst.mass, t.worst.inverse, t.worst.forward, t.forward,
                t.apart, t.nearer);
}

int run(const std::vector<std::string>& paths, bool floating, bool list) {
  std::vector<Peer> all = peers();
  if (floating) std::erase_if(all, [](const Peer& peer) { return !peer.floats; });
  std::vector<Tally> tallies(1 + all.size());
  tallies[0].name = "113 bits";
  for (std::size_t k = 0; k < all.size(); ++k) tallies[k + 1].name = all[k].name;
  const auto files = files_in(paths);
  for (const auto& [path, text] : files) {
    const Question whole{path, text, floating}, bare{path, without_shapes(text), floating};
    const std::optional<Answer> ours = asked(ask_jounce, whole);
    const std::optional<Answer> exact = ours ? asked(ask_exact, whole) : std::nullopt;
    tallies[0].count(path, ours, exact, exact);
    for (std::size_t k = 0; k < all.size(); ++k)
      tallies[k + 1].count(path, ours, asked(all[k].ask, all[k].without_shapes ? bare : whole),
                           exact);
  }
  const int loaded = tallies[0].both + tallies[0].only_ours;
  std::printf("%zu distinct files, %d load\n\n", files.size(), loaded);
  print(tallies);
  for (const Tally& tally : tallies)
    for (const std::string& remark : tally.remarks)
      if (list) std::printf("%s: %s\n", tally.name.c_str(), remark.c_str());
  return 0;
}

/// Takes "--base WORD" out of the arguments.
std::string base_of(std::vector<std::string>& words) {
  const auto at = std::find(words.begin(), words.end(), "--base");
  if (at == words.end()) return "fixed";
  const std::string word = at + 1 == words.end() ? "" : at[1];
  words.erase(at, word.empty() ? at + 1 : at + 2);
  return word;
}

}  // namespace
}  // namespace jounce::others

int main(int argc, char** argv) {
  std::vector<std::string> paths(argv + 1, argv + argc);
  const bool list = std::erase(paths, std::string("--list")) > 0;
  const std::string base = jounce::others::base_of(paths);
  if (paths.empty() || (base != "fixed" && base != "floating")) {
    std::fprintf(stderr, "usage: compare_robots [--base fixed|floating] [--list] FOLDER|FILE...\n");
    return 2;
  }
  return jounce::others::run(paths, base == "floating", list);
}
