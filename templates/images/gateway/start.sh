#!/usr/bin/env bash
# Runs Envoy. On SIGTERM, it lets open requests finish before it stops Envoy, which would abort them by itself.
# The functions are called by the trap.
# shellcheck disable=SC2317,SC2329
set -u

bash /etc/envoy/configure.sh </etc/envoy/envoy.yaml >/tmp/envoy.yaml || exit

# Raises the limit of open files to the maximum, because each connection needs one.
ulimit -n "$(ulimit -Hn)"
envoy -c /tmp/envoy.yaml --concurrency "${GATEWAY_THREADS:-2}" --log-level warn --file-flush-interval-msec 1000 --drain-time-s 10 --drain-strategy immediate "$@" &
envoy=$!

# Sends a request to Envoy's admin interface, which only this container can reach.
admin_request() {
  exec 3<>/dev/tcp/127.0.0.1/9901 || return
  printf '%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n' "$1" >&3
  cat <&3
  exec 3>&-
}

# Returns 0 if no connection (cx) or request (rq) is open.
is_idle() {
  admin_request "GET /stats?filter=^http\.gateway\.downstream_$1_active$" | grep -q ': 0'
}

stop() {
  trap '' TERM INT
  # Responses now tell clients to close their connections, and no new connections are accepted.
  admin_request 'POST /drain_listeners?graceful&skip_exit' >/dev/null
  admin_request 'POST /drain_listeners' >/dev/null
  for fifth_of_second in {1..50}; do
    sleep 0.2
    is_idle cx && break
    # After a second, idle connections are no longer waited for.
    [ "$fifth_of_second" -ge 5 ] && is_idle rq && break
  done
  kill -TERM "$envoy"
}

trap stop TERM INT
while kill -0 "$envoy" 2>/dev/null; do
  wait "$envoy"
  status=$?
done
exit "$status"
