# Compiles several files at a time: most of a file's compile time goes into templates of Eigen and the standard library,
# which they share, so a build from nothing takes half as long. `-DTENDRIL_UNITY=OFF` compiles one file at a time, which is
# faster while single files are edited. Files of a folder share a namespace: what each declares for itself needs a name
# of its own there.
option(TENDRIL_UNITY "Compile several files at a time" ON)

function(tendril_unity target size)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TENDRIL_UNITY} UNITY_BUILD_BATCH_SIZE ${size})
endfunction()
