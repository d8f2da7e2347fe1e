
# --- What is said, and how a run ends ---

say() { printf '%s\n' "$*"; }
warn() { printf '%s\n' "$*" >&2; }

# Ends this process, which is never the caller's shell. One sentence: what is wrong and what to do.
fail() {
  warn "deploy.sh: $*"
  exit 1
}

# Hands GATEWAY_ENTRY back to the shell that sources this file; $1 is empty where there is none.
hand_back() {
  if [ "$sourced" = no ]; then return 0; fi
  if [ -n "$1" ]; then
    printf "\\\\builtin export GATEWAY_ENTRY='%s'\n" "$1" >&3
  else
    printf '\\builtin unset GATEWAY_ENTRY\n' >&3
  fi
}

# The word of the list $2 that is nearest to $1, if one is near (Levenshtein distance).
nearest() {
  printf '%s\n' "$2" | awk -v word="$1" '
    function distance(a, b,    i, j, cost, last, row, old) {
      for (j = 0; j <= length(b); j++) row[j] = j
      for (i = 1; i <= length(a); i++) {
        last = row[0]; row[0] = i
        for (j = 1; j <= length(b); j++) {
          old = row[j]
          cost = last + (substr(a, i, 1) != substr(b, j, 1))
          if (row[j] + 1 < cost) cost = row[j] + 1
          if (row[j - 1] + 1 < cost) cost = row[j - 1] + 1
          row[j] = cost; last = old
        }
      }
      return row[length(b)]
    }
    NF { found = distance(word, $1); if (best == "" || found < least) { best = $1; least = found } }
    END { if (best != "" && least <= (length(best) > 3 ? 2 : 1)) print best }'
}

did_you_mean() {
  local near
  near=$(nearest "$1" "$2")
  if [ -n "$near" ]; then printf ' Did you mean %s?' "$near"; fi
}

# Runs a command with its output in the log of this run. Gives its status.
logged() {
  printf '\n$ %s\n' "$*" >>"$log_file"
  "$@" >>"$log_file" 2>&1
}
