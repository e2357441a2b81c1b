# FLINT::FLINT: exact linear algebra, and Arb's ball arithmetic: a library of its own with FLINT 2
# (its headers stand beside flint/), part of FLINT since version 3.
find_path(FLINT_INCLUDE_DIR flint/fmpq_mat.h)
find_library(FLINT_LIBRARY flint)
find_path(ARB_INCLUDE_DIR NAMES arb.h PATH_SUFFIXES flint)
find_library(ARB_LIBRARY NAMES flint-arb arb)
if(NOT ARB_LIBRARY AND EXISTS "${FLINT_INCLUDE_DIR}/flint/arb.h")
  set(ARB_LIBRARY "${FLINT_LIBRARY}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FLINT REQUIRED_VARS FLINT_LIBRARY FLINT_INCLUDE_DIR ARB_LIBRARY ARB_INCLUDE_DIR)
if(FLINT_FOUND AND NOT TARGET FLINT::FLINT)
  add_library(FLINT::FLINT INTERFACE IMPORTED)
  set_target_properties(FLINT::FLINT PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${FLINT_INCLUDE_DIR};${ARB_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${ARB_LIBRARY};${FLINT_LIBRARY};mpfr;gmp")
endif()
