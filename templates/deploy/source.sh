# Sourced in bash or zsh, it takes no arguments, and runs in a process of its own: nothing but GATEWAY_ENTRY changes in this
# shell. After a failure, GATEWAY_ENTRY is unset and the status is 1, or 0 under `set -e`, which would end this shell.
# Lists of services and paths are split into words, and programs of other languages are in single quotes.
# shellcheck disable=SC2016,SC2046,SC2086,SC2155

if case ${BASH_VERSION:+bash}${ZSH_VERSION:+zsh} in
  bash) (\return 0) 2>/dev/null ;;
  zsh) case ":${ZSH_EVAL_CONTEXT-}:" in *:file:*) ;; *) (\exit 1) ;; esac ;;
  *) (\exit 1) ;;
esac; then
  \builtin export GATEWAY_ENTRY="$(
    file=${BASH_SOURCE[0]-}
    # zsh does not export a variable that precedes `source`.
    case $file in '') \builtin eval 'file=${(%):-%x}; \builtin export -- ${(Mk)parameters[(R)scalar]:#[A-Z]*}' ;; esac
    entry=$(\command bash -p -- "$file") && \builtin printf %s "${entry#GATEWAY_ENTRY=}"
  )"
  case $GATEWAY_ENTRY in
    '') \builtin unset GATEWAY_ENTRY; case $- in *e*) ;; *) \return 1 ;; esac ;;
  esac
  \return 0
fi
# `sh deploy.sh` and `zsh deploy.sh`.
[ -n "${BASH_VERSION-}" ] || exec bash -- "$0" "$@"
