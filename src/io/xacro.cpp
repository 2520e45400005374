// SPDX-License-Identifier: BSD-3-Clause
// Marks of xacro in a text, and the run of the xacro tool.
#include "io/xacro.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace jounce::io {
namespace {

bool is_source(const std::string& origin) { return origin.ends_with(".xacro"); }

/// Elements that hold or bring links and joints.
bool changes_the_tree(std::string_view name) {
  return name == "xacro:include" || name == "xacro:if" || name == "xacro:unless" ||
         name == "xacro:insert_block";
}

/// The first element of xacro below a node that satisfies a condition.
template <class Condition>
pugi::xml_node find_xacro(pugi::xml_node node, const Condition& holds) {
  return node.find_node([&](const pugi::xml_node& below) {
    const std::string_view name = below.name();
    return name.starts_with("xacro:") && holds(name);
  });
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] void cannot_run(const std::string& path, int error) {
  throw InputError(path +
                   ": is xacro, and the program xacro cannot be run: " + std::strerror(error));
}

/// The first line that the program wrote on standard error.
std::string first_line(std::FILE* errors) {
  char line[300] = "";
  std::rewind(errors);
  if (std::fgets(line, sizeof line, errors) == nullptr) return "";
  line[std::strcspn(line, "\r\n")] = '\0';
  return line;
}

std::string all_of(std::FILE* output) {
  std::string text;
  char buffer[1 << 16];
  while (text.size() <= SourceText::size_limit) {
    const std::size_t count = std::fread(buffer, 1, sizeof buffer, output);
    text.append(buffer, count);
    if (count == 0) break;
  }
  return text;
}

}  // namespace

XacroMark xacro_mark(const XmlReader& xml) {
  const pugi::xml_node root = xml.root();
  const bool source = is_source(xml.source().origin()), links = bool(root.child("link"));
  if (!xml.has_xacro() && !source) return {};
  pugi::xml_node mark = find_xacro(root, changes_the_tree);
  if (!mark && (source || !links)) mark = find_xacro(root, [](std::string_view) { return true; });
  if (!mark && source)  // as it was written before there were namespaces
    for (const char* old : {"include", "macro", "property"})
      if (!mark) mark = root.child(old);
  const bool named = root.attribute("xmlns:xacro") && root.name() != std::string_view("robot");
  if (!mark && (named || (source && !links))) mark = root;
  return mark ? XacroMark{xml.offset(mark)} : XacroMark{};
}

std::string xacro_advice(const std::string& origin) {
  std::string target = origin;
  if (is_source(origin)) target.resize(origin.size() - 6);
  else if (origin.ends_with(".urdf")) target.replace(origin.size() - 5, 5, "_plain");
  if (!target.ends_with(".urdf")) target += ".urdf";
  return "is xacro, a source of URDF: run xacro " + origin + " > " + target +
         ", or load it with --xacro, which runs that program";
}

std::string run_xacro(const std::string& path) {
  int ends[2];
  const File errors(std::tmpfile());
  if (errors == nullptr || pipe2(ends, O_CLOEXEC) != 0) cannot_run(path, errno);
  File output(fdopen(ends[0], "rb"));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(errors.get()), STDERR_FILENO);
  std::string program = "xacro", file = path.starts_with('-') ? "./" + path : path;
  char* const arguments[] = {program.data(), file.data(), nullptr};
  pid_t child = 0;
  const int failure = posix_spawnp(&child, "xacro", &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failure != 0) cannot_run(path, failure);
  std::string text = all_of(output.get());
  output.reset();  // a program that still writes is told
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (text.size() > SourceText::size_limit)
    throw InputError(path + ": xacro makes more than " + std::to_string(SourceText::size_limit) +
                     " bytes of it");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw InputError(path + ": xacro fails: " + first_line(errors.get()));
  return text;
}

}  // namespace jounce::io
