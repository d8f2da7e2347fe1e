de019293e71a13d07c1b50f2685a39c2e558dc80c7fabad3835abd6a3a929c07  templates/deploy/source.sh

readonly PLATFORM='SimpleShop'
# First part of the names of images.
readonly NAME='simple-shop'
# The service that issues tokens, or empty without authentication.
readonly AUTHENTICATION='auth'
readonly SERVICES='auth customer product purchase'
# Their former names where they were renamed, which their databases and .secrets keep.
readonly DATABASES='auth customer product purchase'
readonly PATHS='/api/auth/login /api/customer /api/product /api/purchase'
readonly GATEWAY_PORT_INSIDE=10000
readonly NAMESPACE='simple-shop'

# Prints the gateway's token filter. $1 and $2 are the secrets of auth-service-1 and auth-service-2.
token_filter() {
  printf '{"resources":[{"@type":"type.googleapis.com/envoy.config.core.v3.TypedExtensionConfig","name":"envoy.filters.http.jwt_authn","typed_config":{"@type":"type.googleapis.com/envoy.extensions.filters.http.jwt_authn.v3.JwtAuthentication","providers":{"auth-service-1":{"issuer":"auth-service-1","local_jwks":{"inline_string":"{\\"keys\\":[{\\"kty\\":\\"oct\\",\\"alg\\":\\"HS256\\",\\"k\\":\\"%s\\"}]}"},"from_headers":[{"name":"Authorization","value_prefix":"Bearer "},{"name":"Authorization","value_prefix":"bearer "}],"forward":true,"require_expiration":true,"clock_skew_seconds":1},"auth-service-2":{"issuer":"auth-service-2","local_jwks":{"inline_string":"{\\"keys\\":[{\\"kty\\":\\"oct\\",\\"alg\\":\\"HS256\\",\\"k\\":\\"%s\\"}]}"},"from_headers":[{"name":"Authorization","value_prefix":"Bearer "},{"name":"Authorization","value_prefix":"bearer "}],"forward":true,"require_expiration":true,"clock_skew_seconds":1}},"requirement_map":{"token":{"requires_any":{"requirements":[{"provider_name":"auth-service-1"},{"provider_name":"auth-service-2"}]}}}}}]}\n' "$1" "$2"
}
744605e20bbf7bd1fec4dd68dd06c77f746fcdef2bf225edb5e5041219e805d8  templates/deploy/common.sh
8278353f0dc038203287191b1bb4641d666c26007445b9950e9a42e60bd32121  templates/deploy/credentials.sh
bad29a62b10872b047bcb275000e17b2548bca31938333a36104d64ef14956d7  templates/deploy/kube-credentials.sh
f14dde8b8b7d21f9832df2d659855463c4d9f0bfc3b9b9bd3448e1cfd376bac4  templates/deploy/kube.sh
