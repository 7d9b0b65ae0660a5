# Native tests beside GoogleTest: scenes with their checks, the installed package, the sanitized loader, benchmarks.
if(TARGET tendril)
  file(GLOB scenes CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenes/*.json)
  list(FILTER scenes EXCLUDE REGEX "\\.schema\\.json$")
  foreach(scene ${scenes})
    get_filename_component(name ${scene} NAME_WE)
    add_test(NAME scene.${name} COMMAND tendril check ${scene})
    set_tests_properties(scene.${name} PROPERTIES LABELS scene TIMEOUT 600)
  endforeach()
  file(GLOB longScenes CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenes/long/*.json)
  foreach(scene ${longScenes})
    get_filename_component(name ${scene} NAME_WE)
    add_test(NAME scene.long.${name} COMMAND tendril check ${scene})
    set_tests_properties(scene.long.${name} PROPERTIES LABELS long TIMEOUT 7200)
  endforeach()
endif()

# Laws against random scenes: fixed seeds here, fresh ones in `make test-long`.
file(GLOB propertySources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/properties/*.cpp)
if(GTest_FOUND AND propertySources AND NOT TENDRIL_SANITIZE)
  add_executable(tendril_properties ${propertySources})
  tendril_test_settings(tendril_properties)
  target_compile_options(tendril_properties PRIVATE -O1)
  target_link_libraries(tendril_properties PRIVATE GTest::gtest_main)
  tendril_precompile(tendril_properties <gtest/gtest.h>)
  tendril_unity(tendril_properties 4)
  # The module's tests compare what both programs make of these scenes.
  add_executable(tendril_scene properties/print/print.cpp properties/scenes.cpp properties/linkages.cpp properties/vines.cpp)
  tendril_test_settings(tendril_scene)
  gtest_discover_tests(tendril_properties DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES PROPERTIES LABELS property TIMEOUT 600)
endif()

# Used by other projects: installed, within a parent project that is only configured, with folders that are not there, and (long)
# compiled within a parent project.
if(NOT TENDRIL_SANITIZE)
  foreach(how install parent folders subproject)
    add_test(NAME package.${how} COMMAND ${CMAKE_COMMAND} -DHOW=${how} -DBUILD=${PROJECT_BINARY_DIR} -DSOURCE=${PROJECT_SOURCE_DIR}
      -DCOMPILER=${CMAKE_CXX_COMPILER} -DEIGEN=${eigen} -DWANTED=${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
      -P ${CMAKE_CURRENT_SOURCE_DIR}/consumer/run.cmake)
    set_tests_properties(package.${how} PROPERTIES LABELS package TIMEOUT 300)
  endforeach()
  set_tests_properties(package.subproject PROPERTIES LABELS long TIMEOUT 3600)
endif()

# A parameter swept by a script over the program.
if(TARGET tendril)
  add_test(NAME example.shell COMMAND sh ${PROJECT_SOURCE_DIR}/examples/shell/sweep.sh ${PROJECT_SOURCE_DIR}/scenes/cantilever.json
    E tip.z 2e8 2e9)
  set_tests_properties(example.shell PROPERTIES LABELS package TIMEOUT 60 ENVIRONMENT_MODIFICATION PATH=path_list_prepend:$<TARGET_FILE_DIR:tendril>
    PASS_REGULAR_EXPRESSION "E,tip.z\n2e8,-0.00293[0-9]*\n2e9,-0.000294[0-9]*\n")
  add_test(NAME example.shell.usage COMMAND sh ${PROJECT_SOURCE_DIR}/examples/shell/sweep.sh)
  set_tests_properties(example.shell.usage PROPERTIES LABELS package TIMEOUT 60 PASS_REGULAR_EXPRESSION "Usage: sweep.sh SCENE")
endif()

if(TENDRIL_SANITIZE)
  include(Sanitized.cmake)
endif()

file(GLOB benchSources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/bench/*.cpp)
if(benchmark_FOUND AND benchSources)
  add_executable(tendril_bench EXCLUDE_FROM_ALL ${benchSources})
  tendril_test_settings(tendril_bench)
  target_link_libraries(tendril_bench PRIVATE benchmark::benchmark_main)
endif()
