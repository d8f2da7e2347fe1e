# Waits until all pods have the credentials. Kubernetes updates the files of a pod within two minutes, or at once when
# the pod itself changes.
await_readers() {
  kube annotate pods --selector "$PART" --overwrite "credentials=$(date +%s)" >/dev/null 2>&1 || true
  await_file service /run/secrets/gateway-credentials "${DATABASES%% *}/gateway-credentials"
  await_file gateway /etc/envoy/secrets/tokens.json gateway/tokens.json
  sleep "$READ_SECONDS"
}

# Waits until all pods of the component $1 have the file $2 as it is in the Secret $3. A pod that ends needs none.
await_file() {
  local pod
  for pod in $(kube get pods --selector "$PART,$COMPONENT=$1" --field-selector status.phase=Running --output name); do
    until kube exec "$pod" -- cat "$2" 2>/dev/null | cmp -s - "$SECRETS/$3"; do
      kube get "$pod" >/dev/null 2>&1 || break
      sleep 1
    done
  done
}

