#!/usr/bin/env bash
# Runs Envoy, and when it is told to stop lets requests end that are under way: Envoy by itself would cut them off.
# The functions are called by the trap.
# shellcheck disable=SC2317,SC2329
set -u

# As many connections as the engine allows; many engines start containers with a lower limit.
ulimit -n "$(ulimit -Hn)"
envoy -c /etc/envoy/envoy.yaml --log-level warn --file-flush-interval-msec 1000 --drain-time-s 10 --drain-strategy immediate "$@" &
envoy=$!

# A request to Envoy's administration, which only this container reaches.
ask() {
  exec 3<>/dev/tcp/127.0.0.1/9901 || return
  printf '%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n' "$1" >&3
  cat <&3
  exec 3>&-
}

# No connection (cx) or request (rq) is open.
idle() {
  ask "GET /stats?filter=^http\.gateway\.downstream_$1_active$" | grep -q ': 0'
}

stop() {
  trap '' TERM INT
  # From now on each answer tells its client to close the connection, and nobody opens another one.
  ask 'POST /drain_listeners?graceful&skip_exit' >/dev/null
  ask 'POST /drain_listeners' >/dev/null
  for fifth_of_second in {1..50}; do
    sleep 0.2
    idle cx && break
    # Connections that stay open without a request need not be waited for.
    [ "$fifth_of_second" -ge 5 ] && idle rq && break
  done
  kill -TERM "$envoy"
}

trap stop TERM INT
while kill -0 "$envoy" 2>/dev/null; do
  wait "$envoy"
  status=$?
done
exit "$status"
