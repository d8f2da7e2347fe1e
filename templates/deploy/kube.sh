
# Prints variable $1 of the environment or else of .env, where it may be quoted.
variable() { printenv "$1" || { [ -f .env ] && sed -n "s/^$1=//p" .env | tail -n 1 | sed "s/^\(['\"]\)\(.*\)\1\$/\2/"; } || true; }

kube() { kubectl --context "$context" --namespace "$NAMESPACE" "$@"; }
# Applies the objects of standard input, and prints their names.
apply() { kube apply --server-side --force-conflicts --output name --filename - "$@"; }

readonly PART="app.kubernetes.io/part-of=$NAMESPACE" COMPONENT=app.kubernetes.io/component

require_cluster() {
  local answer
  command -v kubectl >/dev/null || fail 'kubectl is not installed: https://kubernetes.io/docs/tasks/tools/'
  context=$(variable KUBE_CONTEXT)
  context=${context:-$(kubectl config current-context 2>/dev/null || true)}
  [ -n "$context" ] || fail 'kubectl has no current context. Set KUBE_CONTEXT to one that kubectl config get-contexts shows'
  answer=$(kube get --raw /version --request-timeout 10s 2>&1) ||
    fail "The cluster of the context $context does not respond: ${answer##*$'\n'}"
  answer=$(sed -n 's/.*"gitVersion": *"v\([^"]*\)".*/\1/p' <<<"$answer")
  at_least "$answer" 1.30 || fail "Kubernetes 1.30 or later is required; the cluster of the context $context has $answer"
  kube auth can-i create deployments.apps --quiet 2>/dev/null ||
    fail "The context $context is not permitted to create deployments.apps in the namespace $NAMESPACE"
  overlay=$(variable OVERLAY)
  overlay=${overlay:-local}
  [ -d "kube/overlays/$overlay" ] || fail "Unknown overlay $overlay. Available: $(cd kube/overlays && echo *)"
}

# --- Images ---

# Builds all images, and makes them available to the cluster. Sets images to their names and tags, for kustomizations.
build_images() {
  local name databases=$DATABASES references=''
  say "Building the images of $PLATFORM"
  images=''
  for name in $SERVICES; do
    build "$name" --build-arg "SERVICE=$name" --build-arg "DATABASE=${databases%% *}-db"
    databases=${databases#* }
  done
  build gateway --file gateway/Dockerfile
  publish $references || fail "Could not make the images available to the cluster of the context $context"
}

# Builds the image of $1, and adds it to images and references.
build() {
  local id image=$(variable REGISTRY)$NAME/$1 tag=$(variable TAG)
  id=$(docker build --quiet --tag "$NAME/$1" "${@:2}" .) || fail "Could not build the image of $1"
  tag=${tag:-${id:7:12}}
  docker tag "$NAME/$1" "$image:$tag"
  references="$references $image:$tag"
  images="$images- {name: '$NAME/$1', newName: '$image', newTag: '$tag'}"$'\n'
}

# Makes the images $1... available to the cluster.
publish() {
  local image missing
  if [ -n "$(variable REGISTRY)" ]; then
    for image in "$@"; do docker push --quiet "$image" >&2 || return; done
    return
  fi
  case $context in
    docker-desktop | orbstack | rancher-desktop) ;;
    kind-*) kind load docker-image --name "${context#kind-}" "$@" >&2 ;;
    k3d-*) k3d image import --cluster "${context#k3d-}" "$@" >&2 ;;
    minikube) minikube image load "$@" >&2 ;;
    *)
      export CONTAINERD_ADDRESS=$(variable CONTAINERD_ADDRESS)
      [ -n "$CONTAINERD_ADDRESS" ] ||
        fail "The cluster of the context $context cannot pull images from this machine. Set REGISTRY to a registry such as registry.example.com/, or CONTAINERD_ADDRESS to the socket of its containerd on this machine"
      missing=$(printf 'docker.io/%s\n' "$@" | grep -vxF "$(ctr --namespace k8s.io images list --quiet)" || true)
      [ -z "$missing" ] || docker save $missing | ctr --namespace k8s.io images import - >&2
      ;;
  esac
}

# --- Manifests ---

# Writes .deploy/overlay: the overlay and the Jobs of kube/migrate, with images, settings and the patch $1. The names of
# settings end in a hash of their content, so that pods whose settings change are replaced. So are the pods of all
# services when the URL of an external database changes. Sets manifests to the result.
write_overlay() {
  local name urls settings=''
  mkdir -p .deploy/overlay
  for name in AUTH_RATE_LIMIT CORS_ORIGINS GATEWAY_OPENAPI GATEWAY_THREADS TRUSTED_PROXIES; do
    printf '%s=%s\n' "$name" "$(variable "$name")"
  done >.deploy/overlay/gateway.env
  for name in $SERVICES; do
    [ ! -f "$name/.env" ] || settings="$settings- {name: $name.env, files: [env=../../$name/.env]}"$'\n'
  done
  urls=$(kube get secrets --output 'jsonpath={.items[?(@.data.url)].metadata.resourceVersion}')
  cat >.deploy/overlay/kustomization.yaml <<YAML
namespace: '$NAMESPACE'
resources: [../../kube/overlays/$overlay, ../../kube/migrate]
images:
${images}generatorOptions: {labels: {app.kubernetes.io/part-of: '$NAMESPACE', $COMPONENT: settings}}
configMapGenerator: [{name: gateway-settings, envs: [gateway.env]}]
secretGenerator:
${settings}patches: [${1-}{target: {kind: Deployment|Job, labelSelector: '$COMPONENT in (service,migration)'},
  patch: '{apiVersion: x, kind: x, metadata: {name: x}, spec: {template: {metadata: {annotations: {databases: ${urls:+at $urls}}}}}}'}]
YAML
  manifests=$(kubectl kustomize --load-restrictor LoadRestrictionsNone .deploy/overlay)
}

# Applies the manifests with the labels $1, or all, and prints their names.
apply_overlay() { apply --selector "$1" <<<"$manifests"; }

# Creates the Secrets that do not exist: the passwords of databases, and the credential that signs tokens.
make_secrets() {
  local name existing
  existing=$(kube get secrets,persistentvolumeclaims --output name)
  for name in $DATABASES; do
    if grep -qx "secret/$name-db" <<<"$existing"; then continue; fi
    ! grep -qx "persistentvolumeclaim/data-$name-db-0" <<<"$existing" ||
      fail "Missing the Secret $name-db with the passwords of an existing database. Restore it from a backup, or delete all data with ./deploy.sh destroy."
    kube create secret generic "$name-db" --from-file=admin-password=<(random_secret) --from-file=database-password=<(random_secret) >&2
  done
  [ -n "$AUTHENTICATION" ] || return 0
  load_credentials
  [ -s "$CREDENTIALS" ] || printf 'auth-service-1 %s\n' "$(random_secret)" | write "$CREDENTIALS"
  distribute_credentials
}

# --- Migrations and rollouts ---

# Runs the Jobs of kube/migrate, unless they have run with these images and settings.
run_jobs() {
  local ending unfinished since=$SECONDS jobs="$PART,$COMPONENT=migration" needed="$COMPONENT in (migration,settings)"
  say "Migrating the databases of $PLATFORM"
  # Pods of the previous version respond for some seconds more, and need what a migration may remove.
  ending=$(kube get pods --selector "$PART" --output 'jsonpath={.items[?(@.metadata.deletionTimestamp)].metadata.name}')
  [ -z "$ending" ] || kube wait pods $ending --for=delete --timeout=60s >/dev/null 2>&1 || true
  # Jobs cannot be changed. Those that have not succeeded, and those of another version, are replaced.
  unfinished=$(kube get jobs --selector "$jobs" --field-selector status.successful=0 --output name)
  if [ -n "$unfinished" ] || ! apply_overlay "$needed" >/dev/null 2>&1; then
    kube delete jobs --selector "$jobs" --cascade=foreground >/dev/null
    apply_overlay "$needed" >/dev/null
  fi
  until kube wait jobs --selector "$jobs" --for=condition=Complete --timeout=3s >/dev/null 2>&1; do
    stop_at_failure "$jobs" "$since" "Could not migrate the databases of $PLATFORM, and what was running is still running"
  done
}

migrate() {
  kube get namespace "$NAMESPACE" >/dev/null 2>&1 || fail "$PLATFORM is not deployed yet. Start it with source deploy.sh"
  build_images
  write_overlay "{target: {kind: Job}, patch: '- {op: add, path: /spec/template/spec/containers/0/args/-, value: --all}'}, "
  kube delete jobs --selector "$PART,$COMPONENT=migration" --cascade=foreground >/dev/null
  run_jobs
  kube logs --selector "$PART,$COMPONENT=migration" --prefix >&2
}

# Waits until all workloads with the labels $1 are rolled out.
wait_for_rollout() {
  local status said='' since=$SECONDS
  while true; do
    # This fails if a Deployment has made no progress for too long.
    status=$(kube rollout status deployments,statefulsets --selector "$1" --watch=false 2>&1) || since=-600
    status=$(grep -v -e 'successfully rolled out' -e ' complete' -e '^No resources found' <<<"$status") || return 0
    [ "$status" = "$said" ] || say "$status"
    said=$status
    stop_at_failure "$1" "$since" "Could not start $PLATFORM"
    [ "$((SECONDS - since))" -lt 600 ] || fail "Could not start $PLATFORM: $status"
    # On a small machine, looking more often would slow down what it waits for.
    sleep 3
  done
}

# Fails with the message $3 if a pod with the labels $1 cannot start or, as with a quota, be made, and shows its last events
# and log lines. Since $2, it may take 90 s to be scheduled and 600 s to be ready, as may all pods that were there before.
stop_at_failure() {
  local pod reason conditions allowed problem
  while read -r pod reason conditions; do
    case "$reason $conditions" in
      *Err* | *BackOff* | *InvalidImageName* | *PodFailed*) allowed=0 ;;
      *Unschedulable*) allowed=90 ;;
      *NotReady*) allowed=600 ;;
      *) continue ;;
    esac
    ! grep -qx "pod/$pod" <<<"$earlier_pods" || allowed=600
    [ "$((SECONDS - $2))" -ge "$allowed" ] || continue
    say "Last events and log lines of the pod $pod:"
    # Its volume claim has its name too.
    kube events --types Warning --no-headers | grep -F "$pod" | tail -n 5 >&2 || true
    kube logs "$pod" --tail 15 >&2 || true
    fail "$3: the pod $pod has ${reason/<none>/${conditions%%,*}}"
  done < <(kube get pods --selector "$1" --no-headers --output 'custom-columns=:.metadata.name,:.status.containerStatuses[*].state.waiting.reason,:.status.conditions[?(@.status=="False")].reason')
  problem=$(kube get deployments --selector "$1" --output 'jsonpath={.items[*].status.conditions[?(@.type=="ReplicaFailure")].message}')
  [ "$((SECONDS - $2))" -lt 120 ] || problem=${problem:-$(kube get jobs,statefulsets --selector "$1" --output go-template='{{range .items}}{{if not (or .status.active .status.succeeded .status.failed .status.replicas (and (eq .kind "StatefulSet") (not .spec.replicas)))}}the {{.kind}} {{.metadata.name}} has no pod. {{end}}{{end}}')}
  [ -z "$problem" ] || { kube events --types Warning --no-headers | tail -n 5 >&2 || true; fail "$3: $problem"; }
}

# Deletes what earlier deployments made and this one did not: $1. Volumes, passwords and credentials stay.
remove_obsolete() {
  local obsolete
  obsolete=$(kube get deployments,statefulsets,jobs,services,configmaps,secrets,serviceaccounts,networkpolicies,poddisruptionbudgets,horizontalpodautoscalers \
    --selector "$PART,$COMPONENT!=secret" --output name | grep -vxF "$1" || true)
  [ -z "$obsolete" ] || kube delete --wait=false $obsolete >&2
}

# --- Commands ---

up() {
  local applied endpoint
  say "Deploying $PLATFORM to the cluster of the context $context, with kube/overlays/$overlay"
  build_images
  write_overlay
  apply_overlay "$COMPONENT=namespace" >/dev/null
  make_secrets
  say "Starting the databases of $PLATFORM"
  apply_overlay "$COMPONENT=database" >/dev/null
  wait_for_rollout "$PART,$COMPONENT=database"
  run_jobs
  applied=$(apply_overlay '')
  wait_for_rollout "$PART,$COMPONENT!=migration,app.kubernetes.io/name in (gateway,${SERVICES// /,})"
  remove_obsolete "$applied"
  endpoint=$(gateway_entry)
  wait_for_responses || fail "Could not start $PLATFORM"
  say "$PLATFORM is running at http://$endpoint"
  printf 'GATEWAY_ENTRY=%s\n' "$endpoint"
}

in_gateway() { kube exec deployment/gateway -- "$@"; }

# Prints host:port at which the gateway can be reached: the address of its load balancer or of a node, or its name within
# the cluster.
gateway_entry() {
  local type host=127.0.0.1
  type=$(kube get service gateway --output 'jsonpath={.spec.type}')
  case $type/$context in
    ClusterIP/*) printf '%s' "gateway.$NAMESPACE.svc:80" && return ;;
    LoadBalancer/*)
      say 'Waiting for the address of the load balancer'
      kube wait service/gateway --for=jsonpath='{.status.loadBalancer.ingress}' --timeout=600s >&2 ||
        fail 'The load balancer of the gateway has no address'
      kube get service gateway --output 'jsonpath={.status.loadBalancer.ingress[0].hostname}{.status.loadBalancer.ingress[0].ip}:{.spec.ports[0].port}'
      return
      ;;
    NodePort/docker-desktop | NodePort/orbstack | NodePort/rancher-desktop) ;;
    *) host=$(kube get nodes --output 'jsonpath={.items[0].status.addresses[?(@.type=="InternalIP")].address}') ;;
  esac
  kube get service gateway --output "jsonpath=${host%% *}:{.spec.ports[0].nodePort}"
}

status() { kube get services,deployments,statefulsets,pods --selector "$PART"; }

logs() {
  local selector=$PART
  [[ ! ${1-} =~ ^[^-] ]] || { selector="app.kubernetes.io/name=$1,$COMPONENT!=migration" && shift; }
  kube logs --selector "$selector" --prefix --max-log-requests 100 "$@"
}

scale() {
  kube scale "deployment/${1-}" --replicas "${2-}" >&2
  wait_for_rollout "$PART,app.kubernetes.io/name=$1,$COMPONENT!=migration"
}

destroy() {
  local answer
  if [ "${1-}" != --yes ]; then
    [ -t 0 ] || fail 'destroy requires confirmation. Without a terminal, use ./deploy.sh destroy --yes'
    printf 'This deletes the namespace %s of the context %s, with all pods, secrets and data. Type %s to confirm: ' "$NAMESPACE" "$context" "$NAMESPACE" >&2
    read -r answer
    [ "$answer" = "$NAMESPACE" ] || fail 'Canceled. Nothing was deleted.'
  fi
  kube delete namespace "$NAMESPACE" --ignore-not-found >&2
  rm -rf .deploy
  say "Deleted $PLATFORM. The generated files are kept."
}

# --- Entry point ---

case ${*:-up} in
  help | --help | -h) usage && exit ;;
  up | status | logs | logs\ * | scale\ * | migrate | rotate | 'rotate --finish' | destroy | 'destroy --yes') ;;
  *) fail "Unknown command $*. See ./deploy.sh help" ;;
esac
require_cluster
earlier_pods=$(kube get pods --output name)
[[ ${1-} =~ ^(status|logs)$ ]] || lock
"${@:-up}"
