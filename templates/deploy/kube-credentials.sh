
# The Secret gateway-credentials has all files of $SECRETS/gateway: the credentials, and what the services and the gateway
# read. The directory exists only during this run.
load_credentials() {
  SECRETS=$(mktemp -d)
  readonly SECRETS CREDENTIALS=$SECRETS/gateway/credentials READERS=gateway
  trap 'rm -rf "$SECRETS"' EXIT
  mkdir "$SECRETS/gateway"
  kube get secret gateway-credentials --ignore-not-found --output go-template='{{.data.credentials | base64decode}}' >"$CREDENTIALS"
}

store_credentials() {
  kube create secret generic gateway-credentials --from-file "$SECRETS/gateway" --dry-run=client --output yaml |
    kube apply --server-side --force-conflicts --filename - >/dev/null
}

# Waits until all pods have the credentials. Kubernetes updates the files of a pod within two minutes, or at once when
# the pod itself changes. Services look for new ones every two seconds.
await_readers() {
  local pod limit=$((SECONDS + 300)) sums=$(cd "$SECRETS/gateway" && cksum <gateway-credentials && cksum <tokens.json)
  kube annotate pods --selector "$PART" --overwrite "credentials=$(date +%s)" >/dev/null 2>&1 || true
  for pod in $(kube get pods --selector "$PART,$COMPONENT in (service,gateway)" --field-selector status.phase=Running --output name); do
    until kube exec "$pod" -- sh -c 'cat /run/secrets/gateway-credentials || cat /etc/envoy/secrets/tokens.json' 2>/dev/null |
      cksum | grep -qxF "$sums"; do
      # A pod that ends or cannot start needs none.
      kube get "$pod" --output 'jsonpath={.status.containerStatuses[*].state}' 2>/dev/null | grep -q running || break
      [ "$SECONDS" -lt "$limit" ] || fail "$pod has not received the new credential within 5 minutes. Run source deploy.sh, and then rotate again"
      sleep 1
    done
  done
  sleep 5
}
