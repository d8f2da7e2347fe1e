
# --- The gateway's credential, and its rotation ---
#
# Two slots, auth-service-1 and auth-service-2, are the issuers that the gateway knows. One signs. A rotation makes the
# other one and goes through these phases, each safe to stop in and to run again:
#
#   preparing     gateway and services take both, the authentication service signs with the old one
#   switching     the authentication service signs with the new one
#   overlapping   the old one ends at a time that gateway and services know
#   single        only the one that signs is left
#
# .secrets/rotation holds the phase, the slot that signs and, while overlapping, when the other one ends.

readonly ROTATION_HOURS=24

make_credential() {
  if [ -s "$secrets/rotation" ]; then
    if [ -s "$secrets/credentials/$(signing_slot)" ]; then return 0; fi
    fail "The credential that signs tokens is missing ($secrets/credentials/$(signing_slot)): put $secrets back from a backup; or, if all users may have to sign in again, remove $secrets/rotation and run this again."
  fi
  make_private_directory "$secrets/credentials"
  write_private "$secrets/credentials/1" "$(random_credential)"
  write_private "$secrets/credentials/unused" "$(random_credential)"
  set_phase single 1
}

# $1 phase, $2 slot that signs, $3 end of the other one in seconds since 1970.
set_phase() { write_private "$secrets/rotation" "$(printf 'phase=%s\nsigning=%s\nends=%s' "$1" "$2" "${3-}")"; }
rotation() { sed -n "s/^$1=//p" "$secrets/rotation"; }
phase() { if [ -s "$secrets/rotation" ]; then rotation phase; fi; }
signing_slot() { rotation signing; }
other_slot() { if [ "$(signing_slot)" = 1 ]; then echo 2; else echo 1; fi; }

credential_json() {
  printf '{"id":"auth-service-%s","secret":"%s"%s}' "$1" "$(cat "$secrets/credentials/$1")" "${2:+,\"expires\":$2}"
}

# What a service verifies with, the one that signs first. Only the authentication service signs, so that in the others
# a changed order alone is no change.
credentials_of() {
  local first second='' ends=''
  first=$(credential_json "$(signing_slot)")
  case $(phase) in
    overlapping) ends=$(rotation ends) ;;
    single) ends=none ;;
  esac
  if [ "$ends" != none ]; then
    second=$(credential_json "$(other_slot)" "$ends")
    if [ "$1" != "$AUTHENTICATION" ] && [ "$(signing_slot)" = 2 ]; then
      printf '{"consumer":"auth-service","credentials":[%s,%s]}\n' "$second" "$first"
      return
    fi
  fi
  printf '{"consumer":"auth-service","credentials":[%s%s]}\n' "$first" "${second:+,$second}"
}

# The slot that is not in use holds a key that signs nothing.
slot_secret() {
  if [ "$1" != "$(signing_slot)" ] && [ "$(phase)" = single ]; then
    cat "$secrets/credentials/unused"
  else
    cat "$secrets/credentials/$1"
  fi
}

gateway_tokens() { token_filter "$(slot_secret 1)" "$(slot_secret 2)"; }

now() { date -u +%s; }
# Seconds since 1970 in words; GNU and BSD say it differently.
at_time() { date -d "@$1" 2>/dev/null || date -r "$1"; }

# Which credentials a running service has read, at least: those of the last run that replaced or started it.
revision_of() { if [ -n "$AUTHENTICATION" ]; then credentials_of "$1" | cksum; fi; }

note_revisions() {
  local service
  for service in "$@"; do revision_of "$service" >"$state/revisions/$service"; done
}

services_with_old_credentials() {
  local service
  if [ -z "$AUTHENTICATION" ]; then return 0; fi
  for service in $(services); do
    if [ "$(revision_of "$service")" != "$(cat "$state/revisions/$service" 2>/dev/null)" ]; then echo "$service"; fi
  done
}

# The old credential goes, whether its time is up or it was told to. Nobody holds it afterwards.
drop_old_credential() {
  local slot
  slot=$(other_slot)
  write_private "$secrets/credentials/unused" "$(random_credential)"
  set_phase single "$(signing_slot)"
  rm -f "$secrets/credentials/$slot"
  install_secrets
}

# By any command: services refuse an old credential on time by themselves, so none of them is replaced for it.
drop_overdue_credential() {
  if [ "$(phase)" != overlapping ] || [ "$(now)" -lt "$(rotation ends)" ]; then return 0; fi
  local current
  current=$(comm -23 <(services | LC_ALL=C sort) <(services_with_old_credentials | LC_ALL=C sort))
  drop_old_credential
  note_revisions $current
  say 'The old credential of a rotation has reached its end and is gone.'
}

rotate() {
  local finish=no hours=$ROTATION_HOURS
  while [ $# -gt 0 ]; do
    case $1 in
      --finish) finish=yes ;;
      --hours)
        hours=${2-}
        shift
        ;;
      --hours=*) hours=${1#--hours=} ;;
      *) fail "rotate does not take $1: see ./deploy.sh --help." ;;
    esac
    if [ $# -gt 0 ]; then shift; fi
  done
  case $hours in '' | *[!0-9]* | 0*) fail "rotate --hours takes a whole number of hours, 1 or more, as in rotate --hours 24." ;; esac
  if [ "${#hours}" -gt 4 ]; then fail 'rotate --hours takes at most 9999 hours.'; fi
  if [ -z "$AUTHENTICATION" ]; then fail 'This platform has no authentication, so there is no credential to rotate.'; fi
  begin
  if ! gateway_is_running; then fail 'The platform does not run, so there is nothing to rotate without its users noticing: start it with source deploy.sh first.'; fi
  if [ "$finish" = yes ]; then finish_rotation; else start_rotation "$hours"; fi
}

start_rotation() {
  if [ "$(phase)" = overlapping ]; then
    fail "A rotation is under way: the old credential is valid until $(at_time "$(rotation ends)"); end that now with ./deploy.sh rotate --finish, or wait."
  fi
  if [ "$(phase)" = single ]; then
    write_private "$secrets/credentials/$(other_slot)" "$(random_credential)"
    set_phase preparing "$(signing_slot)"
  fi
  if [ "$(phase)" = preparing ]; then
    step 'Gateway and services learn the new credential'
    install_secrets
    replace_for_credentials
    set_phase switching "$(other_slot)"
  fi
  step 'The authentication service signs with the new credential'
  install_secrets
  replace_for_credentials
  step 'Services learn when the old credential ends'
  set_phase overlapping "$(signing_slot)" "$(($(now) + $1 * 3600))"
  install_secrets
  replace_for_credentials
  say "Tokens are signed with the new credential. The old one is valid until $(at_time "$(rotation ends)"), or until ./deploy.sh rotate --finish."
  if [ "$1" -lt "$ROTATION_HOURS" ]; then
    say "Tokens live $ROTATION_HOURS hours: users who signed in before now have to sign in again after that time."
  fi
}

finish_rotation() {
  case $(phase) in
    overlapping) ;;
    single) fail 'No rotation is under way, so there is no old credential to end.' ;;
    *) fail 'A rotation was interrupted: ./deploy.sh rotate completes it, and rotate --finish ends the old credential then.' ;;
  esac
  step 'Gateway and services forget the old credential'
  drop_old_credential
  replace_for_credentials
  say 'Only the new credential is valid now. Users who signed in before the rotation have to sign in again.'
}

replace_for_credentials() { replace_services $(services_with_old_credentials); }
