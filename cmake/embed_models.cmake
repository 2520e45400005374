# SPDX-License-Identifier: BSD-3-Clause
# Writes a C++ file that holds the text of the bundled robots, so that none is looked for at run
# time. Run as a script:
#   cmake -DOUTPUT=embedded_models.cpp -DFOLDER=models -P embed_models.cmake

file(GLOB models ${FOLDER}/*.urdf ${FOLDER}/*.json)
list(SORT models)
set(code "// Written by cmake/embed_models.cmake, do not edit.\n#include \"io/builtin.hpp\"\n\n")
string(APPEND code "namespace jounce::io {\nnamespace {\n\nconstexpr EmbeddedFile files[] = {\n")
foreach(model IN LISTS models)
  get_filename_component(name ${model} NAME)
  file(READ ${model} text)
  string(APPEND code "{\"${name}\", R\"jounce(${text})jounce\"},\n")
endforeach()
string(APPEND code "};\n\n}  // namespace\n\n")
string(APPEND code "std::span<const EmbeddedFile> embedded_files() { return files; }\n\n")
string(APPEND code "}  // namespace jounce::io\n")
file(WRITE ${OUTPUT} "${code}")
