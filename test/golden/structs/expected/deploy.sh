#!/usr/bin/env bash
# Builds and runs this platform with Docker Compose.
#
#   source deploy.sh                 Build and start what is new, changed or stopped, and set GATEWAY_ENTRY=host:port
#   ./deploy.sh                      The same, but print GATEWAY_ENTRY=host:port
#   ./deploy.sh status               Show the state of all containers
#   ./deploy.sh logs [service]       Show logs; options are those of docker compose logs (-f, --tail 50)
#   ./deploy.sh scale <service> <n>  Run n containers of a service, now and in later deployments
#   ./deploy.sh migrate              Apply all pending migrations, including those that wait for the next deployment
#   ./deploy.sh stop                 Stop all containers and keep data and settings
#   ./deploy.sh destroy [--yes]      Delete all containers, images, secrets and data, after confirmation
#
# Variables, from the environment or .env in this directory:
#   GATEWAY_PORT, GATEWAY_ADDRESS    Where the gateway listens (default: 8080 on 127.0.0.1)
#   REGISTRY, TAG                    Prefix and tag of the images (default: none and latest), for docker compose push
#   <SERVICE>_DATABASE_URL           An external database, which replaces the service's container
# README.md describes the others. Secrets are in .secrets/: back them up together with the databases.

f9708ac4cadef4f196da402817fbb1465dcb9912ec89fe9168cd40c114694863  templates/deploy/source.sh

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
6f995c9cf7eeb825bf35056a43ee7d11163cd1caa545e9b6fa59770e621c0818  templates/deploy/common.sh
8e59a22c6cdcaf2742e4473ee036b6c1ecad06dda605e1dd107755f09b4385e8  templates/deploy/compose.sh
