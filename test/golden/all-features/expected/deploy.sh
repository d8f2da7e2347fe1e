c6a9c31715f9022669e8c0baae01024703edadd1ac6f0f1668639ad551aa5a23  templates/deploy/compose-head.sh
f9708ac4cadef4f196da402817fbb1465dcb9912ec89fe9168cd40c114694863  templates/deploy/source.sh

readonly PLATFORM='Fair'
# First part of the names of images.
readonly NAME='fair'
# The service that issues tokens, or empty without authentication.
readonly AUTHENTICATION='auth'
readonly SERVICES='auth visitor hall booking notice statistic'
# Their former names where they were renamed, which their databases and passwords keep.
readonly DATABASES='auth visitor hall booking notice statistic'
readonly PATHS='/api/auth/login /api/visitor /api/hall /api/booking /api/notice /api/statistic'
readonly GATEWAY_PORT_INSIDE=10000
readonly SERVERS='auth-db visitor-db hall-db booking-db notice-db statistic-db'
# Where the databases were, if #database(server: ...) was changed.
readonly FORMER_SERVERS='postgres'
# One service in each language.
readonly FIRST='auth'
readonly MONITORING='prometheus grafana'
6f995c9cf7eeb825bf35056a43ee7d11163cd1caa545e9b6fa59770e621c0818  templates/deploy/common.sh
8a15fde264df35d1aa50c020f5aa68ee02d983ecd5eed67aac3418209a6fe8ee  templates/deploy/credentials.sh
3e5c5391fc774de3b8af88971be57ca5fa9ce8e17a46b20bd3b48cf18f355fae  templates/deploy/compose-credentials.sh
cfa4391c4c894408ba883570bd671823c0d28c9902f44f647a962d4ff56be0bb  templates/deploy/compose.sh
