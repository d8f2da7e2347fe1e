
# --- Keys of services ---

# Writes the keys with which services call others for themselves. Each pair of services has its own, which neither the
# gateway nor other services know. $SERVICE_KEYS has one per line: the id of the credential that it is rotated with, the
# pair, and the key. The first key of a pair signs.
distribute_keys() {
  local call pair name id secret expires key keys all='' now=$(date +%s)
  [ -e "$SERVICE_KEYS" ] || : | write "$SERVICE_KEYS"
  for call in $CALLS; do
    pair=${call%=*} keys=''
    while read -r id secret expires; do
      if [ -n "$expires" ] && [ "$expires" -le "$now" ]; then continue; fi
      key=$(sed -n "s/^$id $pair //p" "$SERVICE_KEYS")
      [ -n "$key" ] || key=$(random_secret)
      keys="$keys$key"$'\n' all="$all$id $pair $key"$'\n'
    done <"$CREDENTIALS"
    for name in "${call#*=}" "$AUTHENTICATION"; do
      [ "$READERS" != gateway ] || name=gateway
      printf %s "$keys" | write "$SECRETS/$name/$pair.key"
    done
  done
  printf %s "$all" | write "$SERVICE_KEYS"
}
