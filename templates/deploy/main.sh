
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
