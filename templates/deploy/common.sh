
set -euo pipefail
unset CDPATH COMPOSE_FILE COMPOSE_PROFILES
cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")"

# All messages go to standard error. Only results go to standard output.
say() { printf '%s\n' "$*" >&2; }
fail() {
  say "deploy.sh: $*"
  exit 1
}

# Waits for another run in this directory that changes something. The lock ends with the processes of that run.
lock() {
  command -v flock >/dev/null || return 0
  exec 9<deploy.sh
  flock -n 9 || { say 'Waiting for another run of deploy.sh' && flock 9; }
}

random_secret() { head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\n'; }

# Writes standard input to the file $1, whose readers see either the old or the new content.
write() {
  cat >"$1.new"
  chmod 644 "$1.new"
  if cmp -s "$1.new" "$1"; then rm "$1.new"; else mv -f "$1.new" "$1"; fi
}

