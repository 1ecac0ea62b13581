/*
 * banned: functions with no bound on what they write, or with hidden state, do not compile.
 * Included last by base.h, after the libc headers that declare them.
 */
#ifndef SF_BASE_BANNED_H
#define SF_BASE_BANNED_H

#pragma GCC poison strcpy strcat sprintf vsprintf strtok gets
#pragma GCC poison localtime gmtime ctime asctime tmpnam tempnam mktemp

#endif
