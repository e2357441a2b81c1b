# What most files read first, precompiled once: rationals, JSON, Eigen and formatting. attest_precompiled(TARGET) lets any target share it.
# A room still includes what it uses, and finds it only if it depends on it.
add_library(attest_prelude OBJECT "${CMAKE_CURRENT_LIST_DIR}/prelude.cpp")
target_link_libraries(attest_prelude PRIVATE attest::warnings Eigen3::Eigen nlohmann_json::nlohmann_json fmt::fmt)
set(ATTEST_PRELUDE <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory> <optional> <ranges> <span>
  <string> <string_view> <utility> <variant> <vector> <gmp.h> <nlohmann/json.hpp> <Eigen/Core> <fmt/format.h>)
target_precompile_headers(attest_prelude PRIVATE ${ATTEST_PRELUDE})
# Precompiled headers are shared by what is compiled alike: what fmt's users define, everybody does.
get_target_property(fmt_definitions fmt::fmt INTERFACE_COMPILE_DEFINITIONS)
if(fmt_definitions)
  add_compile_definitions(${fmt_definitions})
endif()

function(attest_precompiled target)
  target_precompile_headers(${target} REUSE_FROM attest_prelude)
endfunction()

# attest_room(NAME DEPENDS … PRIVATE …)
# One room of lib/: a static library of the sources in NAME/src with its own include root, so that an include of a room that is
# not a dependency does not compile. DEPENDS are visible to users of the room, PRIVATE are not.
# Under CMAKE_UNITY_BUILD (presets release and asan) some of its sources are compiled at a time, in a third of the time: what stands in an
# anonymous namespace is named once in the room.
function(attest_room name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;PRIVATE" ${ARGN})
  set(target attest_${name})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/src/*.cpp")
  add_library(${target} STATIC ${sources})
  add_library(attest::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/${name}/include>")
  target_link_libraries(${target} PUBLIC ${ARG_DEPENDS} PRIVATE ${ARG_PRIVATE} "$<BUILD_INTERFACE:attest::warnings>")
  attest_precompiled(${target})
  install(TARGETS ${target} EXPORT attestTargets)
endfunction()
