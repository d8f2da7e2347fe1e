usage() {
  cat <<USAGE
Builds $PLATFORM and runs it on Kubernetes.

  source deploy.sh                 Build and roll out what is new or changed, and set GATEWAY_ENTRY
  ./deploy.sh                      The same, without setting GATEWAY_ENTRY in your shell
  ./deploy.sh status               Show the state of all Services, workloads and pods
  ./deploy.sh logs [service]       Show logs; options are those of kubectl logs (-f, --tail 50)
  ./deploy.sh scale <service> <n>  Run n pods of a service or of the gateway, now and after later deployments
  ./deploy.sh migrate              Apply all pending migrations, including those that wait for the next deployment
  ./deploy.sh rotate               Replace the credential that signs tokens; the old one stays valid for 24 hours
  ./deploy.sh rotate --finish      Revoke the old credential now
  ./deploy.sh destroy [--yes]      Delete the namespace $NAMESPACE with all pods, secrets and data, after confirmation

README.md describes the variables, such as KUBE_CONTEXT, OVERLAY and REGISTRY. All secrets are Secrets in the cluster.
USAGE
}

# Prints variable $1 of the environment or else of .env.
variable() { printenv "$1" || { [ -f .env ] && sed -n "s/^$1=//p" .env | tail -n 1; } || true; }

kube() { kubectl --context "$context" --namespace "$NAMESPACE" "$@"; }
apply() { kube apply --server-side --force-conflicts "$@"; }

readonly PART="app.kubernetes.io/part-of=$NAMESPACE" COMPONENT=app.kubernetes.io/component

require_cluster() {
  local contexts answer
  command -v kubectl >/dev/null || fail 'kubectl is not installed: https://kubernetes.io/docs/tasks/tools/'
  contexts=$(kubectl config get-contexts --output name | paste -sd ' ' -)
  context=$(variable KUBE_CONTEXT)
  context=${context:-$(kubectl config current-context 2>/dev/null || true)}
  [ -n "$context" ] || fail "kubectl has no current context. Set KUBE_CONTEXT to one of: ${contexts:-(there are none)}"
  case " $contexts " in *" $context "*) ;; *) fail "Unknown context $context. Set KUBE_CONTEXT to one of: $contexts" ;; esac
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
  local id image tag
  id=$(docker build --quiet --tag "$NAME/$1" "${@:2}" .) || fail "Could not build the image of $1"
  id=${id#sha256:}
  image=$(variable REGISTRY)$NAME/$1
  tag=$(variable TAG)
  tag=${tag:-${id:0:12}}
  docker tag "$NAME/$1" "$image:$tag"
  references="$references $image:$tag"
  images="$images- {name: '$NAME/$1', newName: '$image', newTag: '$tag'}"$'\n'
}

# Makes the images $1... available to the cluster.
publish() {
  local image present missing=''
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
      present=$(ctr --namespace k8s.io images list --quiet) || return
      for image in "$@"; do
        case $present in *"/$image"*) ;; *) missing="$missing $image" ;; esac
      done
      [ -z "$missing" ] || docker save $missing | ctr --namespace k8s.io images import - >&2
      ;;
  esac
}

# --- Manifests ---

# Writes .deploy/overlay, which adds images and settings to the overlay.
write_overlay() {
  local name value literals='' patches=''
  for name in AUTH_RATE_LIMIT CORS_ORIGINS GATEWAY_OPENAPI GATEWAY_THREADS TRUSTED_PROXIES; do
    value=$(variable "$name")
    [ -z "$value" ] || literals="$literals'$name=${value//\'/\'\'}', "
  done
  # A service whose settings change is rolled out again.
  for name in $SERVICES; do
    [ ! -f "$name/.env" ] ||
      patches="$patches- patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: $name}, spec: {template: {metadata: {annotations: {settings: $(cksum <"$name/.env" | tr ' ' x)}}}}}'"$'\n'
  done
  mkdir -p .deploy/overlay
  cat >.deploy/overlay/kustomization.yaml <<YAML
namespace: $NAMESPACE
resources: [../../kube/overlays/$overlay]
images:
${images}configMapGenerator:
- name: gateway-settings
  options: {labels: {${PART/=/: }, $COMPONENT: gateway}}
  literals: [$literals]
patches:
$patches
YAML
}

# Applies the manifests with the labels $1, or all. Prints the names of the objects.
apply_overlay() {
  apply --kustomize .deploy/overlay --selector "${1-}" --output name || fail "The cluster does not accept the manifests of kube/overlays/$overlay"
}

# --- Secrets ---

# Copies the Secrets of the cluster into a directory that exists only during this run.
fetch_secrets() {
  local name key value
  SECRETS=$(mktemp -d)
  CREDENTIALS=$SECRETS/gateway-credentials/credentials
  trap 'rm -rf "$SECRETS"' EXIT
  kube get secrets --selector "$PART,$COMPONENT=secret" --output go-template='{{range .items}}{{$name := .metadata.name}}{{range $key, $value := .data}}{{$name}} {{$key}} {{$value}}{{"\n"}}{{end}}{{end}}' |
    while read -r name key value; do
      mkdir -p "$SECRETS/$name"
      base64 -d <<<"$value" >"$SECRETS/$name/$key"
    done
}

publish_secrets() {
  local directory file
  for directory in "$SECRETS"/*; do
    printf 'apiVersion: v1\nkind: Secret\nmetadata: {name: %s, labels: {%s, %s: secret}}\ndata:\n' "${directory##*/}" "${PART/=/: }" "$COMPONENT"
    for file in "$directory"/*; do printf '  %s: %s\n' "${file##*/}" "$(base64 <"$file" | tr -d '\n')"; done
    printf -- '---\n'
  done | apply --filename - >/dev/null
}

make_secrets() {
  local name path claims
  fetch_secrets
  claims=$(kube get persistentvolumeclaims --output name)
  for name in $DATABASES; do
    mkdir -p "$SECRETS/$name" "$SECRETS/$name-db"
    for path in "$name-db/admin-password" "$name/database-password"; do
      [ ! -s "$SECRETS/$path" ] || continue
      case $claims in *"/data-$name-db-0"*)
        fail "Missing ${path#*/} in the Secret ${path%/*}, a password of the existing database $name-db. Restore it from a backup, or delete all data with ./deploy.sh destroy." ;;
      esac
      random_secret | write "$SECRETS/$path"
    done
    write "$SECRETS/$name-db/database-password" <"$SECRETS/$name/database-password"
  done
  for name in $SERVICES; do
    mkdir -p "$SECRETS/$name.settings"
    # Empty without this file.
    cat "$name/.env" >"$SECRETS/$name.settings/env" 2>/dev/null || true
  done
  [ -n "$AUTHENTICATION" ] || { publish_secrets; return; }
  mkdir -p "$SECRETS/gateway-credentials"
  [ -f "$CREDENTIALS" ] || printf 'auth-service-1 %s\n' "$(random_secret)" | write "$CREDENTIALS"
  distribute_credentials
}

# --- Migrations and rollouts ---

# Runs the Jobs of kube/migrate, with the patches $2. $1 makes their names: Jobs with the same names run once.
run_jobs() {
  local ending failed since=$SECONDS selector="$PART,run=$1"
  [ "$(kube get jobs --selector "$selector" --field-selector status.successful=1 --output name | wc -l)" -lt "$(wc -w <<<"$SERVICES")" ] || return 0
  # Pods of the previous version respond for some seconds more, and need what a migration may remove.
  ending=$(kube get pods --selector "$PART" --output 'jsonpath={.items[?(@.metadata.deletionTimestamp)].metadata.name}')
  [ -z "$ending" ] || kube wait pods $ending --for=delete --timeout=60s >/dev/null 2>&1 || true
  failed=$(kube get jobs --selector "$selector" --output 'jsonpath={.items[?(@.status.failed)].metadata.name}')
  [ -z "$failed" ] || kube delete jobs $failed >/dev/null
  mkdir -p .deploy/migrate
  cat >.deploy/migrate/kustomization.yaml <<YAML
resources: [../../kube/migrate]
nameSuffix: '-$1'
labels: [{pairs: {run: '$1'}, includeTemplates: true}]
images:
${images}patches: [${2-}]
YAML
  say "Migrating the databases of $PLATFORM"
  apply --kustomize .deploy/migrate >/dev/null || fail 'The cluster does not accept the Jobs of kube/migrate'
  until kube wait jobs --selector "$selector" --for=condition=Complete --timeout=3s >/dev/null 2>&1; do
    require_progress "$selector" "Could not migrate the databases of $PLATFORM, and what was running is still running" "$since"
  done
}

migrate() {
  build_images
  run=$(date +%s | tail -c 9)
  run_jobs "$run" "{target: {kind: Job}, patch: '- {op: add, path: /spec/template/spec/containers/0/args/-, value: --all}'}"
  kube logs --selector "$PART,run=$run" --prefix >&2
}

# Waits until all workloads with the labels $1 run as they should, and says which ones it waits for.
wait_for_rollout() {
  local names said='' since=$SECONDS
  while names=$(unfinished "$1") && [ -n "$names" ]; do
    names=${names//$'\n'/, }
    [ "$names" = "$said" ] || say "Waiting for $names"
    said=$names
    # On a small machine, looking more often would slow down what it waits for.
    sleep 3
    require_progress "$1" "Could not start $names" "$since"
    [ "$((SECONDS - since))" -lt 600 ] || explain "Gave up after 600 s waiting for $names" $unready
  done
}

# Prints the names of workloads with the labels $1 that do not yet run as they should.
unfinished() {
  kube get deployments,statefulsets --selector "$1" --no-headers --output custom-columns=:.metadata.name,:.metadata.generation,:.status.observedGeneration,:.spec.replicas,:.status.replicas,:.status.updatedReplicas,:.status.availableReplicas 2>/dev/null |
    sed 's/<none>/0/g' | awk '$2 != $3 || $4 != $5 || $4 != $6 || $4 != $7 { print $1 }'
}

# Fails with the message $2 if a Deployment or Job with the labels $1 has failed, or if a pod cannot start, or was not
# scheduled within 90 seconds after $3. Pods that were there before this run do not count. Sets unready to others that are
# not ready.
require_progress() {
  local problem created pod reasons
  unready=''
  while read -r created pod reasons; do
    [[ ! $created < $began ]] || continue
    case $reasons in
      *Err* | *BackOff* | *InvalidImageName*) explain "$2: the pod $pod has ${reasons%% *}" "$pod" ;;
      *Unschedulable*) [ "$((SECONDS - $3))" -lt 90 ] || explain "$2: the pod $pod is pending" "$pod" ;;
      *NotReady* | *PodFailed*) unready="$unready $pod" ;;
    esac
  done < <(kube get pods --selector "$1" --no-headers --output 'custom-columns=:.metadata.creationTimestamp,:.metadata.name,:.status.containerStatuses[*].state.waiting.reason,:.status.conditions[?(@.status=="False")].reason')
  problem=$(kube get deployments,jobs --selector "$1" --output 'jsonpath={.items[*].status.conditions[?(@.type=="ReplicaFailure")].message}{.items[*].status.conditions[?(@.reason=="ProgressDeadlineExceeded")].message}{.items[*].status.conditions[?(@.type=="Failed")].message}')
  [ -z "$problem" ] || explain "$2: $problem" $unready
}

# Shows the last events of the first three of the pods $2... and of their volume claims, and their last log lines, and
# fails with the message $1.
explain() {
  local pod object
  for pod in "${@:2:3}"; do
    say "Last events and log lines of the pod $pod:"
    for object in "pod/$pod" "persistentvolumeclaim/data-$pod"; do
      kube events --for "$object" --types Warning --no-headers 2>/dev/null | tail -n 3 >&2
    done
    kube logs "$pod" --tail 15 >&2 || true
  done
  fail "$1"
}

# Deletes what earlier deployments made and this one did not: $1. Volumes and Secrets stay.
remove_obsolete() {
  local obsolete
  obsolete=$(kube get deployments,statefulsets,services,configmaps,serviceaccounts,networkpolicies,poddisruptionbudgets,horizontalpodautoscalers \
    --selector "$PART" --output name | grep -vxF "$1" || true)
  [ -z "$obsolete" ] || kube delete --wait=false $obsolete >&2
  kube delete jobs --selector "$PART,$COMPONENT=migration,run!=$run" --wait=false >/dev/null
}

# --- Commands ---

up() {
  local applied endpoint
  say "Deploying $PLATFORM to the cluster of the context $context, with kube/overlays/$overlay"
  build_images
  write_overlay
  apply_overlay "$COMPONENT=namespace" >/dev/null
  make_secrets
  apply_overlay "$COMPONENT=database" >/dev/null
  wait_for_rollout "$PART,$COMPONENT=database"
  run=$({ cat kube/migrate/*.yaml && printf '%s' "$images"; } | cksum | tr ' ' x | cut -c 1-8)
  run_jobs "$run"
  applied=$(apply_overlay)
  wait_for_rollout "$PART,$COMPONENT!=migration"
  remove_obsolete "$applied"
  endpoint=$(gateway_entry)
  wait_for_responses || fail "Could not start $PLATFORM"
  say "$PLATFORM is running at http://$endpoint"
  printf 'GATEWAY_ENTRY=%s\n' "$endpoint"
}

in_gateway() { kube exec deployment/gateway -- "$@"; }

# Prints host:port at which the gateway can be reached: the address of its load balancer, or of a node.
gateway_entry() {
  local type host=127.0.0.1
  type=$(kube get service gateway --output 'jsonpath={.spec.type}')
  case $type in
    LoadBalancer)
      kube wait service/gateway --for=jsonpath='{.status.loadBalancer.ingress}' --timeout=600s >&2 ||
        fail 'The load balancer of the gateway has no address'
      kube get service gateway --output 'jsonpath={.status.loadBalancer.ingress[0].hostname}{.status.loadBalancer.ingress[0].ip}:{.spec.ports[0].port}'
      ;;
    NodePort)
      case $context in
        docker-desktop | orbstack | rancher-desktop) ;;
        *) host=$(kube get nodes --output 'jsonpath={.items[0].status.addresses[?(@.type=="InternalIP")].address}') ;;
      esac
      kube get service gateway --output "jsonpath=${host%% *}:{.spec.ports[0].nodePort}"
      ;;
    *) fail "The gateway has no address outside of the cluster: its Service has the type $type" ;;
  esac
}

status() { kube get services,deployments,statefulsets,pods --selector "$PART"; }

logs() {
  local selector=$PART
  case ${1-} in
    '' | -*) ;;
    *) selector="app.kubernetes.io/name=$1,$COMPONENT!=migration" && shift ;;
  esac
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
# What began before does not count as a failure of this run.
began=$(date -u +%Y-%m-%dT%H:%M:%SZ)
case ${1-up} in
  status | logs) ;;
  rotate) lock && fetch_secrets ;;
  *) lock ;;
esac
"${@:-up}"
