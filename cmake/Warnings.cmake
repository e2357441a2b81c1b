# attest_warnings: the compiler flags that every target of the project is built with.
add_library(attest_warnings INTERFACE)
add_library(attest::warnings ALIAS attest_warnings)
target_compile_options(attest_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast
  -Wno-sign-conversion
  # GCC 12 sees overlapping copies in std::string concatenation that are not there (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # Files that are compiled together are taken for headers, whose anonymous namespaces would be a fault.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${CMAKE_UNITY_BUILD}>>:-Wno-subobject-linkage>)
