#!/bin/bash -eu
# Builds every target into $OUT, as OSS-Fuzz and ClusterFuzzLite require: started in the project's directory, with the
# sanitizer in $SANITIZER. The compiler flags are those of cargo-fuzz, written out so that any toolchain works: only
# sanitizers need nightly Rust.

flags="${RUSTFLAGS:-} --cfg fuzzing -Ccodegen-units=1 -Cforce-frame-pointers"
flags+=" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters"
flags+=" -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares"
# Keeps the sections in which the fuzzer finds its counters.
flags+=" -Clink-dead-code"
case ${SANITIZER:-none} in
  address) flags+=" -Zsanitizer=address" ;;
  none) ;;
  coverage) flags="${RUSTFLAGS:-} --cfg fuzzing -Cinstrument-coverage" ;;
  *) echo "the sanitizer $SANITIZER is not supported" >&2 && exit 1 ;;
esac

# With --target, build scripts and procedural macros are not instrumented.
triple=$(rustc -vV | sed -n 's/^host: //p')
cd fuzz
RUSTFLAGS="$flags" cargo build --release --locked --bins --target "$triple"

built=${CARGO_TARGET_DIR:-target}/$triple/release
for target in fuzz_targets/*.rs; do
  name=$(basename "$target" .rs)
  cp "$built/$name" "$OUT/"
  # Seed inputs, if the project has any.
  [ ! -d "corpus/$name" ] || (cd "corpus/$name" && zip -q -r "$OUT/${name}_seed_corpus.zip" .)
done
