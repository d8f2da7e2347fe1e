
# --- Jobs ---

# Shows the jobs of all services or of $2, or retries or discards those that have failed in all their attempts ($1).
jobs() {
  local service command
  case ${1-list} in list | retry | discard) ;; *) fail "Unknown action $1. See ./deploy.sh help" ;; esac
  case " $JOBS" in *" ${2-}="*) ;; *) [ -z "${2-}" ] || fail "$2 has no jobs" ;; esac
  for service in $JOBS; do
    command=${service#*=} service=${service%%=*}
    [ "${2-$service}" = "$service" ] || continue
    say "$service"
    in_service "$service" ${command//+/ } "${1-list}" ${3+"$3"} </dev/null
  done
}
