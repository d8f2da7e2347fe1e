c6a9c31715f9022669e8c0baae01024703edadd1ac6f0f1668639ad551aa5a23  templates/deploy/compose-head.sh
c371b42263a5822e90d92601c5775eb9c8dec471b6ce8a8f5f197f801b3ff3ce  templates/deploy/source.sh

readonly PLATFORM='Garden'
# First part of the names of images.
readonly NAME='garden'
# The service that issues tokens, or empty without authentication.
readonly AUTHENTICATION=''
readonly SERVICES='bed'
# Their former names where they were renamed, which their databases and passwords keep.
readonly DATABASES='bed'
readonly PATHS='/api/bed'
readonly GATEWAY_PORT_INSIDE=10000

rotate() { fail "$PLATFORM has no authentication, so it has no credential"; }
641456fefaa978f184d5665e8984af6a6cba5bed7d4df7c5bcee743776655720  templates/deploy/common.sh
761217d92e2c685ca7e39b905e2a2fd8aa52af10dbf365a3ec10eee55e0b283e  templates/deploy/compose.sh
