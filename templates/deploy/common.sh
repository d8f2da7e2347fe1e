
set -euo pipefail
unset CDPATH COMPOSE_FILE COMPOSE_PROFILES
cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")"

# All messages go to standard error. Only results go to standard output.
say() { printf '%s\n' "$*" >&2; }
fail() {
  say "deploy.sh: $*"
  exit 1
}

# Whether version $1 is $2 or later.
at_least() { printf '%s\n' "$2" "$1" | sort -C -V; }

# Waits for another run that changes something. The kernel removes the lock when a run ends, however it ends.
lock() {
  command -v flock >/dev/null || return 0
  exec 9<deploy.sh
  flock -n 9 && return
  say 'Waiting for another run of deploy.sh'
  flock 9
}

random_secret() { head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\n'; }

# Writes standard input to the file $1, whose readers see either the old or the new content.
write() {
  cat >"$1.new"
  chmod 644 "$1.new"
  if cmp -s "$1.new" "$1"; then rm "$1.new"; else mv -f "$1.new" "$1"; fi
}

# Writes the files from which the services and the gateway read the credentials of the gateway's consumer. $CREDENTIALS
# has one per line: id, secret, and when it expires in seconds since 1970. The first one signs tokens.
distribute_credentials() {
  local id secret expires first='' second='' json='' now name
  now=$(date +%s)
  while read -r id secret expires; do
    if [ -n "$expires" ] && [ "$expires" -le "$now" ]; then continue; fi
    case $id in auth-service-1) first=$secret ;; *) second=$secret ;; esac
    json="$json,{\"id\":\"$id\",\"secret\":\"$secret\"${expires:+,\"expires\":$expires}}"
  done <"$CREDENTIALS"
  for name in $DATABASES; do
    printf '{"credentials":[%s]}\n' "${json#,}" | write "$SECRETS/$name/gateway-credentials"
  done
  mkdir -p "$SECRETS/gateway"
  chmod 755 "$SECRETS/gateway"
  # The gateway's filter always has two issuers.
  token_filter "${first:-$second}" "${second:-$first}" | write "$SECRETS/gateway/tokens.json"
  publish_secrets
}

# --- Rotation ---

readonly VALID_SECONDS=86400
# Services look for new credentials every two seconds.
readonly READ_SECONDS=5

# Distributes a new credential first, and signs with it only after that. An interrupted rotation resumes where it
# stopped: its new credential is the second one, without an expiry.
rotate() {
  local current next id expires
  [ -n "$AUTHENTICATION" ] || fail "$PLATFORM has no authentication, so it has no credential"
  [ -f "$CREDENTIALS" ] || fail "$PLATFORM has no credential yet. Start it with source deploy.sh"
  distribute_credentials
  current=$(sed -n 1p "$CREDENTIALS")
  next=$(sed -n 2p "$CREDENTIALS")
  if [ "${1-}" = --finish ]; then
    printf '%s\n' "$current" | write "$CREDENTIALS"
    distribute_credentials
    say 'Revoked all credentials except the one that signs tokens. Users who signed in before the rotation must sign in again.'
    return
  fi
  read -r id _ expires <<<"$next"
  if [ -n "$expires" ] && [ "$expires" -gt "$(date +%s)" ]; then
    fail 'The credential was rotated less than 24 hours ago. Revoke the old one with ./deploy.sh rotate --finish first.'
  fi
  if [ -z "$id" ] || [ -n "$expires" ]; then
    case $current in 'auth-service-1 '*) id=auth-service-2 ;; *) id=auth-service-1 ;; esac
    next="$id $(random_secret)"
  fi
  say 'Distributing the new credential'
  printf '%s\n' "$current" "$next" | write "$CREDENTIALS"
  distribute_credentials
  await_readers
  printf '%s\n' "$next" "$current $(($(date +%s) + VALID_SECONDS))" | write "$CREDENTIALS"
  distribute_credentials
  await_readers
  say 'Tokens are now signed with the new credential. The old one is valid for 24 hours, or until ./deploy.sh rotate --finish'
}

# Waits until each service responds through the gateway, asked from within its container.
wait_for_responses() {
  in_gateway bash -c '
    port=$1
    shift
    for path in "$@"; do
      for attempt in {1..300}; do
        exec 3<>"/dev/tcp/127.0.0.1/$port" || exit
        printf "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" "$path" >&3
        read -r _ status _ <&3
        case $status in 502 | 503 | 504) [ "$attempt" -lt 300 ] && sleep 0.2 ;; *) continue 2 ;; esac
      done
      printf "No response for %s\n" "$path" >&2
      exit 1
    done' bash "$GATEWAY_PORT_INSIDE" $PATHS
}

