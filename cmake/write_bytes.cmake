cmake_minimum_required(VERSION 3.25)
# Writes INPUT as the bytes of a C array into OUTPUT: literals of that length are not portable.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],)"
       "\\1\n" bytes "${bytes}")
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT "#include \"${HEADER}\"

const char @NAME@[] = {
@bytes@0
};
const size_t @NAME@_len = sizeof(@NAME@) - 1;
")
