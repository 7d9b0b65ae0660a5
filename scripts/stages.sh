# Sourced by test.sh and test-long.sh: runs stages one after another, goes on after a failure, counts what the runners
# report, and ends with their own closing lines and one line alone, "N passed, N failed, N skipped".
passed=0
failed=0
skipped=0
closing=""
wrong=""
broken=""  # names of the stages that failed
logs=build/logs
mkdir -p "$logs"
export NO_COLOR=1 FORCE_COLOR=0 CLICOLOR=0

heading() { printf '\n== %s ==\n' "$1"; }

# What the log of a stage says, as "PASSED FAILED SKIPPED": ctest, GoogleTest, Node's runner or vitest. Where ctest was verbose,
# the tests inside of each of its tests count, else each counts as one.
count() {
  case $1 in
    ctest) awk '
      /^[0-9]+: \[  PASSED  \] [0-9]+ tests?\./ {p += $5; inside[$1 + 0] = 1}
      /^[0-9]+: \[  SKIPPED \] [0-9]+ tests?\./ {s += $5; inside[$1 + 0] = 1}
      /^[0-9]+: \[  FAILED  \] .* \([0-9]+ ms\)$/ {f += 1; broken[$1 + 0] = 1}
      /^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / {
        n = $0; sub(/^[^#]*#/, "", n); n += 0
        if (/\*\*\*Skipped|\*\*\*Not Run \(Disabled\)/) s += 1
        else if (/\*\*\*/) f += !broken[n]
        else if (/ Passed /) p += !inside[n]
      }
      END {print p + 0, f + 0, s + 0}' "$2" ;;
    gtest) awk '
      /^\[  PASSED  \] [0-9]+ tests?\./ {p += $4}
      /^\[  SKIPPED \] [0-9]+ tests?[.,]/ {s += $4}
      /^\[  FAILED  \] .* \([0-9]+ ms\)$/ {f += 1}
      END {print p + 0, f + 0, s + 0}' "$2" ;;
    node) awk '
      /^(#|ℹ) pass [0-9]+$/ {p += $3}
      /^(#|ℹ) (fail|cancelled) [0-9]+$/ {f += $3}
      /^(#|ℹ) (skipped|todo) [0-9]+$/ {s += $3}
      END {print p + 0, f + 0, s + 0}' "$2" ;;
    vitest) awk '
      /^ *Tests  / {
        for (i = 2; i <= NF; ++i) {
          if ($i ~ /^passed/) p += $(i - 1)
          if ($i ~ /^failed/) f += $(i - 1)
          if ($i ~ /^(skipped|todo)/) s += $(i - 1)
        }
      }
      END {print p + 0, f + 0, s + 0}' "$2" ;;
  esac
}

closing_lines() {
  case $1 in
    ctest) grep -E 'tests passed, [0-9]+ tests? failed out of|^[0-9]+: \[  (PASSED|SKIPPED) +\] [0-9]+ tests?' "$2" ;;
    gtest) grep -E '^\[  (PASSED|SKIPPED) +\] [0-9]+ tests?|^\[==========\] .* ran' "$2" ;;
    node) grep -E '^(#|ℹ) (tests|pass|fail|cancelled|skipped|todo) [0-9]+$' "$2" ;;
    vitest) grep -E '^ *(Test Files|Tests)  ' "$2" ;;
  esac || true
}

# The names of skipped tests, one a line.
skips() {
  case $1 in
    ctest) sed -nE 's/^[0-9]+: \[  SKIPPED \] ([^ ]+\.[^ ]+) .*/  \1/p; s/.*Test +#[0-9]+: ([^ ]+) .*\*\*\*(Skipped|Not Run \(Disabled\)).*/  \1/p' "$2" ;;
    gtest) sed -nE 's/^\[  SKIPPED \] ([^ ]+\.[^ ]+) .*/  \1/p' "$2" ;;
    node) grep -E '# (SKIP|TODO)' "$2" ;;
    vitest) grep -E '^ *↓ ' "$2" ;;
  esac || true
}

# The names of failed tests and what they said first, so that the end of a long log tells what went wrong.
failures() {
  case $1 in
    ctest | gtest) grep -E -A 11 ': Failure$|^The following tests FAILED:' "$2" ;;
    node) grep -E -A 14 '^ *(not ok|✖)' "$2" ;;
    vitest) grep -E -A 11 '^ *FAIL ' "$2" ;;
  esac | head -60 || true
}

# Processor seconds of everything that has ended so far; with the time that went by it tells how busy the machine was.
# `times` tells of this shell alone, so it may not stand in a subshell.
clock() {
  times >"$logs/times"
  worked=$(awk 'NR == 2 {for (i = 1; i <= 2; ++i) {split($i, t, /[ms]/); s += 60 * t[1] + t[2]}; printf "%d", s}' "$logs/times")
}
spent() {  # SECONDS and `worked` at the start
  clock
  spent="$((SECONDS - $1)) s, $((worked - $2)) s of a processor"
}

# build NAME COMMAND...: counts nothing when it works and one failure when it does not. False where it failed.
build() {
  local name=$1 began=$SECONDS worked before
  shift
  clock
  before=$worked
  heading "$name"
  if "$@" 2>&1 | tee "$logs/$name.log"; then
    spent "$began" "$before"
    closing+="$name: $spent"$'\n'
    return 0
  fi
  wrong+="$name:"$'\n'"$(grep -E -A 3 'error:|error TS|FAILED:' "$logs/$name.log" | head -40 || true)"$'\n'
  echo "$name failed"
  broken+=" $name"
  failed=$((failed + 1))
  closing+="$name: failed"$'\n'
  return 1
}

# gate NAME COMMAND...: one test, which passes where the command works.
gate() {
  ! build "$@" || passed=$((passed + 1))
}

# configure PRESET: in continuous integration warnings are errors.
configure() {
  local errors=OFF
  [ -z "${CI:-}" ] || errors=ON
  cmake --preset "$1" -DTENDRIL_WERROR=$errors
}

# tests NAME RUNNER COMMAND...: a stage in which nothing ran is a failure too.
tests() {
  local name=$1 runner=$2 status=0 began=$SECONDS worked before p f s
  shift 2
  clock
  before=$worked
  heading "$name"
  "$@" 2>&1 | tee "$logs/$name.log" || status=$?
  read -r p f s < <(count "$runner" "$logs/$name.log")
  if [ "$status" != 0 ] && [ "$f" = 0 ] || [ "$((p + f + s))" = 0 ]; then
    f=$((f + 1))
    closing+="$name: ended with status $status after $p tests"$'\n'
  fi
  passed=$((passed + p))
  failed=$((failed + f))
  skipped=$((skipped + s))
  if [ "$f" != 0 ]; then
    broken+=" $name"
    wrong+="$name:"$'\n'"$(failures "$runner" "$logs/$name.log")"$'\n'
  fi
  spent "$began" "$before"
  closing+="$name ($spent):"$'\n'"$(closing_lines "$runner" "$logs/$name.log")"$'\n'
  [ "$s" = 0 ] || closing+="skipped:"$'\n'"$(skips "$runner" "$logs/$name.log")"$'\n'
}

# behind NAME COMMAND...: starts a stage at the lowest priority behind the next ones, which leave processors free.
# `joined NAME RUNNER` waits for it and counts it.
behind() {
  local name=$1
  shift
  heading "$name, behind the next stages"
  trap 'trap "" TERM; kill 0' INT  # what runs in the background does not hear Ctrl+C
  (renice -n 19 -p "$BASHPID" >/dev/null; "$@") >"$logs/$name.behind.log" 2>&1 &
  behind_pid=$!
}

joined() {
  local status=0
  wait "$behind_pid" || status=$?
  replay() { cat "$1" && return "$2"; }
  tests "$1" "$2" replay "$logs/$1.behind.log" "$status"
}

finish() {
  [ -z "$wrong" ] || printf '\n== what failed ==\n%s' "$wrong"
  [ -z "$broken" ] || closing+=$'\n'"failed, as told above:$broken"$'\n'
  printf '\n== summary ==\n%s\n%d passed, %d failed, %d skipped\n' "$closing" "$passed" "$failed" "$skipped"
  [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}
