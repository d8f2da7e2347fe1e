
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
