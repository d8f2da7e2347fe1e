4734f5be2426175d269ddd1914e9937edc4c8dc4f797e234ac3ab6d5f34f7fd9  templates/deploy/kube-head.sh
f9708ac4cadef4f196da402817fbb1465dcb9912ec89fe9168cd40c114694863  templates/deploy/source.sh

readonly PLATFORM='SimpleShop'
# First part of the names of images.
readonly NAME='simple-shop'
# The service that issues tokens, or empty without authentication.
readonly AUTHENTICATION='auth'
readonly SERVICES='auth customer product purchase'
# Their former names where they were renamed, which their databases and passwords keep.
readonly DATABASES='auth customer product purchase'
readonly PATHS='/api/auth/login /api/customer /api/product /api/purchase'
readonly GATEWAY_PORT_INSIDE=10000
# The Secrets with passwords of databases.
readonly PASSWORDS='auth-db customer-db product-db purchase-db'
# Where the databases were, if #database(server: ...) was changed.
readonly FORMER_SERVERS='postgres'
readonly NAMESPACE='simple-shop'
6f995c9cf7eeb825bf35056a43ee7d11163cd1caa545e9b6fa59770e621c0818  templates/deploy/common.sh
8a15fde264df35d1aa50c020f5aa68ee02d983ecd5eed67aac3418209a6fe8ee  templates/deploy/credentials.sh
f9ce7d39ffd9bd7b0beb10e9ba1f6a34a9e14da7f40a766542e370491a8ec454  templates/deploy/kube-credentials.sh
897b5382ec10d3ed235c24acff2daea32e07f1b36363083be5eb9191dc159f34  templates/deploy/kube.sh
