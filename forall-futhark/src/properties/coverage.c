/* Counts which edges of a program are taken, and records what it compares, in a file that the tester reads.
   GCC and Clang call the functions named __sanitizer_cov_ with -fsanitize-coverage=trace-pc,trace-cmp. This file is compiled without.

   Nothing is counted between an answer and the next command: the tester reads the counters then, and what the server does after its
   answer would be counted for one candidate or for the next by chance. Comparisons are recorded only inside of an entry point, which
   the server times; what the server itself compares depends on the addresses of its memory. So the server's calls of fflush, getline and
   gettimeofday come here (`-Dfflush=coverage_fflush`, see coverage.rs). */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#define COUNTERS 65536
#define PLACES 4096
#define LATEST 256

struct comparison {
  uint64_t left;
  uint64_t right;
  /* In bytes; 0 if there is none. */
  uint64_t width;
};

/* The same layout is in coverage.rs. */
struct counters {
  uint8_t edges[COUNTERS];
  /* For each place that compares: how many bits differed, and of what magnitude the difference was, as sets of 64. */
  uint64_t bits[PLACES];
  uint64_t magnitudes[PLACES];
  /* The latest unequal operands, by place. */
  struct comparison latest[LATEST];
};

static struct counters nowhere;
static struct counters *mapped = &nowhere;
static struct counters *counters = &nowhere;
static uintptr_t last;
static int commands;
static int compares;

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
  void *memory = mmap(NULL, sizeof(struct counters), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory != MAP_FAILED) {
    counters = mapped = memory;
  }
  close(file);
}

int coverage_fflush(FILE *stream);
int coverage_fflush(FILE *stream) {
  /* A server that does not read by getline would not begin to count again. */
  if (stream == stdout && commands) {
    counters = &nowhere;
  }
  return fflush(stream);
}

ssize_t coverage_getline(char **line, size_t *capacity, FILE *stream);
ssize_t coverage_getline(char **line, size_t *capacity, FILE *stream) {
  ssize_t length = getline(line, capacity, stream);
  commands = 1;
  compares = 0;
  last = 0;
  counters = mapped;
  return length;
}

/* The server asks for the time before and after an entry point. */
int coverage_gettimeofday(struct timeval *time, void *zone);
int coverage_gettimeofday(struct timeval *time, void *zone) {
  compares = !compares;
  return gettimeofday(time, zone);
}

/* Programs are loaded at another address each time. */
static uintptr_t place(void *address) {
  uintptr_t here = (uintptr_t)address - (uintptr_t)&__executable_start;
  return (here * 0x9e3779b97f4a7c15u) >> 48;
}

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
  /* An edge is where we are and where we were. */
  uintptr_t here = place(__builtin_return_address(0));
  uint8_t *counter = &counters->edges[(here ^ last) % COUNTERS];
  if (*counter < 255) {
    ++*counter;
  }
  last = here >> 1;
}

static int is_address(uint64_t number) { return number >> 40 != 0 && number >> 48 == 0; }

static void compared(uint64_t left, uint64_t right, uint64_t width, void *address) {
  if (!compares || (width == 8 && (is_address(left) || is_address(right)))) {
    return;
  }
  uintptr_t here = place(address) % PLACES;
  int differing = __builtin_popcountll(left ^ right);
  uint64_t distance = left < right ? right - left : left - right;
  int magnitude = distance == 0 ? 0 : 64 - __builtin_clzll(distance);
  counters->bits[here] |= (uint64_t)1 << (differing < 64 ? differing : 63);
  counters->magnitudes[here] |= (uint64_t)1 << (magnitude < 64 ? magnitude : 63);
  if (left != right) {
    struct comparison *latest = &counters->latest[here % LATEST];
    latest->left = left;
    latest->right = right;
    latest->width = width;
  }
}

#define COMPARES(name, type, width)                                                                                    \
  void name(type left, type right);                                                                                    \
  void name(type left, type right) { compared(left, right, width, __builtin_return_address(0)); }

COMPARES(__sanitizer_cov_trace_cmp1, uint8_t, 1)
COMPARES(__sanitizer_cov_trace_cmp2, uint16_t, 2)
COMPARES(__sanitizer_cov_trace_cmp4, uint32_t, 4)
COMPARES(__sanitizer_cov_trace_cmp8, uint64_t, 8)
COMPARES(__sanitizer_cov_trace_const_cmp1, uint8_t, 1)
COMPARES(__sanitizer_cov_trace_const_cmp2, uint16_t, 2)
COMPARES(__sanitizer_cov_trace_const_cmp4, uint32_t, 4)
COMPARES(__sanitizer_cov_trace_const_cmp8, uint64_t, 8)

/* Floating-point numbers by their bits: larger ones of one sign have larger bits. */
void __sanitizer_cov_trace_cmpf(float left, float right);
void __sanitizer_cov_trace_cmpf(float left, float right) {
  union { float number; uint32_t bits; } l = {left}, r = {right};
  compared(l.bits, r.bits, 4, __builtin_return_address(0));
}

void __sanitizer_cov_trace_cmpd(double left, double right);
void __sanitizer_cov_trace_cmpd(double left, double right) {
  union { double number; uint64_t bits; } l = {left}, r = {right};
  compared(l.bits, r.bits, 8, __builtin_return_address(0));
}

/* The cases are a count, the width in bits, and the values. */
void __sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases);
void __sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases) {
  for (uint64_t at = 0; at < cases[0]; at++) {
    compared(cases[2 + at], value, cases[1] / 8, (char *)__builtin_return_address(0) + at);
  }
}
