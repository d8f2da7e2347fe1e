#!/usr/bin/env bash
# Builds and starts this platform with Docker Compose, and says where its gateway listens:
#
#   source deploy.sh        from bash or zsh: sets GATEWAY_ENTRY=host:port
#   ./deploy.sh             the same, but the variable does not reach the shell that calls it
#   ./deploy.sh --help      what else it does
#
# Sourced, no more than the lines up to `return` run in the calling shell. They have a bash of its own run this file
# and evaluate the one line that it hands back, so that nothing of the caller changes but GATEWAY_ENTRY: no option,
# trap, function, variable or directory. A failure is the status of `source`; under `set -e`, where that would end
# the shell, the status is 0 and GATEWAY_ENTRY is unset.
#
# Names of services and ids of containers hold no space, so that lists of them may be split into words, and programs
# of awk stand in single quotes; commands are called by the last lines.
# shellcheck disable=SC2016,SC2046,SC2086,SC2317,SC2329

if case ${BASH_VERSION:+bash}${ZSH_VERSION:+zsh} in
  bash) (\return 0) 2>/dev/null ;;
  zsh) case ":${ZSH_EVAL_CONTEXT-}:" in *:file:*) ;; *) (\exit 1) ;; esac ;;
  *) (\exit 1) ;;
esac; then
  # Not `builtin eval`: under set -e bash forgets there that a failure is expected.
  {
    \eval "$(
      file=${BASH_SOURCE[0]-}
      case $file in '') \builtin eval 'file=${(%):-%x}' ;; esac
      DEPLOY_SOURCED=s$- \command 'bash' -p -- "$file" "$@" 3>&1 >&4 4>&- || \builtin printf '\n(\\exit %s)\n' "$?"
    )"
  } 4>&1 || case $- in *e*) \return 0 ;; *) \return ;; esac
  \return 0
fi
# A bash that takes no functions, options or start-up file from the environment.
case ${BASH_VERSION:+bash}$- in
  bash*p*) ;;
  *) exec bash -p -- "$0" "$@" ;;
esac

set -u
unset CDPATH COMPOSE_FILE COMPOSE_PROFILES
sourced=no
if [ -n "${DEPLOY_SOURCED-}" ]; then sourced=yes; fi

# The directory of this file, which may be a link.
file=${BASH_SOURCE[0]}
while [ -L "$file" ]; do
  target=$(readlink "$file")
  case $target in /*) file=$target ;; *) file=$(dirname -- "$file")/$target ;; esac
done
root=$(cd -- "$(dirname -- "$file")" && pwd -P) || exit 1
cd -- "$root" || exit 1
readonly root secrets=$root/.secrets state=$root/.deploy
readonly log_file=$state/log
readonly GATEWAY_PORT_INSIDE=10000

# --- This platform ---

readonly PLATFORM='SimpleShop'
# The service that issues tokens; empty without authentication.
readonly AUTHENTICATION='auth'
# Directory, database and path of each service.
readonly SERVICES='auth auth-db /api/auth
customer customer-db /api/customer
product product-db /api/product
purchase purchase-db /api/purchase'

# What the gateway checks tokens with: $1 and $2 are the secrets of auth-service-1 and auth-service-2.
token_filter() {
  printf '{"resources":[{"@type":"type.googleapis.com/envoy.config.core.v3.TypedExtensionConfig","name":"envoy.filters.http.jwt_authn","typed_config":{"@type":"type.googleapis.com/envoy.extensions.filters.http.jwt_authn.v3.JwtAuthentication","providers":{"auth-service-1":{"issuer":"auth-service-1","local_jwks":{"inline_string":"{\\"keys\\":[{\\"kty\\":\\"oct\\",\\"alg\\":\\"HS256\\",\\"k\\":\\"%s\\"}]}"},"from_headers":[{"name":"Authorization","value_prefix":"Bearer "},{"name":"Authorization","value_prefix":"bearer "}],"forward":true,"require_expiration":true,"clock_skew_seconds":1},"auth-service-2":{"issuer":"auth-service-2","local_jwks":{"inline_string":"{\\"keys\\":[{\\"kty\\":\\"oct\\",\\"alg\\":\\"HS256\\",\\"k\\":\\"%s\\"}]}"},"from_headers":[{"name":"Authorization","value_prefix":"Bearer "},{"name":"Authorization","value_prefix":"bearer "}],"forward":true,"require_expiration":true,"clock_skew_seconds":1}},"requirement_map":{"token":{"requires_any":{"requirements":[{"provider_name":"auth-service-1"},{"provider_name":"auth-service-2"}]}}}}}]}\n' "$1" "$2"
}

# --- What is said, and how a run ends ---

say() { printf '%s\n' "$*"; }
warn() { printf '%s\n' "$*" >&2; }

# Ends this process, which is never the caller's shell. One sentence: what is wrong and what to do.
fail() {
  warn "deploy.sh: $*"
  exit 1
}

# Hands GATEWAY_ENTRY back to the shell that sources this file; $1 is empty where there is none.
hand_back() {
  if [ "$sourced" = no ]; then return 0; fi
  if [ -n "$1" ]; then
    printf "\\\\builtin export GATEWAY_ENTRY='%s'\n" "$1" >&3
  else
    printf '\\builtin unset GATEWAY_ENTRY\n' >&3
  fi
}

# The word of the list $2 that is nearest to $1, if one is near (Levenshtein distance).
nearest() {
  printf '%s\n' "$2" | awk -v word="$1" '
    function distance(a, b,    i, j, cost, last, row, old) {
      for (j = 0; j <= length(b); j++) row[j] = j
      for (i = 1; i <= length(a); i++) {
        last = row[0]; row[0] = i
        for (j = 1; j <= length(b); j++) {
          old = row[j]
          cost = last + (substr(a, i, 1) != substr(b, j, 1))
          if (row[j] + 1 < cost) cost = row[j] + 1
          if (row[j - 1] + 1 < cost) cost = row[j - 1] + 1
          row[j] = cost; last = old
        }
      }
      return row[length(b)]
    }
    NF { found = distance(word, $1); if (best == "" || found < least) { best = $1; least = found } }
    END { if (best != "" && least <= (length(best) > 3 ? 2 : 1)) print best }'
}

did_you_mean() {
  local near
  near=$(nearest "$1" "$2")
  if [ -n "$near" ]; then printf ' Did you mean %s?' "$near"; fi
}

# Runs a command with its output in the log of this run. Gives its status.
logged() {
  printf '\n$ %s\n' "$*" >>"$log_file"
  "$@" >>"$log_file" 2>&1
}

# --- What has to be there ---

# 20.10 is the oldest engine still in a distribution under support.
readonly OLDEST_ENGINE_API=1.41
readonly OLDEST_COMPOSE=2.20.0
readonly DAEMON_SECONDS=20
# A database needs this much before it holds anything, an image build the other, in MiB.
readonly VOLUME_MIB=96
readonly IMAGES_MIB=1024

# Whether version $1 is $2 or later.
at_least() {
  awk -v have="$1" -v want="$2" 'BEGIN {
    split(have, h, /[^0-9]+/); split(want, w, /[^0-9]+/)
    for (i = 1; i <= 3; i++) if (h[i] + 0 != w[i] + 0) exit !(h[i] + 0 > w[i] + 0)
    exit 0
  }'
}

# Runs a command for at most $1 seconds: a daemon that hangs must not hang this. Status 124 when the time was up.
limited() {
  local seconds=$1 child timer status=0
  shift
  "$@" &
  child=$!
  (
    sleep "$seconds" &
    trap 'kill $! 2>/dev/null; exit 0' TERM
    wait $!
    kill "$child" 2>/dev/null
  ) >/dev/null 2>&1 3>&- &
  timer=$!
  wait "$child" || status=$?
  if ! kill "$timer" 2>/dev/null; then status=124; fi
  wait "$timer" 2>/dev/null
  return "$status"
}

check_docker() {
  local answer version status=0
  command -v docker >/dev/null 2>&1 ||
    fail 'Docker is not installed: install Docker Engine with the Compose plugin (https://docs.docker.com/engine/install/) and run this again.'
  answer=$(limited "$DAEMON_SECONDS" docker version --format '{{.Server.APIVersion}} {{.Server.Version}}' 2>&1) || status=$?
  if [ "$status" -ne 0 ]; then
    case $answer in
      *'ermission denied'*)
        fail "The Docker daemon refuses this user: add it to the group docker (sudo usermod -aG docker $(id -un)), sign in again, and run this again." ;;
      *)
        fail "The Docker daemon${DOCKER_HOST:+ at $DOCKER_HOST} does not answer: start it (Docker Desktop, or sudo systemctl start docker) and run this again." ;;
    esac
  fi
  engine_api=${answer%% *}
  at_least "$engine_api" "$OLDEST_ENGINE_API" ||
    fail "Docker Engine ${answer#* } is too old: install 20.10 or later and run this again."
  version=$(docker compose version --short 2>/dev/null) ||
    fail 'Docker Compose is not installed: install the Compose plugin of Docker (https://docs.docker.com/compose/install/) and run this again.'
  version=${version#v}
  at_least "$version" "$OLDEST_COMPOSE" ||
    fail "Docker Compose $version is too old: install $OLDEST_COMPOSE or later (https://docs.docker.com/compose/install/) and run this again."
}

# The engine runs on this machine, so that its ports and disks can be looked at.
engine_is_local() {
  local endpoint
  endpoint=${DOCKER_HOST:-$(docker context inspect --format '{{.Endpoints.docker.Host}}' 2>/dev/null)}
  case $endpoint in unix://* | '') return 0 ;; *) return 1 ;; esac
}

check_port() {
  local holder
  if [ "$gateway_port" = 0 ] || [ "$(gateway_entry)" = "$gateway_host:$gateway_port" ]; then return 0; fi
  holder=$(docker ps --filter "publish=$gateway_port" --format '{{.Names}}' | head -n 1)
  if [ -z "$holder" ]; then
    engine_is_local || return 0
    (exec 5<>"/dev/tcp/$gateway_host/$gateway_port") 2>/dev/null || return 0
  fi
  fail "Port $gateway_port is taken${holder:+ by the container $holder}: free it, or choose another (export GATEWAY_PORT=$((gateway_port + 1))) and run this again."
}

# Looks before anything is begun; a disk that fills up later is explained where the container fails.
check_disk_space() {
  local directory free needed volumes
  engine_is_local || return 0
  directory=$(docker info --format '{{.DockerRootDir}}' 2>/dev/null)
  if [ ! -d "$directory" ]; then return 0; fi
  free=$(df -Pk "$directory" 2>/dev/null | awk 'NR == 2 { print int($4 / 1024) }')
  volumes=$(missing_volumes | awk 'END { print NR }')
  needed=$((volumes * VOLUME_MIB))
  if [ ! -d "$state/images" ]; then needed=$((needed + IMAGES_MIB)); fi
  if [ -n "$free" ] && [ "$free" -lt "$needed" ]; then
    fail "There is too little disk space for the platform's volumes: $directory has $free MiB left and $needed MiB are needed; free some (docker system df shows what Docker holds) and run this again."
  fi
}

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

# --- Images ---

# Services that are built here.
built_services() {
  services
  echo gateway
}

# One line an image: its service and its id.
built_images() {
  docker image ls --no-trunc --filter "reference=$project-*:latest" --format '{{.Repository}} {{.ID}}' |
    awk -v prefix="$project-" '{ print substr($1, length(prefix) + 1), $2 }'
}

# Changes with whatever a service's image is made of.
source_fingerprint() {
  {
    case $1 in
      gateway) source_checksums gateway api ;;
      *) source_checksums "$1" ;;
    esac
    cat compose.yaml compose.override.y*ml .dockerignore .env
  } 2>/dev/null | cksum
}

source_checksums() { find "$@" \( -name node_modules -o -name .git \) -prune -o -type f -exec cksum {} + | LC_ALL=C sort; }

# Builds what has changed since it was built; the engine would find that out as well, but takes its time.
build() {
  local service images built='' prints=''
  images=$(built_images)
  for service in $(built_services); do
    prints=$(source_fingerprint "$service")
    if [ "$prints $(printf '%s\n' "$images" | awk -v service="$service" '$1 == service { print $2 }')" != "$(cat "$state/images/$service" 2>/dev/null)" ]; then
      built="$built $service"
    fi
  done
  if [ -z "$built" ]; then return 0; fi
  step "Building$built"
  build_images $built || explain_failure 'The images could not be built'
  mkdir -p "$state/images"
  images=$(built_images)
  for service in $built; do
    printf '%s %s\n' "$(source_fingerprint "$service")" "$(printf '%s\n' "$images" | awk -v service="$service" '$1 == service { print $2 }')" >"$state/images/$service"
  done
}

# Services $1... at a time do every step that they share once each, with builders before BuildKit. So one goes ahead,
# then one for each further set of packages; the rest find all of it done.
build_images() {
  local sets first pioneers
  sets=$(for service in "$@"; do printf '%s %s\n' "$(installs "$service")" "$service"; done)
  first=$1
  pioneers=$(printf '%s\n' "$sets" | awk '!seen[$1]++ { print $2 }' | grep -Fxv "$first")
  build_now "$first" && build_now $pioneers && build_now $(printf '%s\n' "$@" | grep -Fxv "$(echo "$first"; echo "$pioneers")")
}

build_now() {
  if [ $# -eq 0 ]; then return 0; fi
  logged docker compose build "$@"
}

# The same for services that install the same.
installs() { cat "$1/package.json" "$1/package-lock.json" 2>/dev/null | cksum | tr ' ' -; }

# Of services that are gone from the definition: Compose does not know of them.
remove_images() {
  local service
  for service in "$@"; do
    if [ -e "$state/images/$service" ]; then
      rm -f "$state/images/$service"
      logged docker image rm "$project-$service"
    fi
  done
}

# --- Secrets ---
#
# .secrets/databases/<service>/admin-password      of the database's superuser
# .secrets/databases/<service>/database-password   of the service's role
# .secrets/credentials/1 and 2                     of the gateway's consumer; which is in use: rotation.sh
#
# Containers read copies in volumes of their own, filled through the standard input of a container: a secret is in no
# argument, no environment variable and no label.

random_bytes() { dd if=/dev/urandom bs=32 count=1 2>/dev/null; }
random_password() { random_bytes | od -An -v -tx1 | tr -d ' \n'; }
random_credential() { random_bytes | base64 | tr '+/' '-_' | tr -d '=\n'; }

# Writes the text $2 to the file $1, whole or not at all, for this user alone. The text is in no process list: none
# of these commands is a process.
write_private() {
  if ! (umask 077 && printf '%s\n' "$2" >"$1.new") || ! mv -f "$1.new" "$1"; then
    rm -f "$1.new"
    fail "$1 cannot be written: see to its directory and the disk's free space, and run this again."
  fi
}

make_private_directory() {
  (umask 077 && mkdir -p "$1") || fail "$1 cannot be made: see to its directory and run this again."
}

# The volumes of databases that hold data made with a password that is no longer here.
orphaned_data() {
  local service volumes
  volumes=$(docker volume ls --quiet --filter "label=com.docker.compose.project=$project")
  for service in $(services); do
    if [ ! -s "$secrets/databases/$service/database-password" ] || [ ! -s "$secrets/databases/$service/admin-password" ]; then
      printf '%s\n' "$volumes" | grep -x -- "${project}_$(database_of "$service")-data"
    fi
  done
}

# Makes what is missing, once. A password that is gone while its database is there is not made anew: it would not fit.
make_secrets() {
  local service password lost
  make_private_directory "$secrets"
  chmod 700 "$secrets"
  if [ ! -e "$secrets/.gitignore" ]; then printf '*\n' >"$secrets/.gitignore"; fi
  lost=$(orphaned_data | tr '\n' ' ')
  if [ -n "$lost" ]; then
    fail "The passwords of existing databases are missing from $secrets (volumes: ${lost% }): put $secrets back from a backup, or delete the data with ./deploy.sh destroy, and run this again."
  fi
  for service in $(services); do
    make_private_directory "$secrets/databases/$service"
    for password in admin-password database-password; do
      if [ ! -s "$secrets/databases/$service/$password" ]; then
        write_private "$secrets/databases/$service/$password" "$(random_password)"
      fi
    done
  done
  if [ -n "$AUTHENTICATION" ]; then make_credential; fi
}

# Lays out what containers read as `<user id>/<volume>/<file>`, and fills the volumes where something differs.
install_secrets() {
  local staged=$secrets/.staged service database fingerprint
  rm -rf "$staged"
  for service in $(services); do
    database=$(database_of "$service")
    make_private_directory "$staged/1000/$service-secrets"
    make_private_directory "$staged/999/$database-secrets"
    cp "$secrets/databases/$service/database-password" "$staged/1000/$service-secrets/"
    cp "$secrets/databases/$service/database-password" "$secrets/databases/$service/admin-password" "$staged/999/$database-secrets/"
    if [ -n "$AUTHENTICATION" ]; then
      write_private "$staged/1000/$service-secrets/gateway-credentials" "$(credentials_of "$service")"
    fi
  done
  if [ -n "$AUTHENTICATION" ]; then
    make_private_directory "$staged/101/gateway-secrets"
    write_private "$staged/101/gateway-secrets/tokens.json" "$(gateway_tokens)"
  fi
  fingerprint=$(installed_fingerprint)
  if [ "$fingerprint" != "$(cat "$secrets/.installed" 2>/dev/null)" ]; then
    (cd "$staged" && COPYFILE_DISABLE=1 tar -cf - 1000 999 ${AUTHENTICATION:+101}) |
      logged docker compose --profile secrets run --rm -T --no-deps portico.secrets ||
      explain_failure 'The secrets could not be put into their volumes'
    write_private "$secrets/.installed" "$(installed_fingerprint)"
  fi
  rm -rf "$staged"
}

# Changes with what is installed and with the volumes that it went into.
installed_fingerprint() {
  {
    find "$secrets/.staged" -type f | LC_ALL=C sort | while IFS= read -r file; do cksum <"$file"; done
    docker volume ls --quiet --filter "label=com.docker.compose.project=$project" | grep -e '-secrets$' |
      xargs docker volume inspect --format '{{.Name}} {{.CreatedAt}}' 2>/dev/null
  } | cksum
}

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

# --- Replacing containers while requests keep coming ---

# So many services at a time.
readonly BATCH=8
readonly HEALTHY_SECONDS=180
# The gateway has asked for the addresses of a service again after this time, and sends requests to the new containers.
readonly GATEWAY_LEARNS_SECONDS=3

# Replaces the containers of services: starts as many beside them, waits until they are healthy, stops the old.
replace_services() {
  local batch
  while [ $# -gt 0 ]; do
    batch=''
    while [ $# -gt 0 ] && [ "$(printf '%s' "$batch" | wc -w)" -lt "$BATCH" ]; do
      batch="$batch $1"
      shift
    done
    replace_batch $batch
  done
}

replace_batch() {
  local service id scale='' old=' ' new=''
  look_at_containers
  for service in "$@"; do
    # What does not run serves nobody.
    remove_containers $(select_containers "\$2 == \"$service\" && \$6 != \"running\"" '$1')
    scale="$scale --scale $service=$(($(count_words $(running_of "$service")) + $(replicas_of "$service")))"
    old="$old$(running_of "$service" | tr '\n' ' ')"
  done
  logged docker compose up --detach --no-build --no-deps --no-recreate $scale "$@" || explain_failure "$* could not be started"
  look_at_containers
  for service in "$@"; do
    for id in $(containers_of "$service"); do
      case " $old " in *" $id "*) ;; *) new="$new $id" ;; esac
    done
  done
  if ! wait_until_healthy "$HEALTHY_SECONDS" $new; then
    keep_old "$new" "$old" "$*"
  fi
  sleep "$GATEWAY_LEARNS_SECONDS"
  stop_containers $old
  note_revisions "$@"
}

# What is new does not work: it goes, and what ran before goes on.
keep_old() {
  (explain_failure "$3 could not be replaced")
  remove_containers $1
  if [ "$2" != ' ' ]; then fail 'What ran before still runs: mend this and run ./deploy.sh again.'; fi
  exit 1
}

# Without --volumes: a database's data is nobody's to delete here.
remove_containers() {
  if [ $# -gt 0 ]; then logged docker rm --force "$@"; fi
}

# Lets them finish what they are at, for as long as their definition says.
stop_containers() {
  if [ $# -eq 0 ]; then return 0; fi
  logged docker stop "$@"
  remove_containers "$@"
}

# How many containers a service has: what `scale` was told last.
replicas_of() {
  local count
  count=$(cat "$state/replicas/$1" 2>/dev/null)
  echo "${count:-1}"
}

scale_options() {
  local service
  for service in $(services); do printf -- '--scale\n%s=%s\n' "$service" "$(replicas_of "$service")"; done
}

# --- Deploying ---

step() { say "$*"; }

# What every command needs that changes something.
begin() {
  check_docker
  make_directories
  take_lock
  : >"$log_file"
  load_definition
  if [ -n "$AUTHENTICATION" ]; then drop_overdue_credential; fi
}

make_directories() {
  mkdir -p "$state/replicas" "$state/revisions" || fail "$state cannot be made: see to the rights of $root and run this again."
  if [ ! -e "$state/.gitignore" ]; then printf '*\n' >"$state/.gitignore"; fi
  if [ ! -e "$log_file" ]; then : >"$log_file"; fi
}

deploying=no

deploy() {
  deploying=yes
  begin
  look_at_containers
  check_port
  check_disk_space
  make_secrets
  build
  install_secrets
  start_and_replace
  remove_orphans
  wait_for_answers
  report
}

# Databases read these two as another user; whoever generated the project may have let nobody else read its files.
let_databases_read() {
  local database
  for database in $(databases); do chmod a+r "$database/init.sql" "$database/create-role.sh"; done 2>/dev/null
}

# By itself Compose waits for the health of whatever something depends on, which engines before 25 look at late. So
# that is done here, and services and gateway do not wait for each other.
start_missing() {
  local missing
  missing=$(incomplete_services)
  start_now $(printf '%s\n' "$missing" | grep -Fx "$(databases)") || return
  look_at_containers
  wait_until_healthy "$HEALTHY_SECONDS" $(select_containers '$9 == "database"' '$1') || return
  start_now $(printf '%s\n' "$missing" | grep -Fx "$(services)") || return
  start_now $(printf '%s\n' "$missing" | grep -Fx gateway) || return
  # What the user added has an order of its own.
  if printf '%s\n' "$missing" | grep -qFvx "$(services; databases; echo gateway)"; then
    logged docker compose up --detach --no-build --no-recreate $(scale_options)
  fi
}

start_now() {
  local service scale=''
  if [ $# -eq 0 ]; then return 0; fi
  for service in "$@"; do scale="$scale --scale $service=$(replicas_of "$service")"; done
  logged docker compose up --detach --no-build --no-recreate --no-deps $scale "$@"
}

# First what is not there yet, then the databases that changed, then the services that did, the gateway last: it gets
# the route of a new service when that answers, and loses the route of one that is gone before that is stopped.
start_and_replace() {
  local outdated changed stale
  look_at_containers
  outdated=$(outdated_containers)
  remove_containers $(printf '%s\n' "$outdated" | awk 'NF && $3 != "running" { print $1 }')
  outdated=$(printf '%s\n' "$outdated" | awk '$3 == "running" { print $2 }' | sort -u)
  stale=$(for service in $(services_with_old_credentials); do running_of "$service" | sed "s/.*/$service/"; done)
  look_at_containers
  if [ -n "$(incomplete_services)" ]; then
    let_databases_read
    step 'Starting what does not run'
    start_missing || explain_failure 'The platform could not be started'
  fi
  changed=$(databases | grep -Fx "${outdated:-.}")
  if [ -n "$changed" ]; then
    step "Restarting with their new definition:" $changed
    logged docker compose up --detach --no-build --no-deps $changed || explain_failure 'A database could not be restarted'
  fi
  look_at_containers
  wait_until_healthy "$HEALTHY_SECONDS" $(select_containers '$9 != ""' '$1') || explain_failure 'The platform did not become healthy'
  note_revisions $(services | grep -Fvx "${stale:-.}")
  changed=$(services | grep -Fx "$(printf '%s\n%s' "${outdated:-.}" "${stale:-.}")")
  if [ -n "$changed" ]; then
    step 'Replacing' $changed
    replace_services $changed
  fi
  if printf '%s\n' "$outdated" | grep -qx gateway; then
    step 'Replacing the gateway'
    logged docker compose up --detach --no-build --no-deps gateway || explain_failure 'The gateway could not be replaced'
    look_at_containers
    wait_until_healthy "$HEALTHY_SECONDS" $(containers_of gateway) || explain_failure 'The gateway did not become healthy'
  fi
}

# Containers of services that are gone from the definition. Their data stays: only the user knows what it is worth.
remove_orphans() {
  local service orphans
  orphans=$(select_containers '$9 == "service" || $9 == "database"' '$2' | sort -u | grep -Fvx "$(printf '%s\n' "$hashes" | awk '{ print $1 }')")
  for service in $orphans; do
    stop_containers $(containers_of "$service")
    rm -f "$state/replicas/$service" "$state/revisions/$service"
    remove_images "$service"
    say "$service is gone from the definition and was stopped."
    docker volume ls --quiet --filter "label=com.docker.compose.project=$project" | grep -x -- "${project}_$service-data" |
      sed 's/.*/Its data is still in the volume &; docker volume rm & deletes it./'
  done
}

# The status of the answer to GET $3 from host $1 and port $2; empty without one.
http_status() {
  (
    exec 5<>"/dev/tcp/$1/$2" || exit
    printf 'GET %s HTTP/1.1\r\nHost: %s:%s\r\nUser-Agent: deploy.sh\r\nConnection: close\r\n\r\n' "$3" "$1" "$2" >&5
    IFS=' ' read -r -t 5 _ code _ <&5 && printf '%s' "$code"
  ) 2>/dev/null
}

# The platform runs once every path is answered through the gateway, and not by 503 for want of its service.
wait_for_answers() {
  local host port path service begun=$SECONDS
  look_at_containers
  entry=$(gateway_entry)
  if [ -z "$entry" ]; then explain_failure 'The gateway publishes no port'; fi
  engine_is_local || return 0
  host=${entry%:*}
  port=${entry##*:}
  for service in $(services); do
    path=$(path_of "$service")
    if [ "$service" = "$AUTHENTICATION" ]; then path=$path/login; fi
    until case $(http_status "$(printf '%s' "$host" | tr -d '[]')" "$port" "$path") in '' | 50[234]) false ;; esac; do
      if [ $((SECONDS - begun)) -ge "$HEALTHY_SECONDS" ]; then explain_failure "$path is not answered through the gateway at $entry"; fi
      sleep 0.3
    done
  done
}

report() {
  say "$PLATFORM runs at http://$entry"
  say ''
  table_of_services
  say ''
  case $(phase) in
    preparing | switching) say 'A rotation of the credential was interrupted: complete it with ./deploy.sh rotate.' ;;
  esac
  if [ "$sourced" = no ]; then
    say "GATEWAY_ENTRY=$entry does not reach your shell from a program that it runs: use source deploy.sh, or"
    say "  export GATEWAY_ENTRY=$entry"
  else
    say "GATEWAY_ENTRY=$entry"
  fi
  hand_back "$entry"
  deploying=no
}

# Path, service, containers that are healthy of those there are.
table_of_services() {
  {
    printf '%s\n' "$SERVICES" | awk '{ print $3, $1 }'
    databases | sed 's/^/- /'
    echo '- gateway'
  } | awk -v containers="$containers" '
    BEGIN {
      count = split(containers, line, "\n")
      for (i = 1; i <= count; i++) {
        split(line[i], word, " ")
        all[word[2]]++
        if (word[6] != "exited" && word[6] != "created") begun[word[2]] = 1
        if (word[6] == "running" && (word[7] == "healthy" || word[7] == "none")) healthy[word[2]]++
      }
    }
    { printf "  %-28s %-24s %s\n", $1 == "-" ? "" : $1, $2, !all[$2] ? "not running" : begun[$2] ? (healthy[$2] + 0) " of " all[$2] " healthy" : "stopped" }'
}

# --- Commands ---

readonly COMMANDS='up status logs stop destroy rotate scale help'

usage() {
  cat <<USAGE
Builds and runs $PLATFORM with Docker Compose.

  source deploy.sh             builds and starts what is not running or has changed; sets GATEWAY_ENTRY=host:port
  ./deploy.sh                  the same, without the variable

  ./deploy.sh status           what runs where
  ./deploy.sh logs [service]   what it logs; further options go to docker compose logs (-f, --tail 50)
  ./deploy.sh scale <service> <n>
                               runs n containers of a service, now and in later runs
  ./deploy.sh rotate           replaces the credential that signs tokens; the old one stays valid for $ROTATION_HOURS hours
       --hours <n>             for n hours
       --finish                ends the old one now
  ./deploy.sh stop             stops everything; data and settings stay
  ./deploy.sh destroy          deletes everything, the data of all databases included; asks first
       --yes                   does not ask

Environment, or lines of .env beside this file:
  GATEWAY_PORT                 where the gateway listens (8080)
  GATEWAY_ADDRESS              on which address (127.0.0.1: this machine alone)

Secrets are in .secrets/: keep a backup of it with the backups of the databases. A failed source deploy.sh gives a
status other than 0 (under set -e: 0) and unsets GATEWAY_ENTRY.
USAGE
}

status() {
  check_docker
  make_directories
  load_definition
  if [ "$(phase)" = overlapping ] && [ "$(now)" -ge "$(rotation ends)" ]; then
    take_lock
    drop_overdue_credential
  fi
  look_closely_at_containers
  local entry
  entry=$(gateway_entry)
  if [ -n "$entry" ]; then say "$PLATFORM runs at http://$entry"; else say "$PLATFORM does not run."; fi
  say ''
  table_of_services
  case $(phase) in
    overlapping) printf '\n%s\n' "The credential before the last rotation is valid until $(at_time "$(rotation ends)")." ;;
    preparing | switching) printf '\n%s\n' 'A rotation of the credential was interrupted: complete it with ./deploy.sh rotate.' ;;
  esac
}

logs() {
  check_docker
  make_directories
  load_definition
  case ${1-} in
    '' | -*) ;;
    *) check_name "$1" "$(services; databases; echo gateway)" ;;
  esac
  docker compose logs "$@"
}

# $1 must be one of the names $2.
check_name() {
  if ! printf '%s\n' "$2" | grep -qFx -- "$1"; then fail "There is no service $1.$(did_you_mean "$1" "$2") There are: $(printf '%s' "$2" | tr '\n' ' ')."; fi
}

stop() {
  begin
  logged docker compose stop || explain_failure 'Not everything could be stopped'
  say "$PLATFORM is stopped. Its data stays; source deploy.sh starts it again."
}

containers_in_words() { if [ "$1" = 1 ]; then echo '1 container'; else echo "$1 containers"; fi; }

scale() {
  if [ $# -ne 2 ]; then fail 'scale takes a service and a number: ./deploy.sh scale <service> 2.'; fi
  case $2 in '' | *[!0-9]* | 0* | ????*) fail "scale takes a number of containers from 1 to 999, not $2." ;; esac
  if databases | grep -qFx -- "$1"; then fail "$1 is a database, which runs once: scale its service."; fi
  if [ "$1" = gateway ]; then fail 'The gateway runs once, since it holds the port.'; fi
  check_name "$1" "$(services)"
  begin
  printf '%s\n' "$2" >"$state/replicas/$1"
  if ! gateway_is_running; then
    say "$1 will run in $(containers_in_words "$2") once the platform is started."
    return
  fi
  logged docker compose up --detach --no-build --no-deps --no-recreate --scale "$1=$2" "$1" || explain_failure "$1 could not be scaled"
  look_at_containers
  wait_until_healthy "$HEALTHY_SECONDS" $(containers_of "$1") || explain_failure "$1 did not become healthy"
  say "$1 runs in $(containers_in_words "$2")."
}

destroy() {
  local yes=no answer volumes
  case ${1-} in
    '') ;;
    --yes | -y) yes=yes ;;
    *) fail "destroy does not take $1: see ./deploy.sh --help." ;;
  esac
  check_docker
  make_directories
  load_definition
  volumes=$(docker volume ls --quiet --filter "label=com.docker.compose.project=$project")
  if [ "$yes" = no ]; then
    if [ ! -t 0 ]; then fail 'destroy deletes all data, so it asks first, and there is no terminal to ask on: use destroy --yes.'; fi
    say "This deletes all containers and images of $PLATFORM, its secrets in .secrets/, and the data of:"
    printf '%s\n' "$volumes" | sed -n 's/.*-data$/  &/p'
    printf 'Type %s to delete it: ' "$project"
    read -r answer || answer=''
    if [ "$answer" != "$project" ]; then fail 'Nothing was deleted.'; fi
  fi
  take_lock
  logged docker compose --profile '*' down --volumes --remove-orphans --rmi local --timeout 5 || explain_failure 'Not everything could be deleted'
  # Images and volumes of services that are gone from the definition.
  remove_images $(find "$state/images" -type f -exec basename {} \; 2>/dev/null | grep -Fvx "$(built_services)")
  volumes=$(docker volume ls --quiet --filter "label=com.docker.compose.project=$project")
  if [ -n "$volumes" ]; then logged docker volume rm $volumes || explain_failure 'Not all volumes could be deleted'; fi
  rm -rf "$secrets" "$state"
  lock_is_held=no
  say "$PLATFORM is deleted. Its files are still here."
}

# --- Start ---

main() {
  local command=${1-up} status
  case $command in
    -h | --help) command=help ;;
  esac
  if ! printf '%s\n' $COMMANDS | grep -qFx -- "$command"; then
    # A script that sources this file without arguments hands over its own.
    case ${DEPLOY_SOURCED-} in
      s*i* | '') fail "There is no command $command.$(did_you_mean "$command" "$(printf '%s\n' $COMMANDS)") See ./deploy.sh --help." ;;
    esac
    command=up
    set -- up
  fi
  if [ $# -gt 0 ]; then shift; fi
  trap clean_up EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  # Not to be passed over: `stop home` must not stop everything.
  case $command in
    up | help | status | stop) if [ $# -gt 0 ]; then fail "$command takes no argument, so not $1 either: see ./deploy.sh --help."; fi ;;
  esac
  case $command in
    up) deploy ;;
    help) usage ;;
    status) status ;;
    logs) logs "$@" ;;
    stop) stop ;;
    destroy) destroy "$@" ;;
    rotate) rotate "$@" ;;
    scale) scale "$@" ;;
  esac
}

main "$@"
exit
