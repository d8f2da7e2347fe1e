#!/usr/bin/env bash
# Applies the gateway's environment variables to Envoy's configuration: reads it from standard input and writes it to
# standard output.
#
#   CORS_ORIGINS      Origins of web pages that may call the API, separated by commas: https://example.com
#   AUTH_RATE_LIMIT   Requests to /api/auth per second for each client. Bursts of ten times as many are allowed.
#                     0: no limit. Default: 10
#   TRUSTED_PROXIES   How many proxies in front of the gateway add the client's address to X-Forwarded-For. Default: 0
#   GATEWAY_OPENAPI   0: do not serve /api/openapi.json
set -euo pipefail

fail() {
  printf 'gateway: %s\n' "$1" >&2
  exit 1
}

# Prints the number $2, or fails and names the variable $1.
number() {
  [[ $2 =~ ^[0-9]{1,6}$ ]] || fail "$1 must be a whole number from 0 to 999999, not $2"
  printf '%d' "$((10#$2))"
}

number GATEWAY_THREADS "${GATEWAY_THREADS:-2}" >/dev/null
limit=$(number AUTH_RATE_LIMIT "${AUTH_RATE_LIMIT:-10}")
proxies=$(number TRUSTED_PROXIES "${TRUSTED_PROXIES:-0}")
openapi=100
[ "${GATEWAY_OPENAPI:-1}" != 0 ] || openapi=0

matchers=()
IFS=', ' read -ra origins <<<"${CORS_ORIGINS:-}"
for origin in ${origins[@]+"${origins[@]}"}; do
  [[ $origin =~ ^https?://[a-zA-Z0-9.:_-]+$ ]] || fail "CORS_ORIGINS must list origins such as https://example.com, not $origin"
  matchers+=("{exact: '$origin'}")
done

edits=(
  -e "s|^( *allow_origin_string_match:) .*|\1 [$(IFS=,; echo "${matchers[*]-}")]|"
  -e "s|^( *xff_num_trusted_hops:) .*|\1 $proxies|"
)
[ "$proxies" -eq 0 ] || edits+=(-e '/- \{remove: x-forwarded-for\}/d')
[ "$limit" -eq 0 ] || edits+=(-e "s|^( *tokens_per_fill:) .*|\1 $limit|" -e "s|^( *max_tokens:) .*|\1 $((10 * limit))|")
sed -E "${edits[@]}"
printf '\nlayered_runtime: {layers: [{name: deployment, static_layer: {openapi: %d, auth_rate_limit: %d}}]}\n' \
  "$openapi" "$((limit == 0 ? 0 : 100))"
