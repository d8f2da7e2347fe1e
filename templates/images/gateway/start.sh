#!/usr/bin/env bash
# Runs Envoy. On SIGTERM, it lets open requests finish before it stops Envoy, which would abort them by itself.
#
#   start.sh reload               makes the gateway in this container load its current files without closing connections
#   start.sh await PORT PATH...   waits until the gateway has responses of services for these paths
#
# The functions are called by traps.
# shellcheck disable=SC2317,SC2329
set -u

readonly FILES=/etc/envoy RUNNING=/tmp/running
epoch=-1

# Writes the configuration to the file $1, and prints a checksum of all that Envoy reads when it starts.
configure() {
  bash "$FILES/configure.sh" <"$FILES/envoy.yaml" >"$1" && cat "$1" "$FILES/openapi.json" | cksum
}

# Starts Envoy. It takes over the listening sockets of one that runs, which finishes its requests and then ends.
start() {
  configure /tmp/envoy.yaml >"$RUNNING" || return
  epoch=$((epoch + 1))
  envoy -c /tmp/envoy.yaml --restart-epoch "$epoch" --parent-shutdown-time-s 300 --concurrency "${GATEWAY_THREADS:-2}" --log-level warn --file-flush-interval-msec 1000 --drain-time-s 10 --drain-strategy immediate &
  envoy=$!
}

# Sends the request $2 to port $1 of this container. The response can then be read from file descriptor 3.
send() {
  exec 3<>"/dev/tcp/127.0.0.1/$1" || return
  printf '%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n' "$2" >&3
}

# Sends a request to Envoy's admin interface, which only this container can reach.
admin_request() {
  send 9901 "$1" || return
  cat <&3
  exec 3>&-
}

await() {
  local port=$1 path status fifth_of_second
  for path in "${@:2}"; do
    for fifth_of_second in {1..300}; do
      send "$port" "GET $path" || return
      read -r _ status _ <&3
      case $status in 502 | 503 | 504) sleep 0.2 ;; *) continue 2 ;; esac
    done
    printf 'gateway: no response for %s\n' "$path" >&2
    return 1
  done
}

# The number of the Envoy that serves, from 0. Empty while none does.
live_epoch() {
  admin_request 'GET /server_info' 2>/dev/null | sed -n '/"state": "LIVE"/,$s/.*"restart_epoch": \([0-9]*\).*/\1/p'
}

reload() {
  local sum before
  sum=$(configure /tmp/next.yaml) || return
  [ "$sum" != "$(cat "$RUNNING")" ] || return 0
  envoy --mode validate -c /tmp/next.yaml --log-level error >&2 || return
  before=$(live_epoch)
  kill -HUP "$(cat /tmp/pid)"
  for tenth_of_second in {1..300}; do
    sleep 0.1
    [ "$(live_epoch)" != "$((before + 1))" ] || return 0
  done
  printf 'gateway: Envoy did not take over within %d s\n' "$((tenth_of_second / 10))" >&2
  return 1
}

# Returns 0 if no connection (cx) or request (rq) is open.
is_idle() {
  admin_request "GET /stats?filter=^http\.gateway\.downstream_$1_active$" | grep -q ': 0'
}

stop() {
  trap '' TERM INT HUP
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

case ${1-} in
  reload | await)
    "$@"
    exit
    ;;
esac
# Raises the limit of open files to the maximum, because each connection needs one.
ulimit -n "$(ulimit -Hn)"
start || exit
trap stop TERM INT
trap start HUP
echo $$ >/tmp/pid
while kill -0 "$envoy" 2>/dev/null; do
  wait "$envoy"
  status=$?
done
exit "$status"
