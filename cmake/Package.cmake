# find_package(attest) for users of the library.
include(CMakePackageConfigHelpers)
set(ATTEST_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/attest")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/attestConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/attestConfig.cmake" INSTALL_DESTINATION "${ATTEST_PACKAGE_DIR}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/attestConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(EXPORT attestTargets NAMESPACE attest:: DESTINATION "${ATTEST_PACKAGE_DIR}")
install(FILES "${PROJECT_BINARY_DIR}/attestConfig.cmake" "${PROJECT_BINARY_DIR}/attestConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindFLINT.cmake" DESTINATION "${ATTEST_PACKAGE_DIR}")
