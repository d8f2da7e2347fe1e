c6a9c31715f9022669e8c0baae01024703edadd1ac6f0f1668639ad551aa5a23  templates/deploy/compose-head.sh
f7182bc0d3f9869ffcd1c04b5941f423373de6ba04e1d58227e2b9cd004e2f07  templates/deploy/source.sh

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
readonly MONITORING='prometheus grafana'
641456fefaa978f184d5665e8984af6a6cba5bed7d4df7c5bcee743776655720  templates/deploy/common.sh
48db59e406b1bd56b98463e4a6874c48597897c9b2998e6e961e4b438346de3d  templates/deploy/credentials.sh
b8ce729ec4c8193427cdcffd25848bc0d3b991e3e7288f7de83f94e032693d30  templates/deploy/compose-credentials.sh
88266f89b7e44e258a339eec85673144393c1aa72aa78ac8b34fdeb1b6d3f6b4  templates/deploy/compose.sh
