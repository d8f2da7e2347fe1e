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

token_filter() { :; }
fab85781c2cc1b93797a91a78f1ee39d8d0e3933e6bbe6c16c5931a2a95be267  templates/deploy/common.sh
c2319cdc5256f6364ad40f186c05eee93d2b727202e3757251cddc4519380bb4  templates/deploy/compose.sh
