# --- Requirements ---

# Whether version $1 is $2 or later.
at_least() { printf '%s\n' "$2" "$1" | sort -C -V; }

require_docker() {
  local engine compose
  case $PWD in *:*) fail "Docker cannot mount directories whose path has a colon: $PWD. Move the project." ;; esac
  command -v docker >/dev/null || fail 'Docker is not installed: https://docs.docker.com/engine/install/'
  engine=$(docker version --format '{{.Server.Version}}' 2>&1) || fail "Docker does not respond: ${engine##*$'\n'}"
  at_least "$engine" 25 || fail "Docker Engine 25 or later is required; this is $engine"
  compose=$(docker compose version --short 2>&1) ||
    fail 'Docker Compose is not installed: https://docs.docker.com/compose/install/'
  at_least "${compose#v}" 2.24 || fail "Docker Compose 2.24 or later is required; this is $compose"
  project=$(docker compose config | sed -n 's/^name: //p') || fail 'Compose does not accept the configuration'
}

# --- Secrets ---
# .secrets/home/      what the service home reads: database-password, gateway-credentials, env (home/.env in base64)
# .secrets/home-db/   what its database reads: database-password, admin-password
# .secrets/gateway/   what the gateway reads: tokens.json
# Each container mounts its own directory. Containers' users can read its files, but only you can enter .secrets.

make_secrets_directory() {
  mkdir -p .secrets
  chmod 700 .secrets
  printf '*\n' >.secrets/.gitignore
}

# Makes the password $2 of the database $1, in the directory $3, unless it exists.
make_password() {
  mkdir -p ".secrets/$3"
  chmod 755 ".secrets/$3"
  [ ! -s ".secrets/$3/$2" ] || return 0
  if docker volume inspect "${project}_$1-data" >/dev/null 2>&1; then
    fail "Missing .secrets/$3/$2, a password of the existing database $1. Restore .secrets from a backup, or delete all data with ./deploy.sh destroy."
  fi
  random_secret | write ".secrets/$3/$2"
}

make_secrets() {
  local name
  make_secrets_directory
  for name in $SERVERS; do make_password "$name" admin-password "$name"; done
  for name in $DATABASES; do
    make_password "$name-db" database-password "$name"
    mkdir -p ".secrets/$name-db"
    chmod 755 ".secrets/$name-db"
    write ".secrets/$name-db/database-password" <".secrets/$name/database-password"
  done
  set -- $DATABASES
  for name in $SERVICES; do
    # Compose would read the file differently from Node.
    if [ -e "$name/.env" ]; then printf 'ENV_BASE64=%s\n' "$(base64 <"$name/.env" | tr -d '\n')"; fi | write ".secrets/$1/env"
    shift
  done
  [ -n "$AUTHENTICATION" ] || return 0
  mkdir -p .secrets/gateway
  chmod 755 .secrets/gateway
  [ -f .secrets/credentials ] || printf 'auth-service-1 %s\n' "$(random_secret)" | write .secrets/credentials
  distribute_credentials
}

# --- Commands ---

up() {
  local service file
  require_moved
  prepare
  # The first build makes the layers that services share. Otherwise, without BuildKit, each would make them.
  say "Building the images of $PLATFORM"
  { docker compose build $FIRST && docker compose build; } >&2 || fail 'Could not build the images'
  # If one of these fails, what runs keeps running. Compose would replace the gateway before it checks its variables.
  docker compose run --rm --no-TTY --no-deps --entrypoint bash gateway -c "$(<gateway/configure.sh)" <gateway/envoy.yaml >/dev/null ||
    fail 'The gateway cannot use its variables. What was running is still running'
  apply_migrations || explain_failure "Could not migrate the databases of $PLATFORM. What was running is still running"
  say "Starting $PLATFORM"
  for service in $(outdated); do
    replace "$service" || explain_failure "Could not start the new version of $service. The previous one is still running"
  done
  # A copy, so that generating again does not change what is running.
  for file in gateway/*.sh gateway/envoy.yaml api/openapi.json; do write ".deploy/gateway/${file##*/}" <"$file"; done
  docker compose up --detach --wait --wait-timeout 600 --no-build --no-deps --remove-orphans \
    $(docker compose config --services | grep -v -e '\.migrate$' -e '\.setup$') >&2 || explain_failure
  in_gateway bash /etc/envoy/start.sh reload || fail 'The gateway could not load its new configuration. The previous one is still in use'
  in_gateway bash /etc/envoy/start.sh await "$GATEWAY_PORT_INSIDE" $PATHS || explain_failure
  say "$PLATFORM is running at http://$(gateway_entry)"
  printf 'GATEWAY_ENTRY=%s\n' "$(gateway_entry)"
}

# Fails while a server has data that #database(server: ...) has moved elsewhere since.
require_moved() {
  local name
  for name in $FORMER_SERVERS; do
    [ ! -s ".secrets/$name/admin-password" ] || [ -z "$(docker ps --all --quiet --filter "label=com.docker.compose.project=$project" --filter "label=com.docker.compose.service=$name")" ] ||
      fail "The database server $name is no longer in the definition, but it has data. Move the data with the commands that portico generate has printed, which also remove the container $name"
  done
}

prepare() {
  make_secrets
  mkdir -p .deploy/gateway/secrets
  # The users of containers read these files.
  chmod -R a+rX postgres/create-*.sh .deploy/gateway ${MONITORING-}
}

# Starts the databases and applies their migrations. Running services keep serving.
apply_migrations() {
  local service jobs=''
  for service in $SERVICES; do jobs="$jobs $service.migrate"; done
  say "Migrating the databases of $PLATFORM"
  docker compose up --detach --no-build $jobs >&2 || return
  [ "$(docker wait $(docker compose ps --all --quiet $jobs) | sort -u)" = 0 ]
}

# Services that run with a different image or different settings than they should.
outdated() {
  local hashes running service hash image name
  hashes=$(docker compose config --hash '*')
  running=$(docker compose ps --quiet $SERVICES)
  [ -n "$running" ] || return 0
  docker inspect --format '{{index .Config.Labels "com.docker.compose.service"}} {{index .Config.Labels "com.docker.compose.config-hash"}} {{.Image}} {{.Config.Image}}' $running |
    sort -u | while read -r service hash image name; do
    case $hashes in *"$service $hash"*) [ "$image" != "$(docker image inspect --format '{{.Id}}' "$name")" ] || continue ;; esac
    printf '%s\n' "$service"
  done | uniq
}

# Starts new containers of service $1, and then stops the previous ones, even if those have failed.
replace() {
  local id status=0 new='' old=$(docker compose ps --all --quiet "$1")
  # Two containers cannot publish the same port. Compose stops the previous one first.
  for id in $old; do if [ -n "$(docker port "$id")" ]; then return; fi; done
  docker compose up --detach --no-build --no-deps --no-recreate \
    --scale "$1=$((2 * $(wc -w <<<"$old")))" "$1" >&2 || status=1
  for id in $(docker compose ps --all --quiet "$1"); do
    case $old in *"$id"*) ;; *) new="$new $id" ;; esac
  done
  if [ "$status" = 0 ] && wait_for_health $new; then
    docker stop $old >/dev/null && docker rm $old >/dev/null
    return
  fi
  for id in $new; do
    docker logs --tail 15 "$id" >&2
    docker rm --force "$id" >/dev/null
  done
  # `scale` starts more containers of the image with this name.
  docker inspect --format '{{.Image}} {{.Config.Image}}' $old | head -n 1 | xargs docker tag
  return 1
}

# Waits until these containers are healthy. `up --wait` would also wait for the previous ones.
wait_for_health() {
  local limit=$((SECONDS + 600))
  while [ "$SECONDS" -lt "$limit" ]; do
    case $(docker inspect --format '{{with .State.Health}}{{.Status}}{{else}}healthy{{end}} {{.RestartCount}}' "$@" | sort -u) in
      'healthy 0') return ;;
      *unhealthy* | *[1-9]*) return 1 ;;
    esac
    sleep 1
  done
  return 1
}

# host:port at which the gateway can be reached from this machine. Empty if it does not run.
gateway_entry() {
  local entry
  entry=$(docker compose port gateway "$GATEWAY_PORT_INSIDE" 2>/dev/null) || return 0
  case $entry in
    0.0.0.0:*) entry=127.0.0.1:${entry#*:} ;;
    '[::]:'* | :::*) entry="[::1]:${entry##*:}" ;;
  esac
  printf '%s' "$entry"
}

in_gateway() { docker compose exec -T gateway "$@"; }
# Shows the end of the logs of containers that failed.
explain_failure() {
  local service
  for service in $(docker compose ps --all --format '{{.Service}} {{.State}} {{.Health}} {{.ExitCode}}' |
    sed -n '/ \(running healthy\|running \|exited \|created \) 0$/!s/ .*//p' | sort -u | head -n 3); do
    say "Last lines of the log of $service (./deploy.sh logs $service):"
    docker compose logs --no-log-prefix --tail 15 "$service" >&2
  done
  fail "${1-Could not start $PLATFORM}"
}

status() {
  local entry=$(gateway_entry)
  if [ -n "$entry" ]; then say "$PLATFORM is running at http://$entry"; else say "$PLATFORM is not running"; fi
  docker compose ps --all --format 'table {{.Service}}\t{{.State}}\t{{.Status}}'
}

scale() {
  local variable file
  case " $SERVICES " in *" ${1-} "*) ;; *) fail "Unknown service ${1-}. Available: $SERVICES" ;; esac
  case ${2-} in '' | *[!0-9]* | 0* | ????*) fail "The number of containers must be from 1 to 999, not ${2-}" ;; esac
  variable=$(printf '%s_REPLICAS' "$1" | tr 'a-z-' 'A-Z_')
  # .env may contain secrets: its copy has its mode, is where only you can enter, and replaces it at once.
  make_secrets_directory
  [ -e .env ] || (umask 077 && : >.env)
  file=$(readlink -f .env)
  cp -pf "$file" .secrets/env.new
  { grep -v "^$variable=" "$file" || [ $? = 1 ]; printf '%s=%s\n' "$variable" "$2"; } >.secrets/env.new
  mv -f .secrets/env.new "$file"
  if [ -n "$(gateway_entry)" ]; then docker compose up --detach --wait --no-build --no-deps --no-recreate "$1" >&2; fi
  say "$variable=$2 is set in .env"
}

migrate() {
  local service
  prepare
  for service in $SERVICES; do
    say "Migrating the database of $service"
    docker compose run --rm --no-TTY "$service.migrate" --all >&2
  done
}

destroy() {
  local answer kind image=$(docker compose config --images | grep "$NAME/${SERVICES%% *}:" | head -n 1)
  if [ "${1-}" != --yes ]; then
    [ -t 0 ] || fail 'destroy requires confirmation. Without a terminal, use ./deploy.sh destroy --yes'
    printf 'This deletes all containers, images and data of %s, and its secrets. Type %s to confirm: ' "$PLATFORM" "$project" >&2
    read -r answer
    [ "$answer" = "$project" ] || fail 'Canceled. Nothing was deleted.'
  fi
  docker compose --profile '*' down --volumes --remove-orphans --timeout 5 >&2
  # Those of services that are no longer in the definition.
  for kind in volume network; do
    docker "$kind" ls --quiet --filter "label=com.docker.compose.project=$project" | xargs docker "$kind" rm >/dev/null 2>&1 || true
  done
  docker image ls --format '{{.Repository}}:{{.Tag}}' | grep "^${image%"${SERVICES%% *}":*}[^/]*:${image##*:}$" | xargs docker image rm >&2 || true
  # Only what this script has created.
  rm -rf .deploy/gateway
  rm -f .secrets/*/{database-password,admin-password,gateway-credentials,tokens.json,env}{,.new} .secrets/{credentials,env}{,.new} .secrets/.gitignore
  rmdir .secrets/* .secrets .deploy 2>/dev/null || true
  say "Deleted $PLATFORM. The generated files are kept."
}

# --- Entry point ---

command=${1-up}
if [ $# -gt 0 ]; then shift; fi
case "$command $*" in
  'help ' | '--help ' | '-h ') sed -n '2,/^$/s/^# \{0,1\}//p' deploy.sh && exit ;;
  'up ' | 'status ' | 'stop ' | 'migrate ' | 'rotate ' | 'rotate --finish' | 'destroy ' | 'destroy --yes') ;;
  logs\ * | scale\ *) ;;
  *) fail "Unknown command $command $*. See ./deploy.sh help" ;;
esac
require_docker
case $command in
  status) status ;;
  logs) docker compose logs "$@" ;;
  stop) lock && docker compose stop ;;
  *) lock && "$command" "$@" ;;
esac
