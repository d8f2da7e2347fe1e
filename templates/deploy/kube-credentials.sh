
# --- Credentials in the cluster ---
# The Secret gateway-credentials has all files of $SECRETS/gateway: the credentials, and what the services and the gateway
# read. The directory exists only during this run.

readonly READERS=gateway

load_credentials() {
  SECRETS=$(mktemp -d)
  readonly SECRETS CREDENTIALS=$SECRETS/gateway/credentials
  trap 'rm -rf "$SECRETS"' EXIT
  mkdir "$SECRETS/gateway"
  kube get secret gateway-credentials --ignore-not-found --output go-template='{{.data.credentials | base64decode}}' >"$CREDENTIALS"
}

store_credentials() {
  kube create secret generic gateway-credentials --from-file "$SECRETS/gateway" --dry-run=client --output yaml | apply >/dev/null
}

# Waits until all pods have the credentials. Kubernetes updates the files of a pod within two minutes, or at once when
# the pod itself changes.
await_readers() {
  kube annotate pods --selector "$PART" --overwrite "credentials=$(date +%s)" >/dev/null 2>&1 || true
  await_file service /run/secrets/gateway-credentials
  await_file gateway /etc/envoy/secrets/tokens.json
  sleep "$READ_SECONDS"
}

# Waits until all pods of the component $1 have the new file $2. A pod that ends or cannot start needs none.
await_file() {
  local pod limit=$((SECONDS + 300))
  for pod in $(kube get pods --selector "$PART,$COMPONENT=$1" --field-selector status.phase=Running --output name); do
    until kube exec "$pod" -- cat "$2" 2>/dev/null | cmp -s - "$SECRETS/gateway/${2##*/}"; do
      kube get "$pod" --output 'jsonpath={.status.containerStatuses[*].state}' 2>/dev/null | grep -q running || break
      [ "$SECONDS" -lt "$limit" ] || fail "$pod has not received the new credential within 5 minutes. Run source deploy.sh, and then rotate again"
      sleep 1
    done
  done
}
