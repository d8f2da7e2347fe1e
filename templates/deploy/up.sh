
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
