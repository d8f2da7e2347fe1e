
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
