
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
