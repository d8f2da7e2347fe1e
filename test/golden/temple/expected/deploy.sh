f1e7a9d37042e9b7258673e0c4b30dbfff1591395a4f821b835ea6123ca560ad  templates/deploy/kube-head.sh
c371b42263a5822e90d92601c5775eb9c8dec471b6ce8a8f5f197f801b3ff3ce  templates/deploy/source.sh

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
8a9213cc9b48acfc7cc75881e20597ba89bf4274516e10f0cc154a1ef0f009d0  templates/deploy/common.sh
c80043a2f4b725e3a2a3e53563a122dc8e54e053c4b5009a0f2c1f82f34a09f7  templates/deploy/credentials.sh
6c8eed17239edd188935c3aa1ebd4f4c35a30bb08389405668d97c92ed5a54aa  templates/deploy/kube-credentials.sh
b575f27df50d06554fe5ba5ad528cc776bd92258d3ea2f2d89492a01d5d469da  templates/deploy/kube.sh
