# Writes what the module, or the library or the program, holds besides the engine, with the licenses that came with it:
# cmake -DNOTICES=FILE [-DLIBRARY=ON] [-DPROGRAM=ON] [-DEMSCRIPTEN_ROOT=FOLDER] -P Notices.cmake. Where a system keeps no
# license text, its address stands there.
set(rule "------------------------------------------------------------------------")
set(holder "WebAssembly module holds")
if(LIBRARY AND PROGRAM)
  set(holder "library and the program hold")
elseif(LIBRARY)
  set(holder "library holds")
elseif(PROGRAM)
  set(holder "program holds")
endif()
set(text "The ${holder} these libraries, or parts of them, unchanged:\n")

function(add_notice name license address)  # add_notice(NAME LICENSE ADDRESS FILE...): the first of the files that exists
  string(APPEND text "\n${rule}\n\n${name} (${license})\n${address}\n")
  foreach(file ${ARGN})
    if(EXISTS ${file})
      file(READ ${file} license_text)
      string(STRIP "${license_text}" license_text)
      string(APPEND text "\n${license_text}\n")
      break()
    endif()
  endforeach()
  set(text "${text}" PARENT_SCOPE)
endfunction()

add_notice("Eigen" "MPL-2.0; its source code is at the address below" "https://eigen.tuxfamily.org, https://www.mozilla.org/MPL/2.0/"
  /usr/share/doc/libeigen3-dev/copyright)
add_notice("Spectra" "MPL-2.0; its source code is at the address below" "https://spectralib.org, https://www.mozilla.org/MPL/2.0/"
  /usr/share/doc/libspectra-dev/copyright)
add_notice("JSON for Modern C++" "MIT" "https://github.com/nlohmann/json, https://opensource.org/license/mit"
  /usr/share/doc/nlohmann-json3-dev/copyright)
if(PROGRAM)
  add_notice("CLI11" "BSD-3-Clause" "https://github.com/CLIUtils/CLI11, https://opensource.org/license/bsd-3-clause"
    /usr/share/doc/libcli11-dev/copyright)
elseif(NOT LIBRARY)
  add_notice("Emscripten with musl, libc++, libc++abi and compiler-rt" "MIT; Apache-2.0 with LLVM exceptions"
    "https://github.com/emscripten-core/emscripten, https://musl.libc.org, https://llvm.org"
    /usr/share/doc/emscripten/copyright ${EMSCRIPTEN_ROOT}/LICENSE)
endif()
file(WRITE ${NOTICES} "${text}")
