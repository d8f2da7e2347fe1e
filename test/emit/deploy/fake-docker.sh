#!/usr/bin/env bash
# Stands in for `docker`: writes down each call, and keeps containers, images and volumes as files in $FAKE.
# What it should fail at is a file in $FAKE/faults, which holds what it then prints.
set -u
printf '%s\n' "$*" >>"$FAKE/calls"
mkdir -p "$FAKE"/{containers,images,hashes,tars,faults}
fault() {
  if [ -e "$FAKE/faults/$1" ]; then
    cat "$FAKE/faults/$1" >&2
    exit 1
  fi
}
answer() { if [ -e "$FAKE/answers/$1" ]; then cat "$FAKE/answers/$1"; else printf '%s\n' "$2"; fi; }
hash_of() { cat "$FAKE/hashes/$1" 2>/dev/null || echo first; }
image_of() { cat "$FAKE/images/demo-$1" 2>/dev/null || echo none; }
role_of() { case $1 in gateway) echo gateway ;; *-db) echo database ;; *) echo service ;; esac; }
# id service number hash image status health restarts role
write_container() { printf '%s %s %s %s %s %s %s 0 %s\n' "$1" "$2" "$3" "$4" "$5" "$6" "$7" "$(role_of "$2")" >"$FAKE/containers/$1"; }
field() { cut -d' ' -f"$2" "$FAKE/containers/$1"; }
ids_of() { for file in "$FAKE"/containers/*; do [ -e "$file" ] && [ "$(cut -d' ' -f2 "$file")" = "$1" ] && basename "$file"; done; }

start() {
  local service=$1 wanted=$2 recreate=$3 health=healthy id number
  [ -e "$FAKE/faults/unhealthy-$service" ] && health=unhealthy
  [ -e "$FAKE/faults/unasked-$service" ] && health=starting
  for id in $(ids_of "$service"); do
    if [ "$recreate" = yes ] && [ "$(field "$id" 4)" != "$(hash_of "$service")" ]; then
      rm "$FAKE/containers/$id"
    else
      write_container "$id" "$service" "$(field "$id" 3)" "$(field "$id" 4)" "$(field "$id" 5)" running "$(if [ "$(field "$id" 6)" = running ]; then field "$id" 7; else echo $health; fi)"
    fi
  done
  while [ "$(ids_of "$service" | wc -w)" -lt "$wanted" ]; do
    number=$(($(cat "$FAKE/number" 2>/dev/null || echo 0) + 1))
    echo "$number" >"$FAKE/number"
    write_container "$service-id$number" "$service" "$number" "$(hash_of "$service")" "$(image_of "$service")" running "$health"
  done
  for id in $(ids_of "$service" | tail -n +$((wanted + 1))); do rm "$FAKE/containers/$id"; done
  case $service in *-db) grep -qx "demo_$service-data" "$FAKE/volumes" 2>/dev/null || echo "demo_$service-data" >>"$FAKE/volumes" ;; esac
}

compose() {
  local chosen='' scales=' ' recreate=yes all
  while :; do case ${1-} in --profile) shift 2 ;; *) break ;; esac; done
  all=$(answer services "$FAKE_SERVICES")
  case $1 in
    version) fault compose; answer compose 5.5.0 ;;
    config)
      fault config
      if [ "${2-}" = --hash ]; then
        for service in $all; do echo "$service $(hash_of "$service")"; done
      else
        printf 'name: demo\nservices:\n  gateway:\n    ports:\n      - mode: ingress\n        host_ip: 127.0.0.1\n        target: 10000\n        published: "%s"\n' "${GATEWAY_PORT:-0}"
      fi ;;
    build)
      fault build
      shift
      for service in "$@"; do echo "sha-$service-$(cat "$service/Dockerfile" 2>/dev/null | cksum | cut -d' ' -f1)" >"$FAKE/images/demo-$service"; done ;;
    run)
      fault run
      cat >"$FAKE/tars/$(printf '%03d' "$(ls "$FAKE/tars" | wc -l)").tar"
      grep -q secrets "$FAKE/volumes" 2>/dev/null || echo demo_home-secrets >>"$FAKE/volumes" ;;
    up)
      fault up
      shift
      while [ $# -gt 0 ]; do
        case $1 in
          --no-recreate) recreate=no ;;
          --scale) scales="$scales$2 "; shift ;;
          --*) ;;
          *) chosen="$chosen $1" ;;
        esac
        shift
      done
      for service in ${chosen:-$all}; do
        wanted=1
        case $scales in *" $service="*) wanted=${scales#*" $service="}; wanted=${wanted%% *} ;; esac
        start "$service" "$wanted" "$recreate"
      done ;;
    stop) for file in "$FAKE"/containers/*; do sed -i 's/ running / exited /' "$file"; done ;;
    down) rm -rf "$FAKE/containers" "$FAKE/volumes" ;;
    logs) echo "logs of ${2-everything}" ;;
  esac
}

case $1 in
  version) fault daemon; answer version '1.41 20.10.24' ;;
  context) echo unix:///var/run/docker.sock ;;
  info) answer root /nowhere ;;
  compose) shift; compose "$@" ;;
  ps) case $* in *publish=*) answer holder '' ;; *) ls "$FAKE/containers" ;; esac ;;
  inspect)
    format=$3
    shift 3
    for id in "$@"; do
      case $format in
        '{{.Id}}'*) cat "$FAKE/containers/$id" ;;
        *Healthcheck*) printf 'CMD\ncheck\n%s\n' "$id" ;;
        *) cut -d' ' -f1,6-8 "$FAKE/containers/$id" | sed 's/\([^ ]*\) \(.*\)/\2 \1/' ;;
      esac
    done ;;
  image) for file in "$FAKE"/images/*; do [ -e "$file" ] && echo "$(basename "$file") $(cat "$file")"; done ;;
  volume) case $2 in ls) cat "$FAKE/volumes" 2>/dev/null ;; rm) : >"$FAKE/volumes" ;; inspect) echo "${*:5}" ;; esac ;;
  port) answer port "127.0.0.1:$FAKE_PORT" ;;
  logs) answer logs "a line of the log" ;;
  exec)
    # Passes at the third time; the first may hang.
    if [ -e "$FAKE/faults/exec-hangs" ] && [ ! -e "$FAKE/asked-$2" ]; then echo asked >>"$FAKE/asked-$2"; exec sleep 300; fi
    echo asked >>"$FAKE/asked-$2"
    [ "$(wc -l <"$FAKE/asked-$2")" -ge 3 ] ;;
  stop) ;;
  rm) shift 2; for id in "$@"; do rm -f "$FAKE/containers/$id"; done ;;
esac
