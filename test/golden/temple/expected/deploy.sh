f1e7a9d37042e9b7258673e0c4b30dbfff1591395a4f821b835ea6123ca560ad  templates/deploy/kube-head.sh
f7182bc0d3f9869ffcd1c04b5941f423373de6ba04e1d58227e2b9cd004e2f07  templates/deploy/source.sh

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
readonly NAMESPACE='simple-shop'
641456fefaa978f184d5665e8984af6a6cba5bed7d4df7c5bcee743776655720  templates/deploy/common.sh
48db59e406b1bd56b98463e4a6874c48597897c9b2998e6e961e4b438346de3d  templates/deploy/credentials.sh
8e22279f53950bc3064375f78145aeab4dbe7e3cfa2fefad806e59ce0ab3084e  templates/deploy/kube-credentials.sh
ebdc15c7887d0ac2dc1f625b0b671ef28c7ac5dc0a3837794fa58a8d4a0d0904  templates/deploy/kube.sh
