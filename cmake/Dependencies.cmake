# Everything the rooms use. CasADi comes from the wheel in the private venv that scripts/ makes;
# -Dcasadi_DIR=… names another one.
file(GLOB ATTEST_CASADI_HINTS "${PROJECT_SOURCE_DIR}/build/venv/lib/python3*/site-packages/casadi/cmake")
find_package(casadi CONFIG REQUIRED HINTS ${ATTEST_CASADI_HINTS})
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(Boost 1.74 REQUIRED)
find_package(FLINT REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Threads REQUIRED)

# Where CasADi and its plugins lie: the RPATH of programs that use it, so that no environment variable is needed.
get_target_property(ATTEST_CASADI_LIBRARY casadi::casadi LOCATION)
get_filename_component(ATTEST_CASADI_LIBRARY_DIR "${ATTEST_CASADI_LIBRARY}" DIRECTORY)
