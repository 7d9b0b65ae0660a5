# What the program alone needs: CLI11 (2.1 or newer), headers only, found like those of Dependencies.cmake. Programs that use
# the library never need it.
set(TENDRIL_CLI11_INCLUDE "" CACHE PATH "Folder that holds CLI/CLI.hpp; empty: it is looked for")
tendril_named_folder(TENDRIL_CLI11_INCLUDE CLI/CLI.hpp)

set(cli11 "${TENDRIL_CLI11_INCLUDE}")
if(NOT cli11 AND NOT CMAKE_CROSSCOMPILING)
  tendril_package_folder(cli11 CLI11 CLI11::CLI11 2.1)
endif()
if(NOT cli11)
  find_path(TENDRIL_CLI11_FOUND CLI/CLI.hpp
    PATHS /usr/include /usr/local/include /opt/homebrew/include ${only} DOC "Folder that holds CLI/CLI.hpp")
  mark_as_advanced(TENDRIL_CLI11_FOUND)
  set(cli11 "${TENDRIL_CLI11_FOUND}")
endif()
if(NOT cli11)
  message(FATAL_ERROR "CLI11 was not found: install libcli11-dev, add its prefix to CMAKE_PREFIX_PATH, set TENDRIL_CLI11_INCLUDE to the folder of CLI/CLI.hpp, or leave the program out with -DTENDRIL_PROGRAM=OFF -DTENDRIL_TESTS=OFF")
endif()
# It is heavy to compile and far from every loop: one file includes it, alone, and is compiled for size, which halves what
# it adds to the program.
target_include_directories(tendril_cli SYSTEM PRIVATE ${cli11})
set_source_files_properties(${PROJECT_SOURCE_DIR}/engine/cli/arguments.cpp
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS $<$<CONFIG:Release>:-Os>)
