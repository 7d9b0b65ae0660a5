# Flags that every target of the project compiles with. Results must not depend on the machine: no fast-math, and no
# contraction of a*b+c, which would differ between native and WASM.
if(TENDRIL_SANITIZE)
  # The four checks left out multiply the compile time of Eigen code by five and find little in it.
  set(TENDRIL_SANITIZERS -fsanitize=address,undefined -fno-sanitize=null,alignment,vptr,object-size
                         -fno-sanitize-recover=all)
  add_compile_options(${TENDRIL_SANITIZERS} -fno-omit-frame-pointer)
  add_link_options(${TENDRIL_SANITIZERS})
endif()

if(EMSCRIPTEN)
  # Without it Emscripten builds catch blocks that never run. Compiling and linking must agree.
  add_compile_options(-fwasm-exceptions)
  add_link_options(-fwasm-exceptions)
endif()

option(TENDRIL_WERROR "Warnings are errors, as in continuous integration" OFF)

function(tendril_flags target)
  target_compile_options(${target} PRIVATE -ffp-contract=off -Wall -Wextra $<$<BOOL:${TENDRIL_WERROR}>:-Werror>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # False alarms of g++ 12 inside std::string's operator+, gone in g++ 13.
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds)
  endif()
  if(TENDRIL_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # False alarms of g++ where it also sanitizes, as in <regex>.
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
  endif()
endfunction()

# Eigen and the standard library once per target; `ARGN` adds more headers.
function(tendril_precompile target)
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <cstddef> <cstdint> <functional> <limits>
    <map> <memory> <optional> <span> <stdexcept> <string> <string_view> <utility> <variant> <vector>
    <Eigen/Core> <Eigen/Geometry> ${ARGN})
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # The time stamp inside would make every rebuilt header a new one for ccache.
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  else()
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  endif()
endfunction()
