# SPDX-License-Identifier: BSD-3-Clause
# Installs what the tool prints for man and bash; nothing where it was not built, or was built for
# another processor. From the rule before: printing_tool, printed, man_folder, completion_folder.
set(man_file jounce.1)
set(completion_file jounce)
foreach(command man completion)
  if(EXISTS "${printing_tool}")
    set(file "${printed}/${command}/${${command}_file}")
    file(MAKE_DIRECTORY "${printed}/${command}")
    execute_process(COMMAND "${printing_tool}" ${command} OUTPUT_FILE "${file}" RESULT_VARIABLE failed)
    if(failed)
      message(STATUS "Not installed, as the tool does not run here: ${file}")
    else()
      set(folder "${${command}_folder}")
      cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
      file(INSTALL "${file}" DESTINATION "${folder}")
    endif()
  endif()
endforeach()
