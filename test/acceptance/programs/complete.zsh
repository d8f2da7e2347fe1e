# complete.zsh SCRIPT LINE: what zsh would list for LINE, one candidate a line. It types LINE and a tab in an
# interactive zsh on a pseudoterminal, which sources this file too and prints every candidate that it adds.
if [[ -o interactive ]]; then
  autoload -Uz compinit
  compinit -u -d $HOME/.zcompdump
  source $PORTICO_COMPLETION
  compadd() {
    # With -O, -A or -D it fills arrays of its caller and adds no candidates.
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
      builtin compadd "$@"
      return $?
    fi
    local -a hits
    builtin compadd -A hits "$@"
    print -rl -- HIT:$^hits
    builtin compadd "$@"
  }
  after() { print -r -- DONE:DONE }
  complete-and-end() { zle complete-word; after }
  zle -N complete-and-end
  bindkey '^I' complete-and-end
  PROMPT= RPROMPT= PS2=
  print -r -- READY:READY
  return
fi

zmodload zsh/zpty
export PORTICO_COMPLETION=$1
zpty z zsh -f -i
zpty -w z "source ${(q)0:A}"
line=
until [[ $line == *READY:READY* ]]; do zpty -r z line || exit 1; done
zpty -w -n z "$2"$'\t'
until [[ $line == *DONE:DONE* ]]; do
  zpty -r z line || exit 1
  [[ $line == *HIT:* ]] && print -r -- ${${line##*HIT:}%%[$'\r\n']*}
done
zpty -d z
