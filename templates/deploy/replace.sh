
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
