# What `cmake --install` gives to other projects: the library, the public headers and a package for find_package, with the licenses.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set_target_properties(tendril_engine PROPERTIES EXPORT_NAME engine)
install(TARGETS tendril_engine EXPORT tendrilTargets ARCHIVE INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/tendril ${PROJECT_BINARY_DIR}/include/tendril DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT tendrilTargets NAMESPACE tendril:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tendril)
if(TENDRIL_PROGRAM)
  install(TARGETS tendril RUNTIME)
endif()
configure_package_config_file(cmake/tendrilConfig.cmake.in ${PROJECT_BINARY_DIR}/tendrilConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tendril)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tendrilConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tendrilConfig.cmake ${PROJECT_BINARY_DIR}/tendrilConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tendril)

# What the library and the program hold has licenses that go with every copy.
set(notices ${PROJECT_BINARY_DIR}/share/NOTICES)
execute_process(COMMAND ${CMAKE_COMMAND} -DNOTICES=${notices} -DLIBRARY=ON -DPROGRAM=${TENDRIL_PROGRAM} -P ${PROJECT_SOURCE_DIR}/cmake/Notices.cmake
  RESULT_VARIABLE noticesResult)
if(NOT noticesResult EQUAL 0)
  message(FATAL_ERROR "cmake/Notices.cmake ended with ${noticesResult}")
endif()
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/Notices.cmake)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${notices} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/tendril)
