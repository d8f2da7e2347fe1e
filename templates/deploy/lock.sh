
# --- One run at a time ---

readonly LOCK_SECONDS=600
lock_is_held=no

# Waits for another run to end. `mkdir` either makes the directory or fails: no two runs get it.
take_lock() {
  local holder waited=0
  until mkdir "$state/lock" 2>/dev/null; do
    holder=$(cat "$state/lock/process" 2>/dev/null)
    if [ -n "$holder" ] && ! is_running "$holder"; then
      break_lock "$holder"
      continue
    fi
    if [ "$waited" -eq 0 ]; then say "Waiting for another run of deploy.sh${holder:+ (process $holder)} to end."; fi
    if [ "$waited" -ge "$LOCK_SECONDS" ]; then
      fail "Another run of deploy.sh${holder:+ (process $holder)} does not end: stop it, remove $state/lock and run this again."
    fi
    sleep 1
    waited=$((waited + 1))
  done
  lock_is_held=yes
  printf '%s\n' "$$" >"$state/lock/process"
}

is_running() { kill -0 "$1" 2>/dev/null || ps -p "$1" >/dev/null 2>&1; }

# Removes the lock of a run that is gone: one run at a time, and only if it is still that run's.
break_lock() {
  if ! mkdir "$state/lock.breaking" 2>/dev/null; then
    sleep 1
    return
  fi
  if [ "$(cat "$state/lock/process" 2>/dev/null)" = "$1" ]; then rm -rf "$state/lock"; fi
  rmdir "$state/lock.breaking"
}

# Whatever way this run ends; a deployment that failed leaves no GATEWAY_ENTRY behind.
clean_up() {
  if [ "$deploying" = yes ]; then hand_back ''; fi
  rm -rf "$secrets/.staged"
  if [ "$lock_is_held" = yes ]; then rm -rf "$state/lock"; fi
}
