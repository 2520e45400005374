# SPDX-License-Identifier: BSD-3-Clause
# Compile options of this project's own targets. None of them reaches a user of the library.

# The instruction sets that kernels are compiled for, lowest first.
set(JOUNCE_INSTRUCTION_SETS all CACHE STRING
  "all: any processor runs its best; native: that of this machine alone, compiled in less time")
set(JOUNCE_ISAS baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND JOUNCE_ISAS avx2 avx512)
endif()
if(JOUNCE_INSTRUCTION_SETS STREQUAL native)
  set(JOUNCE_ISAS baseline)
  if(EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
  endif()
  if("${flags} " MATCHES " avx2 " AND "${flags} " MATCHES " fma ")
    set(JOUNCE_ISAS avx2)
    if("${flags} " MATCHES " avx512f " AND "${flags} " MATCHES " avx512dq "
       AND "${flags} " MATCHES " avx512vl " AND "${flags} " MATCHES " avx512bw ")
      set(JOUNCE_ISAS avx512)
    endif()
  endif()
elseif(NOT JOUNCE_INSTRUCTION_SETS STREQUAL all)
  message(FATAL_ERROR "JOUNCE_INSTRUCTION_SETS is \"${JOUNCE_INSTRUCTION_SETS}\", needed: all or native")
endif()
list(TRANSFORM JOUNCE_ISAS REPLACE "(.+)" "X(\\1)" OUTPUT_VARIABLE JOUNCE_EACH_ISA)
list(JOIN JOUNCE_EACH_ISA " " JOUNCE_EACH_ISA)
configure_file(${CMAKE_CURRENT_LIST_DIR}/instruction_sets.hpp.in
  ${CMAKE_CURRENT_BINARY_DIR}/jounce_generated/instruction_sets.hpp @ONLY)
set(JOUNCE_GENERATED ${CMAKE_CURRENT_BINARY_DIR}/jounce_generated)

set(JOUNCE_FLAGS_baseline "")
set(JOUNCE_FLAGS_avx2 -mavx2 -mfma)
set(JOUNCE_FLAGS_avx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mavx2 -mfma)
# For sources that ask for it (src/CMakeLists.txt).
set(JOUNCE_TUNING_avx2 -mtune=skylake)
set(JOUNCE_TUNING_avx512 -mtune=skylake-avx512)

# Language level, warnings, sanitizers and optimisation of a target of this project.
function(jounce_target target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wno-psabi -Wno-missing-field-initializers
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> -fno-math-errno -ffp-contract=fast
    $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-expand=400;--param=ggc-min-heapsize=500000>
    $<$<BOOL:${JOUNCE_WERROR}>:-Werror>)
  if(JOUNCE_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${JOUNCE_SANITIZE}
      -fno-sanitize-recover=all -fno-omit-frame-pointer
      $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=pointer-overflow>  # Eigen's empty blocks start at null
      -Wno-error)  # GCC's manual: sanitizers bring false warnings; the plain build has them right
    target_link_options(${target} PRIVATE -fsanitize=${JOUNCE_SANITIZE})
  endif()
endfunction()

# Compiles the target's sources a few at a time: what their headers cost is paid once for each few.
# With a batch size of 0 only those that set UNITY_GROUP, group by group. JOUNCE_UNITY_BATCH makes
# larger batches for what spends its time in headers (scripts/lint).
function(jounce_unity target batch)
  if(JOUNCE_UNITY_BATCH AND batch GREATER 0)
    set(batch ${JOUNCE_UNITY_BATCH})
  endif()
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ${JOUNCE_UNITY} UNITY_BUILD_BATCH_SIZE ${batch})
  if(batch EQUAL 0)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  endif()
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>
    $<$<CXX_COMPILER_ID:Clang>:-Wno-shadow>)  # of names that another file of the unit uses
endfunction()

# Compiles the sources once per instruction set, inline functions in a namespace of the build's own
# (include/jounce/scalar/isa.hpp), and adds the objects to the target. The linker keeps one copy of
# equal names: a template built with AVX-512 may not be called on a machine that has none.
function(jounce_isa_sources target)
  foreach(isa ${JOUNCE_ISAS})
    set(objects ${target}_${isa})
    if(NOT TARGET ${objects})
      add_library(${objects} OBJECT)
      jounce_target(${objects})
      target_compile_options(${objects} PRIVATE ${JOUNCE_FLAGS_${isa}})
      set_target_properties(${objects} PROPERTIES JOUNCE_TUNING "${JOUNCE_TUNING_${isa}}")
      target_compile_definitions(${objects} PRIVATE JOUNCE_ISA=${isa}_kernels)
      target_include_directories(${objects} PRIVATE
        $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
    endif()
    target_sources(${objects} PRIVATE ${ARGN})
  endforeach()
endfunction()
