/* Counts which edges of a program are taken, in a file that whoever tests it maps too.
   GCC and Clang call __sanitizer_cov_trace_pc on every edge with -fsanitize-coverage=trace-pc. This file is compiled without.

   Nothing is counted between an answer and the next command: whoever tests reads the counters then, and what the server
   still did after its answer would be counted for one candidate or for the next, as chance has it. The server's calls of
   fflush and getline come here (`-Dfflush=coverage_fflush`, see coverage.rs). */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define COUNTERS 65536

static uint8_t nowhere[COUNTERS];
static uint8_t *mapped = nowhere;
static uint8_t *counters = nowhere;
static uintptr_t last;
static int commands;

extern char __executable_start;

__attribute__((constructor)) static void find_counters(void) {
  const char *path = getenv("FUTHARK_COVERAGE_FILE");
  if (path == NULL) {
    return;
  }
  int file = open(path, O_RDWR);
  if (file < 0) {
    return;
  }
  void *memory = mmap(NULL, COUNTERS, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory != MAP_FAILED) {
    counters = mapped = memory;
  }
  close(file);
}

int coverage_fflush(FILE *stream);
int coverage_fflush(FILE *stream) {
  /* A server that does not read by getline would not begin to count again. */
  if (stream == stdout && commands) {
    counters = nowhere;
  }
  return fflush(stream);
}

ssize_t coverage_getline(char **line, size_t *capacity, FILE *stream);
ssize_t coverage_getline(char **line, size_t *capacity, FILE *stream) {
  ssize_t length = getline(line, capacity, stream);
  commands = 1;
  last = 0;
  counters = mapped;
  return length;
}

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
  /* An edge is where we are and where we were; programs are loaded at another address each time. */
  uintptr_t here = (uintptr_t)__builtin_return_address(0) - (uintptr_t)&__executable_start;
  here = (here * 0x9e3779b97f4a7c15u) >> 48;
  uint8_t *counter = &counters[(here ^ last) % COUNTERS];
  if (*counter < 255) {
    ++*counter;
  }
  last = here >> 1;
}
