
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
