#!/usr/bin/env bash
# Stands in for `docker`: writes down each call in $FAKE/calls. A file in $FAKE/faults makes a command fail and print
# it, one in $FAKE/answers replaces what it prints, and one in $FAKE/scripts is run in its place.
set -u
printf '%s\n' "$*" >>"$FAKE/calls"
command=$1
if [ "$1" = compose ]; then command=compose-$2; fi
if [ "$1" = volume ]; then command=volume-$2; fi
if [ -e "$FAKE/scripts/$command" ]; then . "$FAKE/scripts/$command"; fi
if [ -e "$FAKE/faults/$command" ]; then
  cat "$FAKE/faults/$command" >&2
  exit 1
fi
if [ -e "$FAKE/answers/$command" ]; then
  cat "$FAKE/answers/$command"
  exit
fi
case $command in
  version) echo 28.5.2 ;;
  compose-version) echo 2.40.3 ;;
  compose-config) case $* in *--images) echo demo/home:latest ;; *--services) printf '%s\n' gateway home home.migrate home-db ;; *) printf 'name: demo\nservices:\n  home:\n    name: x\n' ;; esac ;;
  compose-up) touch "$FAKE/up" ;;
  compose-stop | compose-down | compose---profile) rm -f "$FAKE/up" ;;
  compose-port) if [ -e "$FAKE/up" ]; then echo 0.0.0.0:8080; else exit 1; fi ;;
  volume-inspect) exit 1 ;;
  wait) echo 0 ;;
esac
