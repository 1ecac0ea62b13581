# The commit stands in a generated header, refreshed at build time and only touched when it
# changed, so that a commit does not rebuild the world.
add_custom_target(sf_commit
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR}
            -DHEADER=${CMAKE_BINARY_DIR}/generated/commit.h
            -P ${CMAKE_SOURCE_DIR}/cmake/write_commit.cmake
    BYPRODUCTS ${CMAKE_BINARY_DIR}/generated/commit.h
    VERBATIM)
