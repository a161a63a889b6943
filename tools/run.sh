#!/usr/bin/env bash
# Tests, checks, measures and profiles warpseq on a GPU machine that has neither Rust nor a network.
#
#   run.sh suite      the tests; one that finds no GPU fails
#   run.sh sanitize   the conformance tests of all engines on the GPU under compute-sanitizer: memcheck, then racecheck
#   run.sh bench      the benchmarks of all engines, and their records
#   run.sh soak       random runs compared with the reference and with each other, for WARPSEQ_SOAK_SECONDS (default: 300)
#   run.sh profile    the counters of each kernel of scan's benchmark, by Nsight Compute (runs bench first if it has not run)
#   run.sh all        all of these
#
# A second argument names the folder for results (default: results): at most 8 files, each below 16 MB. No program runs
# for longer than WARPSEQ_STAGE_SECONDS (default: 540). WARPSEQ_SANITIZED names other tests for sanitize, WARPSEQ_PROFILED
# another command line for profile.
set -uo pipefail

here=$(cd "$(dirname "$0")" && pwd)
what=${1:-}
results=${2:-results}
seconds=${WARPSEQ_STAGE_SECONDS:-540}
failed=0
export WARPSEQ_ROOT=$here WARPSEQ_BIN=$here/bin/warpseq WARPSEQ_REQUIRE_GPU=1
sanitized=${WARPSEQ_SANITIZED:-conformance::cuda align::cuda_small_slices sign::cuda_small_slices sign::hamming::cuda_in_parts}
# These need the sources or NVIDIA's assembler; those need no GPU and take minutes.
readonly left_out=(--skip ptx:: --skip oracle:: --skip promises:: --skip memory:: --skip cli::version::recipes --skip cli::sign::tree::trees_are_those_of_phylip --skip any_bytes:: --skip attacks::
    --skip conformance::emulator --skip align::emulator --skip sign::emulator --skip sign::hamming::emulator)

# stage NAME COMMAND...: runs it within the time limit and appends what it says to NAME.txt.
stage() {
    local name=$1 status=0
    shift
    printf '\n$ %s\n' "${*//$here\//}" >>"$results/$name.txt"
    timeout --kill-after=20 "$seconds" "$@" >>"$results/$name.txt" 2>&1 </dev/null || status=$?
    [ "$status" = 0 ] || complain "$name" "status $status (124: $seconds s were not enough)"
    return "$status"
}

complain() {
    failed=1
    printf '%s FAILED: %s\n' "$1" "$2"
    tail -n 25 "$results/$1.txt"
}

machine() {
    {
        printf 'warpseq %s, %s\n' "$(cat "$here/commit")" "$(date -u +%FT%TZ)"
        nvidia-smi
        nvidia-smi --format=csv --query-gpu=name,driver_version,compute_cap,memory.total,clocks.sm,clocks.max.sm,clocks.mem
        uname -srm
        grep -m1 'model name' /proc/cpuinfo
        nproc
    } >"$results/machine.txt" 2>&1
}

suite() {
    rm -f "$results/suite.txt"
    local unit
    for unit in "$here"/tests/unit-*; do stage suite "$unit"; done
    stage suite "$here/tests/integration" "${left_out[@]}"
    grep '^test result' "$results/suite.txt"
}

sanitize() {
    local tool
    for tool in memcheck racecheck; do
        rm -f "$results/$tool.txt"
        stage "$tool" compute-sanitizer --tool "$tool" --error-exitcode 9 \
            "$here/tests/integration" $sanitized --test-threads=1
        # A filter that fits no test would pass.
        grep -q '^running [1-9]' "$results/$tool.txt" || complain "$tool" "no test of $sanitized ran"
        grep -E '^test result|ERROR SUMMARY|RACECHECK SUMMARY' "$results/$tool.txt"
    done
}

bench() {
    local records=$results/records
    rm -rf "$results/bench.txt" "$records"
    mkdir -p "$records"
    stage bench "$WARPSEQ_BIN" bench scan --record "$records"
    stage bench "$WARPSEQ_BIN" bench align --record "$records"
    stage bench "$WARPSEQ_BIN" bench sign --record "$records"
    stage bench "$WARPSEQ_BIN" bench files --record "$records"
    cat "$results/bench.txt"
    tar -C "$records" -czf "$results/bench-records.tar.gz" .
    rm -r "$records"
}

soak() {
    rm -rf "$results"/soak*
    stage soak python3 "$here/soak" --device cuda --seconds "${WARPSEQ_SOAK_SECONDS:-300}" \
        --seed "${WARPSEQ_SOAK_SEED:-1}" --keep "$results/soak-failure"
    tail -n 3 "$results/soak.txt"
    [ ! -d "$results/soak-failure" ] || tar -C "$results" --remove-files -czf "$results/soak-failure.tar.gz" soak-failure
}

profile() {
    [ -s "$results/bench.txt" ] || bench
    rm -f "$results"/profile.*
    # Times taken under a profiler are no record.
    local scratch
    scratch=$(mktemp -d)
    # The clocks are left alone: a shared machine forbids to set them, and bench runs with them as they are.
    stage profile ncu --clock-control none --csv --page raw --log-file "$results/profile.csv" \
        --kernel-name 'regex:^(scan|align|sign)_' --launch-count "${WARPSEQ_PROFILE_LAUNCHES:-36}" \
        --section Occupancy --section WarpStateStats --section LaunchStats --metrics "$(python3 "$here/counters.py")" \
        ${WARPSEQ_PROFILED:-"$WARPSEQ_BIN" bench scan --record "$scratch"} &&
        stage profile python3 "$here/counters.py" "$results/profile.csv" &&
        cat "$results/profile.txt"
}

case $what in
suite | sanitize | bench | soak | profile) stages=("$what") ;;
all) stages=(suite sanitize bench soak profile) ;;
*)
    sed -n '2,/^set/{s/^# \{0,1\}//;/^set/!p}' "$0"
    exit 2
    ;;
esac
[ ! -e "$here/files.tar.gz" ] || { tar -C "$here" -xzf "$here/files.tar.gz" && rm "$here/files.tar.gz"; } || exit 1
mkdir -p "$results" && machine
for each in "${stages[@]}"; do "$each"; done
find "$results" -type f -exec truncate --size='<15M' {} +
exit "$failed"
