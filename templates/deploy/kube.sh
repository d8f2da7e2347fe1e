
# Prints variable $1 of the environment or else of .env, where it may be quoted. Fails if it is not set, or empty.
variable() { { printenv "$1" || sed -n "s/^$1=//p" .env 2>/dev/null | tail -n 1 | tr -d '\r' | sed "s/^\(['\"]\)\(.*\)\1\$/\2/"; } | grep .; }

readonly PART="app.kubernetes.io/part-of=$NAMESPACE" COMPONENT=app.kubernetes.io/component
kube() { kubectl --context "$context" --namespace "$NAMESPACE" "$@"; }

require_cluster() {
  local answer
  command -v kubectl >/dev/null || fail 'kubectl is not installed: https://kubernetes.io/docs/tasks/tools/'
  context=$(variable KUBE_CONTEXT || kubectl config current-context 2>/dev/null) ||
    fail 'kubectl has no current context. Set KUBE_CONTEXT to one that kubectl config get-contexts shows'
  answer=$(kube auth can-i create deployments.apps --request-timeout 10s 2>&1) ||
    fail "No access to the namespace $NAMESPACE with the context $context. kubectl auth can-i create deployments.apps: ${answer##*$'\n'}"
}

require_overlay() {
  overlay=$(variable OVERLAY || echo local)
  [ -d "kube/overlays/$overlay" ] || fail "Unknown overlay $overlay. Available: $(cd kube/overlays && echo *)"
}

# --- Images and manifests ---

# Adds the image $1 of the service $2 to images, which names those of the manifests, for kustomizations.
add_image() { images="$images- {name: '$NAME/$2', newName: '${1%:*}', newTag: '${1##*:}'}"$'\n'; }

# Builds all images, and makes them available to the cluster.
build_images() {
  local name options file id image tags built='' databases=$DATABASES
  say "Building the images of $PLATFORM"
  images='' tags=$(variable TAGS || :)
  for name in $SERVICES gateway; do
    options="--build-arg SERVICE=$name --build-arg DATABASE=${databases%% *}-db" databases=${databases#* }
    [ "$name" != gateway ] || options='--file gateway/Dockerfile'
    for file in ${DOCKERFILES-}; do [ "${file%%=*}" != "$name" ] || options="$options --file ${file#*=} --build-arg TAGS=$tags"; done
    id=$(docker build --quiet --tag "$NAME/$name" $options .) || fail "Could not build the image of $name"
    image=$(variable REGISTRY)$NAME/$name:$(variable TAG || echo "${id:7:12}")
    docker tag "$NAME/$name" "$image"
    built="$built $image"
    add_image "$image" "$name"
  done
  publish $built || fail "Could not make the images available to the cluster of the context $context"
}

# Makes the images $1... available to the cluster.
publish() {
  local missing
  case $(variable REGISTRY)/$context in
    /docker-desktop | /orbstack | /rancher-desktop) ;;
    /kind-*) kind load docker-image --name "${context#kind-}" "$@" ;;
    /k3d-*) k3d image import --cluster "${context#k3d-}" "$@" ;;
    /minikube) minikube image load "$@" ;;
    /*)
      export CONTAINERD_ADDRESS=$(variable CONTAINERD_ADDRESS)
      [ -n "$CONTAINERD_ADDRESS" ] ||
        fail "The cluster of the context $context cannot pull images from this machine. Set REGISTRY to a registry such as registry.example.com/, or CONTAINERD_ADDRESS to the socket of its containerd on this machine"
      missing=$(printf 'docker.io/%s\n' "$@" | grep -vxF "$(ctr --namespace k8s.io images list --quiet)" || true)
      [ -z "$missing" ] || docker save $missing | ctr --namespace k8s.io images import -
      ;;
    *) printf '%s\n' "$@" | xargs -n 1 docker push --quiet ;;
  esac >&2
}

# Writes .deploy/overlay: the overlay with images, settings and the patch $1. The names of settings end in a hash of their
# content, so that pods whose settings change are replaced. So are the pods of all services when the URL of an external
# database changes. Sets manifests to the result.
write_overlay() {
  local name urls='' settings='' existing=''
  [ -z "$context" ] || existing=$(kube get secrets --output name)
  mkdir -p .deploy/overlay
  for name in AUTH_RATE_LIMIT CORS_ORIGINS GATEWAY_OPENAPI GATEWAY_THREADS TRUSTED_PROXIES; do
    printf '%s=%s\n' "$name" "$(variable "$name")"
  done >.deploy/overlay/gateway.env
  for name in $SERVICES; do
    [ -f "$name/.env" ] || ! grep -q "^secret/$name\.env-" <<<"$existing" ||
      fail "Missing $name/.env, whose settings are in the cluster. Restore the file, or make an empty one to remove the settings"
    [ ! -s "$name/.env" ] || settings="$settings- {name: $name.env, files: [env=../../$name/.env]}"$'\n'
  done
  [ -z "$context" ] ||
    urls=$(kube get secrets --output 'jsonpath={.items[?(@.data.url)].metadata.resourceVersion}')
  cat >.deploy/overlay/kustomization.yaml <<YAML
namespace: '$NAMESPACE'
resources: [../../kube/overlays/$overlay]
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
apply_overlay() { kube apply --server-side --force-conflicts --output name --selector "$1" --filename - <<<"$manifests"; }

# Creates the Secrets that do not exist: the passwords of databases, and the credential that signs tokens.
make_secrets() {
  local name existing
  existing=$(kube get secrets,persistentvolumeclaims --output name)
  for name in $PASSWORDS; do
    if grep -qx "secret/$name" <<<"$existing"; then continue; fi
    ! grep -qx "persistentvolumeclaim/data-$name-0" <<<"$existing" ||
      fail "Missing the Secret $name with the passwords of an existing database. Restore it from a backup, or delete all data with ./deploy.sh destroy."
    kube create secret generic "$name" --from-file=admin-password=<(random_secret) --from-file=database-password=<(random_secret) >&2
  done
  [ -n "$AUTHENTICATION" ] || return 0
  load_credentials
  [ -s "$CREDENTIALS" ] || printf 'auth-service-1 %s\n' "$(random_secret)" | write "$CREDENTIALS"
  distribute_credentials
}

# --- Migrations and rollouts ---

# Runs the Jobs of kube/migrate, unless they have run with these images and settings.
run_jobs() {
  local since=$SECONDS jobs="$PART,$COMPONENT=migration" needed="$COMPONENT in (migration,settings)"
  say "Migrating the databases of $PLATFORM"
  # Jobs cannot be changed. Those that have not succeeded, and those of another version, are replaced.
  kube delete jobs --selector "$jobs" --field-selector status.successful=0 --cascade=foreground >/dev/null
  if ! apply_overlay "$needed" >/dev/null 2>&1; then
    kube delete jobs --selector "$jobs" --cascade=foreground >/dev/null
    apply_overlay "$needed" >/dev/null
  fi
  until kube wait jobs --selector "$jobs" --for=condition=Complete --timeout=3s >/dev/null 2>&1; do
    stop_at_failure "$jobs" "$since" "Could not migrate the databases of $PLATFORM, and what was running is still running"
  done
}

# Starts the databases that do not run, with the passwords that do not exist.
start_databases() {
  apply_overlay "$COMPONENT=namespace" >/dev/null
  make_secrets
  say "Starting the databases of $PLATFORM"
  apply_overlay "$COMPONENT=database" >/dev/null
  wait_for_rollout "$PART,$COMPONENT=database"
}

migrate() {
  build_images
  write_overlay "{target: {kind: Job}, patch: '- {op: add, path: /spec/template/spec/containers/0/args/-, value: --all}'}, "
  start_databases
  kube delete jobs --selector "$PART,$COMPONENT=migration" --cascade=foreground >/dev/null
  run_jobs
  kube logs --selector "$PART,$COMPONENT=migration" --prefix >&2
}

# Waits until all workloads with the labels $1 are rolled out.
wait_for_rollout() {
  local status said='' since=$SECONDS
  while true; do
    # The cluster may be too busy to respond.
    status=$(kube rollout status deployments,statefulsets --selector "$1" --watch=false 2>&1) || true
    [[ $status != *'exceeded its progress deadline'* ]] || since=-600
    status=$(grep -v -e 'successfully rolled out' -e ' complete' -e '^No resources found' <<<"$status") || return 0
    [ "$status" = "$said" ] || say "$status"
    said=$status
    stop_at_failure "$1" "$since" "Could not start $PLATFORM"
    # On a small machine, looking more often would slow down what it waits for.
    sleep 3
  done
}

# Fails with the message $3 if a pod with the labels $1 cannot start, and shows its last events and log lines. Since $2, it
# may take 90 s to be scheduled and 600 s to be ready, as may all pods that were there before, which this run may replace.
stop_at_failure() {
  local pod states problem='Err|BackOff|InvalidImageName|PodFailed' earlier=$earlier_pods
  [ "$((SECONDS - $2))" -lt 90 ] || problem="$problem|Unschedulable"
  [ "$((SECONDS - $2))" -lt 600 ] || problem="$problem|NotReady" earlier=''
  while read -r pod states; do
    if [[ ! $states =~ [A-Za-z]*($problem)[A-Za-z]* ]] || grep -qx "pod/$pod" <<<"$earlier"; then continue; fi
    say "Last events and log lines of the pod $pod:"
    # Its volume claim has its name too.
    kube events --types Warning --no-headers | grep -F "$pod" | tail -n 5 >&2 || true
    kube logs "$pod" --tail 15 >&2 || true
    fail "$3: the pod $pod has ${BASH_REMATCH[0]}"
  done < <(kube get pods --selector "$1" --no-headers --output 'custom-columns=:.metadata.name,:.status.containerStatuses[*].state.waiting.reason,:.status.conditions[?(@.status=="False")].reason')
  # A migration that runs may take hours.
  [ "$((SECONDS - $2))" -ge 600 ] && ! kube get pods --selector "$1,$COMPONENT=migration" | grep Running >/dev/null || return 0
  kube events --types Warning --no-headers | tail -n 5 >&2 || true
  fail "$3: pods are missing"
}

# Deletes what earlier deployments made and this one did not: $1. Volumes, passwords and credentials stay.
remove_obsolete() {
  local obsolete=$(kube get deployments,statefulsets,jobs,services,configmaps,secrets,serviceaccounts,networkpolicies,poddisruptionbudgets,horizontalpodautoscalers \
    --selector "$PART,$COMPONENT!=secret" --output name | grep -vxF "$1" || true)
  [ -z "$obsolete" ] || kube delete --wait=false $obsolete >&2
}

# Fails while a server has data that #database(server: ...) has moved elsewhere since.
require_moved() {
  local name existing=$(kube get statefulsets --selector "$PART,$COMPONENT=database" --output name)
  for name in $FORMER_SERVERS; do
    ! grep -qx "statefulset.apps/$name" <<<"$existing" ||
      fail "The database server $name is no longer in the definition, but it has data. Move the data with the commands that portico generate has printed, which also delete the StatefulSet $name"
  done
}

# --- Commands ---

up() {
  local applied endpoint
  say "Deploying $PLATFORM to the cluster of the context $context, with kube/overlays/$overlay"
  require_moved
  build_images
  write_overlay
  start_databases
  run_jobs
  applied=$(apply_overlay '')
  wait_for_rollout "$PART,$COMPONENT!=migration,app.kubernetes.io/name in (gateway,${SERVICES// /,})"
  remove_obsolete "$applied"
  endpoint=$(gateway_entry)
  kube exec deployment/gateway -- bash /etc/envoy/start.sh await "$GATEWAY_PORT_INSIDE" $PATHS || fail "Could not start $PLATFORM"
  say "$PLATFORM is running at http://$endpoint"
  printf 'GATEWAY_ENTRY=%s\n' "$endpoint"
}

# Prints host:port of the gateway: the address of its load balancer or of a node, or its name within the cluster.
gateway_entry() {
  local host=127.0.0.1 port=nodePort
  case $(kube get service gateway --output 'jsonpath={.spec.type}')/$context in
    ClusterIP/*) host=gateway.$NAMESPACE.svc port=port ;;
    LoadBalancer/*)
      say 'Waiting for the address of the load balancer'
      kube wait service/gateway --for=jsonpath='{.status.loadBalancer.ingress}' --timeout=600s >&2 || return
      port=port host=$(kube get service gateway --output 'jsonpath={.status.loadBalancer.ingress[0].hostname}{.status.loadBalancer.ingress[0].ip}')
      ;;
    */docker-desktop | */orbstack | */rancher-desktop) ;;
    *) host=$(kube get nodes --output 'jsonpath={.items[0].status.addresses[?(@.type=="InternalIP")].address}') ;;
  esac
  kube get service gateway --output "jsonpath=${host%% *}:{.spec.ports[0].$port}"
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
  if [ "${1-}" != --yes ]; then
    say "This deletes the namespace $NAMESPACE of the context $context, with all pods, secrets and data. Type $NAMESPACE to confirm:"
    { read -r && [ "$REPLY" = "$NAMESPACE" ]; } || fail 'Canceled. Nothing was deleted. Without a terminal, use ./deploy.sh destroy --yes'
  fi
  kube delete namespace "$NAMESPACE" --ignore-not-found >&2
  rm -rf .deploy
  say "Deleted $PLATFORM. The generated files are kept."
}

# --- Without a cluster, for GitOps ---

# Sets the tag of images to that of --tag $2, or else to TAG.
require_tag() {
  [ -z "${2-}" ] || export TAG=$2
  [[ $(variable TAG) =~ ^[A-Za-z0-9_][A-Za-z0-9_.-]*$ ]] || fail "Set the tag of the images: ./deploy.sh $command --tag <tag>"
}

images() {
  require_tag "$@"
  variable REGISTRY >/dev/null || fail 'Set REGISTRY to the registry of the images, such as registry.example.com/'
  build_images
}

# Jobs cannot be changed: Argo CD and Flux replace them. Argo CD changes Deployments after them.
render() {
  local name
  require_tag "$@"
  images=''
  for name in $SERVICES gateway; do add_image "$(variable REGISTRY || :)$NAME/$name:$(variable TAG)" "$name"; done
  write_overlay "{target: {kind: Job}, patch: '{apiVersion: x, kind: x, metadata: {name: x, annotations: {argocd.argoproj.io/hook: Sync,
    argocd.argoproj.io/hook-delete-policy: BeforeHookCreation, argocd.argoproj.io/sync-wave: \"1\", kustomize.toolkit.fluxcd.io/force: enabled}}}'},
  {target: {kind: Deployment}, patch: '{apiVersion: x, kind: x, metadata: {name: x, annotations: {argocd.argoproj.io/sync-wave: \"2\"}}}'},
  "
  printf '%s\n' "$manifests"
}

# --- Entry point ---

case ${*:-up} in
  help | --help | -h) sed -n '2,/^$/s/^# \{0,1\}//p' deploy.sh && exit ;;
  images | render | 'images --tag '?* | 'render --tag '?*) command=$1 context='' ;;
  up | status | logs | logs\ * | scale\ * | migrate | rotate | 'rotate --finish' | destroy | 'destroy --yes') ;;
  *) fail "Unknown command $*. See ./deploy.sh help" ;;
esac
require_overlay
if [ -z "${context-x}" ]; then
  lock
  "$1" "${@:2}"
  exit
fi
require_cluster
[[ ${1-} =~ ^(status|logs)$ ]] || lock
earlier_pods=$(kube get pods --output name)
"${@:-up}"
