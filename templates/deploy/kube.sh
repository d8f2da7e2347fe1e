usage() {
  cat <<USAGE
Builds $PLATFORM and runs it on Kubernetes.

  source deploy.sh                 Build and roll out what is new or changed, and set GATEWAY_ENTRY
  ./deploy.sh                      The same, without setting GATEWAY_ENTRY in your shell
  ./deploy.sh status               Show the state of all workloads and pods
  ./deploy.sh logs [service]       Show logs; options are those of kubectl logs (-f, --tail 50)
  ./deploy.sh scale <service> <n>  Run n pods of a service or of the gateway, now and after later deployments
  ./deploy.sh migrate              Apply all pending migrations, including those that wait for the next deployment
  ./deploy.sh rotate               Replace the credential that signs tokens; the old one stays valid for 24 hours
  ./deploy.sh rotate --finish      Revoke the old credential now
  ./deploy.sh destroy [--yes]      Delete the namespace $NAMESPACE with all pods, secrets and data, after confirmation

Variables, from the environment or .env in this directory:
  KUBE_CONTEXT                     The cluster: a context of kubectl (default: the current one)
  OVERLAY                          A directory in kube/overlays (default: local)
  REGISTRY, TAG                    Prefix and tag of the images (default: none, and the id of the image)
  CONTAINERD_ADDRESS               For a cluster without a registry whose containerd runs on this machine: its socket
README.md describes the others. All secrets are Secrets in the cluster.
USAGE
}

# Prints variable $1 of the environment or else of .env.
variable() { printenv "$1" || { [ -f .env ] && sed -n "s/^$1=//p" .env | tail -n 1; } || true; }

kube() { kubectl --context "$context" --namespace "$NAMESPACE" "$@"; }

# --- Requirements ---

require_cluster() {
  local contexts current answer resource
  command -v kubectl >/dev/null || fail 'kubectl is not installed: https://kubernetes.io/docs/tasks/tools/'
  { read -r current && read -r contexts; } < <(kubectl config view --output 'jsonpath={.current-context}{"\n"}{.contexts[*].name}{"\n"}')
  context=$(variable KUBE_CONTEXT)
  context=${context:-$current}
  [ -n "$context" ] ||
    fail "kubectl has no current context. Set KUBE_CONTEXT to one of: ${contexts:-(there are none)}"
  case " $contexts " in *" $context "*) ;; *) fail "Unknown context $context. Set KUBE_CONTEXT to one of: $contexts" ;; esac
  answer=$(kube get --raw /version --request-timeout 10s 2>&1) ||
    fail "The cluster of the context $context does not respond: ${answer##*$'\n'}"
  answer=$(sed -n 's/.*"gitVersion": *"v\([^"]*\)".*/\1/p' <<<"$answer")
  at_least "$answer" 1.30 || fail "Kubernetes 1.30 or later is required; the cluster of the context $context has $answer"
  for resource in deployments.apps secrets; do
    kube auth can-i create "$resource" --quiet 2>/dev/null ||
      fail "The context $context is not permitted to create $resource in the namespace $NAMESPACE"
  done
  overlay=$(variable OVERLAY)
  overlay=${overlay:-local}
  [ -f "kube/overlays/$overlay/kustomization.yaml" ] ||
    fail "Unknown overlay $overlay. Available: $(cd kube/overlays && echo *)"
}

require_docker() {
  local engine
  command -v docker >/dev/null || fail 'Docker, which builds the images, is not installed: https://docs.docker.com/engine/install/'
  engine=$(docker version --format '{{.Server.Version}}' 2>&1) || fail "Docker does not respond: ${engine##*$'\n'}"
}

# --- Images ---

# Builds all images. Sets images to a line for each: its name, its new name and its new tag.
build_images() {
  local name databases=$DATABASES
  require_docker
  say "Building the images of $PLATFORM"
  registry=$(variable REGISTRY)
  tag=$(variable TAG)
  images=''
  for name in $SERVICES; do
    build "$name" --build-arg "SERVICE=$name" --build-arg "DATABASE=${databases%% *}-db"
    databases=${databases#* }
  done
  build gateway --file gateway/Dockerfile
}

# Builds the image of $1, and adds it to images.
build() {
  local id
  id=$(docker build --quiet --tag "$NAME/$1" "${@:2}" .) || fail "Could not build the image of $1"
  id=${id#sha256:}
  images="$images$NAME/$1 $registry$NAME/$1 ${tag:-${id:0:12}}"$'\n'
}

# Makes the images available to the cluster.
publish_images() {
  local name image new references=''
  while read -r name image new; do
    docker tag "$name" "$image:$new"
    references="$references $image:$new"
  done < <(printf %s "$images")
  if [ -n "$registry" ]; then
    say "Pushing the images to $registry"
    for image in $references; do docker push --quiet "$image" >&2 || fail "Could not push $image"; done
    return
  fi
  case $context in
    docker-desktop | orbstack | rancher-desktop) ;;
    kind-*) kind load docker-image --name "${context#kind-}" $references >&2 ;;
    k3d-*) k3d image import --cluster "${context#k3d-}" $references >&2 ;;
    minikube) minikube image load $references >&2 ;;
    *)
      [ -n "${CONTAINERD_ADDRESS:=$(variable CONTAINERD_ADDRESS)}" ] ||
        fail "The cluster of the context $context cannot pull images from this machine. Set REGISTRY to a registry such as registry.example.com/, or CONTAINERD_ADDRESS to the socket of its containerd on this machine"
      load_into_containerd $references
      ;;
  esac || fail "Could not load the images into the cluster of the context $context"
}

load_into_containerd() {
  local image present missing=''
  export CONTAINERD_ADDRESS
  present=$(ctr --namespace k8s.io images list --quiet) || return
  for image in "$@"; do
    case $present in *"/$image"*) ;; *) missing="$missing $image" ;; esac
  done
  [ -z "$missing" ] || docker save $missing | ctr --namespace k8s.io images import - >&2
}

# --- Manifests ---
#
# .deploy/overlay/         the overlay with what only this script knows: images and settings
# .deploy/manifests.yaml   what kubectl kustomize makes of it
# .deploy/migrate/         the Jobs, with their images

readonly PART="app.kubernetes.io/part-of=$NAMESPACE" COMPONENT=app.kubernetes.io/component
readonly GATEWAY_VARIABLES='AUTH_RATE_LIMIT CORS_ORIGINS GATEWAY_OPENAPI GATEWAY_THREADS TRUSTED_PROXIES'

write_kustomizations() {
  local all name value literals=''
  mkdir -p .deploy/overlay
  all=$(image_entries)
  for name in $GATEWAY_VARIABLES; do
    value=$(variable "$name")
    [ -z "$value" ] || literals="$literals  - '$name=${value//\'/\'\'}'"$'\n'
  done
  {
    printf 'namespace: %s\nresources: [../../kube/overlays/%s]\nimages:\n%s\n' "$NAMESPACE" "$overlay" "$all"
    [ -z "$literals" ] || printf 'configMapGenerator:\n- name: gateway-settings\n  options: {labels: {%s, %s: gateway}}\n  literals:\n%s' \
      "${PART/=/: }" "$COMPONENT" "$literals"
    printf 'patches:\n'
    for name in $SERVICES; do
      [ ! -f "$name/.env" ] || settings_patch "$name" "$(cksum <"$name/.env")"
    done
  } >.deploy/overlay/kustomization.yaml
  kubectl kustomize .deploy/overlay >.deploy/manifests.yaml || fail "kube/overlays/$overlay is not a valid kustomization"
  # A Job cannot be changed, so one with other images or settings has another name.
  run=$({ cat kube/migrate/*.yaml && printf '%s' "$all"; } | cksum | tr ' ' x | cut -c 1-8)
  write_jobs .deploy/migrate
}

# The entries of images in a kustomization.
image_entries() { printf %s "$images" | sed 's/\([^ ]*\) \([^ ]*\) \(.*\)/- {name: "\1", newName: "\2", newTag: "\3"}/'; }

# Writes the kustomization of the Jobs of this run to the directory $1.
write_jobs() {
  mkdir -p "$1"
  printf "resources: [../../kube/migrate]\nnameSuffix: '-%s'\nlabels:\n- {pairs: {run: '%s'}, includeTemplates: true}\nimages:\n%s\n" "$run" "$run" "$(image_entries)" >"$1/kustomization.yaml"
}

# Rolls the pods of service $1 out again when its settings change.
settings_patch() {
  printf -- '- patch: |-\n    {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "%s"}, "spec": {"template": {"metadata": {"annotations": {"settings": "%s"}}}}}\n' "$1" "$2"
}

apply() { kube apply --server-side --force-conflicts "$@"; }

# Applies the manifests with the labels $1, or all. Prints the names of the objects.
apply_manifests() { apply --filename .deploy/manifests.yaml --selector "${1-}" --output name; }

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
  local directory
  for directory in "$SECRETS"/*; do
    secret_manifest "${directory##*/}" secret "$directory"/*
  done | apply --filename - >/dev/null
}

# Prints a Secret $1 of the component $2 with the given files.
secret_manifest() {
  local file
  printf 'apiVersion: v1\nkind: Secret\nmetadata: {name: %s, labels: {%s, %s: %s}}\ndata:\n' "$1" "${PART/=/: }" "$COMPONENT" "$2"
  for file in "${@:3}"; do printf '  %s: %s\n' "${file##*/}" "$(base64 <"$file" | tr -d '\n')"; done
  printf -- '---\n'
}

make_secrets() {
  local name path claims
  fetch_secrets
  for name in $DATABASES; do
    mkdir -p "$SECRETS/$name" "$SECRETS/$name-db"
    for path in "$name-db/admin-password" "$name/database-password"; do
      [ ! -s "$SECRETS/$path" ] || continue
      [ -n "${claims+set}" ] || claims=$(kube get persistentvolumeclaims --output name)
      case $claims in *"/data-$name-db-0"*)
        fail "Missing ${path#*/} in the Secret ${path%/*}, a password of the existing database $name-db. Restore it from a backup, or delete all data with ./deploy.sh destroy." ;;
      esac
      random_secret | write "$SECRETS/$path"
    done
    write "$SECRETS/$name-db/database-password" <"$SECRETS/$name/database-password"
  done
  for name in $(kube get secrets --selector "$PART,$COMPONENT=settings" --output name); do
    path=${name#secret/}
    [ -f "${path%-settings}/.env" ] || kube delete "$name" >/dev/null
  done
  for name in $SERVICES; do
    [ ! -f "$name/.env" ] || secret_manifest "$name-settings" settings "$name/.env"
  done | if IFS= read -r name; then { printf '%s\n' "$name" && cat; } | apply --filename - >/dev/null; fi
  if [ -z "$AUTHENTICATION" ]; then publish_secrets && return; fi
  mkdir -p "$SECRETS/gateway-credentials"
  [ -f "$CREDENTIALS" ] || printf 'auth-service-1 %s\n' "$(random_secret)" | write "$CREDENTIALS"
  distribute_credentials
}

# Waits until all pods have the credentials. Kubernetes updates the files of a pod within two minutes, or at once when
# the pod itself changes. A pod that ends meanwhile needs none.
await_readers() {
  local pod component file
  kube annotate pods --selector "$PART" --overwrite "credentials=$(cksum <"$SECRETS/gateway/tokens.json" | tr ' ' x)" >/dev/null 2>&1 || true
  while read -r pod component; do
    case $component in gateway) file=/etc/envoy/secrets/tokens.json ;; *) file=/run/secrets/gateway-credentials ;; esac
    until cmp -s <(kube exec "$pod" -- cat "$file" 2>/dev/null) "$SECRETS/$(secret_of "$pod" "$component")/${file##*/}"; do
      kube get pod "$pod" >/dev/null 2>&1 || break
      sleep 1
    done
  done < <(kube get pods --selector "$PART,$COMPONENT in (service, gateway)" --field-selector status.phase=Running \
    --output "go-template={{range .items}}{{.metadata.name}} {{index .metadata.labels \"$COMPONENT\"}}{{\"\\n\"}}{{end}}")
  sleep "$READ_SECONDS"
}

# All services have the same credentials.
secret_of() { case $2 in gateway) printf gateway ;; *) printf '%s' "${DATABASES%% *}" ;; esac; }

# --- Commands ---

up() {
  local applied
  say "Deploying $PLATFORM to the cluster of the context $context, with kube/overlays/$overlay"
  build_images
  write_kustomizations
  publish_images
  apply_manifests "$COMPONENT=namespace" >/dev/null
  make_secrets
  apply_manifests "$COMPONENT=database" >/dev/null || fail 'The cluster does not accept the manifests of the databases'
  wait_for_rollout "$PART,$COMPONENT=database"
  migrate_with .deploy/migrate
  applied=$(apply_manifests) || fail "The cluster does not accept the manifests of kube/overlays/$overlay"
  wait_for_rollout "$PART"
  remove_obsolete "$applied"
  wait_for_entry
  wait_for_responses || fail "Could not start $PLATFORM"
  say "$PLATFORM is running at http://$endpoint"
  printf 'GATEWAY_ENTRY=%s\n' "$endpoint"
}

# Deletes what earlier deployments made and this one did not: $1. Volumes and Secrets stay.
remove_obsolete() {
  local obsolete
  obsolete=$(kube get deployments,statefulsets,services,configmaps,serviceaccounts,networkpolicies,poddisruptionbudgets,horizontalpodautoscalers \
    --selector "$PART" --output name | grep -vxF "$1" || true)
  [ -z "$obsolete" ] || kube delete --wait=false $obsolete >&2
  kube delete jobs --selector "$PART,$COMPONENT=migration,run!=$run" --wait=false >/dev/null
}

# Applies the Jobs of the directory $1 if they are not complete, and waits for them.
migrate_with() {
  local failed ending
  ! all_complete || return 0
  # Pods of the previous version respond for some seconds more, and need what a migration may remove.
  ending=$(kube get pods --selector "$PART" --output 'go-template={{range .items}}{{if .metadata.deletionTimestamp}}{{.metadata.name}} {{end}}{{end}}')
  [ -z "$ending" ] || kube wait pods $ending --for=delete --timeout=60s >/dev/null 2>&1 || true
  waiting_since=$SECONDS looked=$SECONDS
  failed=$(failed_jobs)
  [ -z "$failed" ] || kube delete jobs $failed >/dev/null
  apply --kustomize "$1" >/dev/null || fail 'The cluster does not accept the Jobs of kube/migrate'
  say "Migrating the databases of $PLATFORM"
  until all_complete; do
    failed=$(failed_jobs)
    [ -z "$failed" ] || explain_pods "job-name in (${failed//$'\n'/,})" "Could not migrate the databases of $PLATFORM. What was running is still running"
    require_progress "$COMPONENT=migration" "Could not migrate the databases of $PLATFORM. What was running is still running"
    kube wait jobs --selector "$PART,run=$run" --for=condition=Complete --timeout="${LOOK_SECONDS}s" >/dev/null 2>&1 || true
  done
}

# Sets ended to the conditions and names of the current Jobs.
all_complete() {
  ended=$(kube get jobs --selector "$PART,run=$run" --output 'go-template={{range .items}}{{$name := .metadata.name}}{{range .status.conditions}}{{if eq .status "True"}}{{.type}} {{$name}}{{"\n"}}{{end}}{{end}}{{end}}')
  [ "$(grep -c '^Complete ' <<<"$ended")" -eq "$(wc -w <<<"$SERVICES")" ]
}

failed_jobs() { sed -n 's/^Failed //p' <<<"$ended"; }

readonly WAIT_SECONDS=600 PENDING_SECONDS=90 LOOK_SECONDS=3

# Waits until all workloads with the labels $1 run as they should, and says which ones it waits for.
wait_for_rollout() {
  local waiting names said='' end=$((SECONDS + WAIT_SECONDS))
  waiting_since=$SECONDS looked=$SECONDS
  while waiting=$(unfinished "$1") && [ -n "$waiting" ]; do
    names=$(cut -d / -f 2 <<<"$waiting")
    names=${names//$'\n'/, }
    if [ "$names" != "$said" ]; then say "Waiting for $names"; fi
    said=$names
    [ "$SECONDS" -lt "$end" ] || explain_pods "$1" "Gave up after $WAIT_SECONDS s waiting for $names"
    require_progress "$1" "Could not start $names"
    kube rollout status "${waiting%%$'\n'*}" --timeout="${LOOK_SECONDS}s" >/dev/null 2>&1 || true
  done
}

# Prints the kinds and names of workloads with the labels $1 that do not yet run as they should.
unfinished() {
  kube get deployments,statefulsets --selector "$1" --no-headers --output custom-columns=:.kind,:.metadata.name,:.metadata.generation,:.status.observedGeneration,:.spec.replicas,:.status.replicas,:.status.updatedReplicas,:.status.availableReplicas 2>/dev/null |
    sed 's/<none>/0/g' | while read -r kind name generation observed wanted total updated available; do
    [ "$generation $wanted $wanted $wanted" = "$observed $total $updated $available" ] || printf '%s/%s\n' "$kind" "$name"
  done
}

# Fails with the message $2 if a pod with the labels $1 cannot start. Pods that were there before do not count. On a small
# machine, checking more often would slow down what is checked.
require_progress() {
  local pod started reason problem
  [ "$((SECONDS - looked))" -ge "$LOOK_SECONDS" ] || return 0
  looked=$SECONDS
  problem=$(kube get deployments --selector "$1" --output 'go-template={{range .items}}{{range .status.conditions}}{{if and (eq .type "ReplicaFailure") (eq .status "True")}}{{.message}}{{"\n"}}{{end}}{{if eq .reason "ProgressDeadlineExceeded"}}{{.message}}{{"\n"}}{{end}}{{end}}{{end}}' | head -n 1)
  [ -z "$problem" ] || explain_pods "$1" "$2: $problem"
  while read -r pod started reason; do
    [[ ! $started < $began ]] || continue
    case $reason in
      *ErrImage* | *ImagePullBackOff* | *InvalidImageName* | *CrashLoopBackOff* | *CreateContainerError* | *CreateContainerConfigError* | *RunContainerError* | *StartError*)
        explain_pods "$1" "$2: the pod $pod has ${reason%% *}" "$pod" ;;
      *Unschedulable*)
        if [ "$SECONDS" -gt "$((waiting_since + PENDING_SECONDS))" ]; then explain_pods "$1" "$2: the pod $pod is pending" "$pod"; fi ;;
    esac
  done < <(kube get pods --selector "$1" --no-headers --output 'custom-columns=:.metadata.name,:.metadata.creationTimestamp,:.status.containerStatuses[*].state.waiting.reason,:.status.conditions[?(@.status=="False")].reason')
}

# Shows the last events of the pod $3 and of its volume claim, and its last log lines, and fails. Without $3: of the first
# pods with the labels $1 that are not ready.
explain_pods() {
  local pod object
  for pod in ${3-$(kube get pods --selector "$1" --output 'go-template={{range .items}}{{$ready := false}}{{range .status.conditions}}{{if and (eq .type "Ready") (eq .status "True")}}{{$ready = true}}{{end}}{{end}}{{if not $ready}}{{.metadata.name}}{{"\n"}}{{end}}{{end}}' | head -n 3)}; do
    say "Last events of the pod $pod:"
    for object in "$pod" "data-$pod"; do
      kube get events --field-selector "involvedObject.name=$object,type=Warning" --sort-by .lastTimestamp --no-headers --output custom-columns=:.reason,:.message 2>/dev/null | tail -n 3 >&2
    done
    say "Last lines of its log:"
    { kube logs "$pod" --previous --tail 15 2>/dev/null || kube logs "$pod" --tail 15 2>/dev/null || true; } >&2
  done
  fail "$2"
}

in_gateway() { kube exec deployment/gateway -- "$@"; }

# host:port at which the gateway can be reached. Empty if it does not run.
gateway_entry() {
  local type port node_port address
  read -r type port node_port address < <(kube get service gateway --output 'jsonpath={.spec.type} {.spec.ports[0].port} {.spec.ports[0].nodePort} {.status.loadBalancer.ingress[0].hostname}{.status.loadBalancer.ingress[0].ip}{"\n"}' 2>/dev/null) || return 0
  case $type in
    LoadBalancer) [ -z "$address" ] || printf '%s:%s' "$address" "$port" ;;
    NodePort)
      case $context in
        docker-desktop | orbstack | rancher-desktop) address=127.0.0.1 ;;
        *) address=$(kube get nodes --output 'jsonpath={.items[0].status.addresses[?(@.type=="InternalIP")].address}') ;;
      esac
      printf '%s:%s' "${address%% *}" "$node_port"
      ;;
  esac
}

# Sets endpoint to where the gateway can be reached.
wait_for_entry() {
  local end=$((SECONDS + WAIT_SECONDS)) type
  endpoint=$(gateway_entry)
  [ -z "$endpoint" ] || return 0
  type=$(kube get service gateway --output 'jsonpath={.spec.type}')
  [ "$type" = LoadBalancer ] || fail "The gateway has no address outside of the cluster: its Service has the type $type"
  say 'Waiting for the address of the load balancer'
  while [ -z "$endpoint" ]; do
    [ "$SECONDS" -lt "$end" ] || fail 'The load balancer of the gateway has no address'
    sleep 1
    endpoint=$(gateway_entry)
  done
}

status() {
  local entry
  entry=$(gateway_entry)
  if [ -n "$entry" ]; then say "$PLATFORM is running at http://$entry"; else say "$PLATFORM is not running"; fi
  kube get deployments,statefulsets,pods --selector "$PART"
}

logs() {
  local name=${1-}
  case $name in '' | -*) ;; *) shift ;; esac
  case $name in
    '' | -*) kube logs --selector "$PART" --prefix --max-log-requests 100 "$@" ;;
    *-db) kube logs --selector "app.kubernetes.io/name=$name" --prefix "$@" ;;
    *) kube logs --selector "app.kubernetes.io/name=$name,$COMPONENT!=migration" --prefix "$@" ;;
  esac
}

scale() {
  case " $SERVICES gateway " in *" ${1-} "*) ;; *) fail "Unknown service ${1-}. Available: $SERVICES gateway" ;; esac
  case ${2-} in '' | *[!0-9]* | 0* | ????*) fail "The number of pods must be from 1 to 999, not ${2-}" ;; esac
  kube scale "deployment/$1" --replicas "$2" >/dev/null
  wait_for_rollout "$PART,app.kubernetes.io/name=$1,$COMPONENT!=database"
  say "$1 has $2 pods"
}

migrate() {
  build_images
  write_kustomizations
  publish_images
  run=$(date +%s | tail -c 9)
  write_jobs .deploy/migrate-all
  printf "patches:\n- {target: {kind: Job}, patch: '[{\"op\": \"add\", \"path\": \"/spec/template/spec/containers/0/args/-\", \"value\": \"--all\"}]'}\n" >>.deploy/migrate-all/kustomization.yaml
  migrate_with .deploy/migrate-all
  kube logs --selector "$PART,run=$run" --prefix >&2
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

command=${1-up}
if [ $# -gt 0 ]; then shift; fi
case "$command $*" in
  'help ' | '--help ' | '-h ') usage && exit ;;
  'up ' | 'status ' | 'migrate ' | 'rotate ' | 'rotate --finish' | 'destroy ' | 'destroy --yes') ;;
  logs\ * | scale\ *) ;;
  *) fail "Unknown command $command $*. See ./deploy.sh help" ;;
esac
require_cluster
# What began before does not count as a failure of this run.
began=$(date -u +%Y-%m-%dT%H:%M:%SZ)
case $command in
  status) status ;;
  logs) logs "$@" ;;
  rotate) lock && fetch_secrets && rotate "$@" ;;
  *) lock && "$command" "$@" ;;
esac
