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
