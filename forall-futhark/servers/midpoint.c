/* A system in C under test: the middle of two numbers, and a property of it.

     cc -o midpoint midpoint.c
     forall futhark test --server ./midpoint

   The property is an entry point; the functions under test are called by it, here. All that is said between tester and server is
   lines of words; values are in files, in Futhark's binary format: 'b', version 2, the number of dimensions, four letters
   for the type, and the bytes. This server knows two types, i32 and bool, and at most a few variables. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is tested. The sum of two large numbers is too large. */
static int32_t middle(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b) / 2; }

/* The middle of two numbers lies between them. */
static int middle_lies_between(int32_t a, int32_t b) {
  int32_t low = a < b ? a : b, high = a < b ? b : a;
  return low <= middle(a, b) && middle(a, b) <= high;
}

enum { MOST_WORDS = 1000, MOST_VARIABLES = 4096 };

struct variable {
  char name[64];
  const char *type; /* NULL: no variable. */
  int32_t value;
};

static struct variable variables[MOST_VARIABLES];

static void refuse(const char *why, const char *what) { printf("%%%%%% FAILURE\n%s%s\n", why, what); }

static void die(const char *why) {
  fprintf(stderr, "midpoint: %s\n", why);
  exit(1);
}

static struct variable *find(const char *name) {
  for (int i = 0; i < MOST_VARIABLES; i++) {
    if (variables[i].type != NULL && strcmp(variables[i].name, name) == 0) {
      return &variables[i];
    }
  }
  return NULL;
}

/* A new variable; NULL if that was refused. */
static struct variable *make(const char *name, const char *type) {
  if (find(name) != NULL) {
    refuse("Variable already exists: ", name);
    return NULL;
  }
  for (int i = 0; i < MOST_VARIABLES; i++) {
    if (variables[i].type == NULL) {
      snprintf(variables[i].name, sizeof variables[i].name, "%s", name);
      variables[i].type = type;
      return &variables[i];
    }
  }
  die("too many variables");
  return NULL;
}

static const char *type_called(const char *name) {
  if (strcmp(name, "i32") == 0) return "i32";
  if (strcmp(name, "bool") == 0) return "bool";
  die("Unknown type");
  return NULL;
}

static void restore(int count, char **words) {
  FILE *file = fopen(words[1], "rb");
  if (file == NULL) {
    refuse("Failed to open ", words[1]);
    return;
  }
  for (int i = 2; i + 1 < count; i += 2) {
    const char *type = type_called(words[i + 1]);
    unsigned char header[7], bytes[4] = {0};
    size_t size = strcmp(type, "i32") == 0 ? 4 : 1;
    const char *tag = size == 4 ? " i32" : "bool";
    if (fread(header, 1, 7, file) != 7 || header[0] != 'b' || header[1] != 2 || header[2] != 0 ||
        memcmp(header + 3, tag, 4) != 0 || fread(bytes, 1, size, file) != size) {
      die("binary-input: this is no value of the type");
    }
    struct variable *variable = make(words[i], type);
    if (variable == NULL) break;
    variable->value = (int32_t)(bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24);
  }
  fclose(file);
}

static void store(int count, char **words) {
  FILE *file = fopen(words[1], "wb");
  if (file == NULL) {
    refuse("Failed to open ", words[1]);
    return;
  }
  for (int i = 2; i < count; i++) {
    struct variable *variable = find(words[i]);
    if (variable == NULL) {
      refuse("Unknown variable: ", words[i]);
      break;
    }
    uint32_t value = (uint32_t)variable->value;
    if (strcmp(variable->type, "i32") == 0) {
      unsigned char bytes[4] = {value & 255, value >> 8 & 255, value >> 16 & 255, value >> 24};
      fwrite("b\2\0 i32", 1, 7, file);
      fwrite(bytes, 1, 4, file);
    } else {
      fwrite("b\2\0bool", 1, 7, file);
      fputc(value != 0, file);
    }
  }
  fclose(file);
}

/* The only entry point is middle_lies_between. */
static int is_entry_point(const char *name) {
  if (strcmp(name, "middle_lies_between") == 0) return 1;
  refuse("Unknown entry point: ", name);
  return 0;
}

static void call(int count, char **words) {
  if (!is_entry_point(words[1])) return;
  if (count < 5) die("Insufficient command args.");
  struct variable *inputs[2];
  for (int i = 0; i < 2; i++) {
    inputs[i] = find(words[3 + i]);
    if (inputs[i] == NULL) {
      refuse("Unknown variable: ", words[3 + i]);
      return;
    }
    if (strcmp(inputs[i]->type, "i32") != 0) {
      refuse("Wrong input type.  Expected i32, got ", inputs[i]->type);
      return;
    }
  }
  struct variable *output = make(words[2], "bool");
  if (output == NULL) return;
  output->value = middle_lies_between(inputs[0]->value, inputs[1]->value);
  printf("runtime: 0\n");
}

static void command(int count, char **words) {
  const char *what = words[0];
  if (strcmp(what, "types") == 0) {
    printf("i32\nbool\n");
  } else if (strcmp(what, "entry_points") == 0) {
    printf("middle_lies_between\n");
  } else if (strcmp(what, "clear") == 0) {
    memset(variables, 0, sizeof variables);
  } else if (count < 2) {
    die("Insufficient command args.");
  } else if (strcmp(what, "inputs") == 0) {
    if (is_entry_point(words[1])) printf("i32\ni32\n");
  } else if (strcmp(what, "output") == 0) {
    if (is_entry_point(words[1])) printf("bool\n");
  } else if (strcmp(what, "attributes") == 0) {
    if (is_entry_point(words[1])) printf("prop\n");
  } else if (strcmp(what, "kind") == 0) {
    type_called(words[1]);
    printf("primitive\n");
  } else if (strcmp(what, "restore") == 0) {
    restore(count, words);
  } else if (strcmp(what, "store") == 0) {
    store(count, words);
  } else if (strcmp(what, "call") == 0) {
    call(count, words);
  } else if (strcmp(what, "free") == 0) {
    for (int i = 1; i < count; i++) {
      struct variable *variable = find(words[i]);
      if (variable == NULL) {
        refuse("Unknown variable: ", words[i]);
        break;
      }
      variable->type = NULL;
    }
  } else {
    die("Unknown command");
  }
}

int main(void) {
  static char line[1 << 16];
  printf("%%%%%% OK\n");
  fflush(stdout);
  while (fgets(line, sizeof line, stdin) != NULL) {
    /* Words with blanks in them stand in quotes; none of ours has any but file names. */
    char *words[MOST_WORDS];
    int count = 0;
    for (char *at = line; *at != '\0' && count < MOST_WORDS;) {
      at += strspn(at, " \t\n");
      if (*at == '\0') break;
      const char *ends = *at == '"' ? "\"" : " \t\n";
      if (*at == '"') at++;
      words[count++] = at;
      at += strcspn(at, ends);
      if (*at != '\0') *at++ = '\0';
    }
    if (count == 0) {
      refuse("Empty line", "");
    } else {
      command(count, words);
    }
    printf("%%%%%% OK\n");
    fflush(stdout);
  }
  return 0;
}
