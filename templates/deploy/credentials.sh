# --- Credentials ---

# Writes the files from which the services and the gateway read the credentials of the gateway's consumer. $CREDENTIALS
# has one per line: id, secret, and when it expires in seconds since 1970. The first one signs tokens. If new ones are
# given, $1..., it stores them and waits until all have read them.
distribute_credentials() {
  local id secret expires first='' second='' json='' filter name now=$(date +%s)
  [ $# = 0 ] || printf '%s\n' "$@" | write "$CREDENTIALS"
  while read -r id secret expires; do
    if [ -n "$expires" ] && [ "$expires" -le "$now" ]; then continue; fi
    case $id in auth-service-1) first=$secret ;; *) second=$secret ;; esac
    json="$json,{\"id\":\"$id\",\"secret\":\"$secret\"${expires:+,\"expires\":$expires}}"
  done <"$CREDENTIALS"
  for name in $READERS; do
    printf '{"credentials":[%s]}\n' "${json#,}" | write "$SECRETS/$name/gateway-credentials"
  done
  # The gateway's filter always has two issuers.
  filter=$(<gateway/token-filter.json)
  filter=${filter/SECRET_OF_AUTH_SERVICE_1/${first:-$second}}
  printf '%s\n' "${filter/SECRET_OF_AUTH_SERVICE_2/${second:-$first}}" | write "$SECRETS/gateway/tokens.json"
  store_credentials
  [ $# = 0 ] || await_readers
}

# Distributes a new credential first, and signs with it only after that. An interrupted rotation resumes where it
# stopped: its new credential is the second one, without an expiry.
rotate() {
  local current id secret expires
  load_credentials
  [ -s "$CREDENTIALS" ] || fail "$PLATFORM has no credential yet. Start it with source deploy.sh"
  distribute_credentials
  { read -r current; read -r id secret expires || true; } <"$CREDENTIALS"
  if [ "${1-}" = --finish ]; then
    distribute_credentials "$current"
    say 'Revoked all credentials except the one that signs tokens. Users who signed in before the rotation must sign in again.'
    return
  fi
  [ "${expires:-0}" -le "$(date +%s)" ] ||
    fail 'The credential was rotated less than 24 hours ago. Revoke the old one with ./deploy.sh rotate --finish first.'
  if [ -z "$id" ] || [ -n "$expires" ]; then
    case $current in 'auth-service-1 '*) id=auth-service-2 ;; *) id=auth-service-1 ;; esac
    secret=$(random_secret)
  fi
  say 'Distributing the new credential'
  distribute_credentials "$current" "$id $secret"
  distribute_credentials "$id $secret" "$current $(($(date +%s) + 86400))"
  say 'Tokens are now signed with the new credential. The old one is valid for 24 hours, or until ./deploy.sh rotate --finish'
}
