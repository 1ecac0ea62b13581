# Writes HEADER with the commit of SOURCE; "unknown" outside a git checkout.
set(commit unknown)
find_program(GIT git)
if(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --abbrev=10
                    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE
                    RESULT_VARIABLE failed ERROR_QUIET)
    if(NOT failed)
        set(commit ${found})
    endif()
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define SF_COMMIT \"${commit}\"\n")
