#!/usr/bin/env bash
# Builds and runs this platform with Docker Compose.
#
#   source deploy.sh                 Build and start what is new, changed or stopped, and set GATEWAY_ENTRY=host:port
#   ./deploy.sh                      The same, but print GATEWAY_ENTRY=host:port
#   ./deploy.sh status               Show the state of all containers
#   ./deploy.sh logs [service]       Show logs; options are those of docker compose logs (-f, --tail 50)
#   ./deploy.sh scale <service> <n>  Run n containers of a service, now and in later deployments
#   ./deploy.sh migrate              Apply all pending migrations, including those that wait for the next deployment
#   ./deploy.sh rotate               Replace the credential that signs tokens; the old one stays valid for 24 hours
#   ./deploy.sh rotate --finish      Revoke the old credential now
#   ./deploy.sh stop                 Stop all containers and keep data and settings
#   ./deploy.sh destroy [--yes]      Delete all containers, images, secrets and data, after confirmation
#
# Variables, from the environment or .env in this directory:
#   GATEWAY_PORT, GATEWAY_ADDRESS    Where the gateway listens (default: 8080 on 127.0.0.1)
#   REGISTRY, TAG                    Prefix and tag of the images (default: none and latest), for docker compose push
#   <SERVICE>_DATABASE_URL           An external database, which replaces the service's container
# README.md describes the others. Secrets are in .secrets/: back them up together with the databases.

