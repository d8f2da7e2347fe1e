
# --- What is defined, and what runs ---

services() { printf '%s\n' "$SERVICES" | awk '{ print $1 }'; }
databases() { printf '%s\n' "$SERVICES" | awk '{ print $2 }'; }
database_of() { printf '%s\n' "$SERVICES" | awk -v service="$1" '$1 == service { print $2 }'; }
path_of() { printf '%s\n' "$SERVICES" | awk -v service="$1" '$1 == service { print $3 }'; }

# Asks Compose for the definition with everything filled in (.env, overrides, COMPOSE_PROJECT_NAME).
load_definition() {
  local definition
  definition=$(docker compose config 2>>"$log_file") ||
    fail "Docker Compose does not accept compose.yaml: $(tail -n 1 "$log_file")"
  project=$(printf '%s\n' "$definition" | sed -n 's/^name: *//p' | head -n 1)
  gateway_port=$(printf '%s\n' "$definition" | gateway_publishes published)
  gateway_host=$(printf '%s\n' "$definition" | gateway_publishes host_ip)
  gateway_host=$(reachable_host "${gateway_host:-127.0.0.1}")
  # One line a service, those of the user's own included: its name and a hash of its definition.
  hashes=$(docker compose config --hash '*' 2>>"$log_file")
}

# A key of the gateway's published port, from the definition on standard input.
gateway_publishes() {
  awk -v key="$1:" '
    /^[^ ]/ { inside = 0; section = $1 }
    section == "services:" && /^  [^ ]/ { inside = ($1 == "gateway:"); ports = 0 }
    inside && /^    [^ ]/ { ports = ($1 == "ports:") }
    inside && ports { line = $0; sub(/^ *- /, "", line); split(line, word, " "); if (word[1] == key) { gsub(/"/, "", word[2]); print word[2]; exit } }'
}

# Where a client on this machine reaches a gateway that listens on every address.
reachable_host() {
  case $1 in
    0.0.0.0 | '') echo 127.0.0.1 ;;
    ::) echo '[::1]' ;;
    *:*) printf '[%s]\n' "$1" ;;
    *) printf '%s\n' "$1" ;;
  esac
}

# One line a container of the platform: id, service, number, hash of its definition, image, status, health, restarts.
readonly CONTAINER_LINE='{{.Id}} {{index .Config.Labels "com.docker.compose.service"}} {{index .Config.Labels "com.docker.compose.container-number"}} {{index .Config.Labels "com.docker.compose.config-hash"}} {{.Image}} {{.State.Status}} {{if .State.Health}}{{.State.Health.Status}}{{else}}none{{end}} {{.RestartCount}} {{index .Config.Labels "portico.role"}}'

look_at_containers() {
  local ids
  ids=$(docker ps --all --quiet --no-trunc --filter "label=com.docker.compose.project=$project" --filter label=com.docker.compose.oneoff=False)
  # One that is gone by now is no fault.
  containers=$(if [ -n "$ids" ]; then docker inspect --format "$CONTAINER_LINE" $ids 2>/dev/null; fi |
    awk -v passed="$passed" '
      BEGIN { count = split(passed, id, "\n"); for (i = 1; i <= count; i++) healthy[id[i]] = 1 }
      $7 == "starting" && ($1 in healthy) { $7 = "healthy" }
      { print }')
}

# The same, and what the engine would find out late.
look_closely_at_containers() {
  local id
  look_at_containers
  engine_asks_early && return
  for id in $(select_containers '$6 == "running" && $7 == "starting"' '$1'); do ask "$id"; done
  look_at_containers
}

# Fields of the containers that were looked at last: $1 is an awk condition on the fields above, $2 what to print.
select_containers() { printf '%s\n' "$containers" | awk "NF && ($1) { print $2 }"; }
containers_of() { select_containers "\$2 == \"$1\"" '$1'; }
running_of() { select_containers "\$2 == \"$1\" && \$6 == \"running\"" '$1'; }
count_words() { echo $#; }

gateway_is_running() {
  look_at_containers
  [ -n "$(running_of gateway)" ]
}

# host:port of the gateway that runs, empty without one.
gateway_entry() {
  local id published
  id=$(running_of gateway | head -n 1)
  if [ -z "$id" ]; then return 0; fi
  published=$(docker port "$id" "$GATEWAY_PORT_INSIDE/tcp" 2>/dev/null | head -n 1)
  if [ -n "$published" ]; then printf '%s:%s\n' "$(reachable_host "$(printf '%s' "${published%:*}" | tr -d '[]')")" "${published##*:}"; fi
}

# Volumes of databases that are yet to be made.
missing_volumes() {
  docker volume ls --quiet --filter "label=com.docker.compose.project=$project" |
    awk -v project="$project" -v wanted="$(databases)" '
      { there[$0] = 1 }
      END { count = split(wanted, name, "\n"); for (i = 1; i <= count; i++) { volume = project "_" name[i] "-data"; if (!there[volume]) print volume } }'
}

# Services that have more or fewer containers than they should.
incomplete_services() {
  printf '%s\n' "$hashes" | while read -r service _; do
    if [ "$(count_words $(running_of "$service"))" != "$(replicas_of "$service")" ]; then echo "$service"; fi
  done
}

# Containers whose definition or image is no longer the wanted one: id, service, status.
outdated_containers() {
  local images
  images=$(built_images)
  printf '%s\n' "$containers" | awk -v hashes="$hashes" -v images="$images" '
    BEGIN {
      count = split(hashes, line, "\n"); for (i = 1; i <= count; i++) { split(line[i], word, " "); hash[word[1]] = word[2] }
      count = split(images, line, "\n"); for (i = 1; i <= count; i++) { split(line[i], word, " "); image[word[1]] = word[2] }
    }
    NF && ($2 in hash) && (hash[$2] != $4 || (($2 in image) && image[$2] != $5)) { print $1, $2, $6 }'
}

# Waits until the containers $2... are healthy, for $1 seconds at most. Status 1 as soon as one of them cannot be.
wait_until_healthy() {
  local seconds=$1 begun=$SECONDS states id
  shift
  while [ $# -gt 0 ]; do
    states=$(docker inspect --format '{{.State.Status}} {{if .State.Health}}{{.State.Health.Status}}{{else}}healthy{{end}} {{.RestartCount}} {{.Id}}' "$@" 2>/dev/null) || return 1
    printf '%s\n' "$states" |
      awk '$1 == "exited" || $1 == "dead" || $2 == "unhealthy" || $3 > 2 { broken = 1 } END { exit broken }' || return 1
    set -- $(printf '%s\n' "$states" | awk '$1 != "running" || $2 != "healthy" { print $4 }' | grep -Fxv -e "$passed")
    if ! engine_asks_early; then
      # One that does not pass yet keeps the others from being asked: each question is a process in a container.
      for id in "$@"; do ask "$id" || break; done
      set -- $(printf '%s\n' "$@" | grep -Fxv -e "$passed")
    fi
    if [ $# -eq 0 ]; then return 0; fi
    if [ $((SECONDS - begun)) -ge "$seconds" ]; then return 1; fi
    sleep 0.3
  done
}

# The engine asks a container that starts every second or so (start_interval): from version 25 on.
engine_asks_early() { at_least "$engine_api" 1.44; }

# Containers that passed their health check when they were asked here, one a line: earlier engines ask them late.
passed=none

# As long as the engine gives a health check.
readonly ASK_SECONDS=3

# Runs the health check of the container $1, if that runs. Status 0 where it passed.
ask() {
  local word check=()
  while IFS= read -r word; do
    if [ -n "$word" ]; then check+=("$word"); fi
  done <<LIST
$(docker inspect --format '{{if .State.Running}}{{with .Config.Healthcheck}}{{range .Test}}{{println .}}{{end}}{{end}}{{end}}' "$1" 2>/dev/null)
LIST
  case ${check[0]-} in
    CMD) limited "$ASK_SECONDS" docker exec "$1" "${check[@]:1}" ;;
    CMD-SHELL) limited "$ASK_SECONDS" docker exec "$1" sh -c "${check[1]}" ;;
    *) false ;;
  esac >/dev/null 2>&1 || return
  passed=$(printf '%s\n%s' "$passed" "$1")
}

# Id, service, status and health of what does not work: what has ended first, what is only late last.
unhealthy_containers() {
  select_containers '$6 == "restarting" || $6 == "exited" || $6 == "dead"' '$1, $2, $6, $7'
  select_containers '$6 == "running" && $7 == "unhealthy"' '$1, $2, $6, $7'
  select_containers '$6 == "running" && $7 == "starting"' '$1, $2, $6, $7'
}

readonly LOG_LINES=15
# With a line's end, whatever the last line had.
indented() { awk '{ print "    " $0 }'; }

# Ends the run: names what is not healthy and shows the end of its log, or else of this run's.
explain_failure() {
  local id service status health text name
  look_at_containers
  text=$(tail -n 40 "$log_file")
  case $text in
    *'port is already allocated'* | *'address already in use'*)
      fail "Port $gateway_port is taken: free it, or choose another (export GATEWAY_PORT=$((gateway_port + 1))) and run this again." ;;
  esac
  while read -r id service status health; do
    if [ -z "$id" ]; then continue; fi
    text=$(docker logs --tail "$LOG_LINES" "$id" 2>&1)
    case $text in
      *'No space left on device'* | *ENOSPC*)
        fail "There is no disk space left for the volume of $service: free some (docker system df shows what Docker holds) and run this again." ;;
    esac
    name=$service
    warn "$service is $(if [ "$status" = running ]; then echo "$health"; else echo "$status"; fi). The end of its log (./deploy.sh logs $service):"
    printf '%s\n' "$text" | indented >&2
  done <<LIST
$(unhealthy_containers | head -n 3)
LIST
  case $(tail -n 40 "$log_file") in
    *'no space left on device'* | *'No space left on device'*)
      fail "$1: there is no disk space left; free some (docker system df shows what Docker holds) and run this again." ;;
  esac
  if [ -z "${name-}" ]; then
    warn "The end of $log_file:"
    tail -n "$LOG_LINES" "$log_file" | indented >&2
  fi
  fail "$1."
}
