# What `cmake --install` gives to other projects: the library, the public headers and a package for find_package.
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
