de019293e71a13d07c1b50f2685a39c2e558dc80c7fabad3835abd6a3a929c07  templates/deploy/source.sh

readonly PLATFORM='Garden'
# First part of the names of images.
readonly NAME='garden'
# The service that issues tokens, or empty without authentication.
readonly AUTHENTICATION=''
readonly SERVICES='bed'
# Their former names where they were renamed, which their databases and .secrets keep.
readonly DATABASES='bed'
readonly PATHS='/api/bed'
readonly GATEWAY_PORT_INSIDE=10000

rotate() { fail "$PLATFORM has no authentication, so it has no credential"; }
744605e20bbf7bd1fec4dd68dd06c77f746fcdef2bf225edb5e5041219e805d8  templates/deploy/common.sh
edfed4203ae33363f584cad9e3fd53e80cd0a89499b71e60ab84f52cce1084d4  templates/deploy/compose.sh
