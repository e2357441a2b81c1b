# attest_room(NAME SOURCES … DEPENDS … PRIVATE …)
# One room of lib/: a static library with its own include root, so that an include of a room that is
# not a dependency does not compile. DEPENDS are visible to users of the room, PRIVATE are not.
#
# Rationals and JSON are most of what the compiler reads: they are precompiled once, with the first room, and
# attest_precompiled(TARGET) lets any target of the same flags share them.
function(attest_precompiled target)
  target_precompile_headers(${target} REUSE_FROM attest_base)
endfunction()

function(attest_room name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PRIVATE" ${ARGN})
  set(target attest_${name})
  list(TRANSFORM ARG_SOURCES PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/${name}/src/")
  add_library(${target} STATIC ${ARG_SOURCES})
  add_library(attest::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/${name}/include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_libraries(${target} PUBLIC ${ARG_DEPENDS} PRIVATE ${ARG_PRIVATE}
    "$<BUILD_INTERFACE:attest::warnings>")
  if(name STREQUAL base)
    target_precompile_headers(${target} PRIVATE <algorithm> <functional> <map> <string> <vector>
      <boost/multiprecision/gmp.hpp> <nlohmann/json.hpp>)
  else()
    attest_precompiled(${target})
  endif()
  install(DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/${name}/include/" TYPE INCLUDE)
  install(TARGETS ${target} EXPORT attestTargets)
endfunction()
