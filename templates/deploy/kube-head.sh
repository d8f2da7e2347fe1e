#!/usr/bin/env bash
# Builds this platform and runs it on Kubernetes.
#
#   source deploy.sh                 Build and roll out what is new or changed, and set GATEWAY_ENTRY=host:port
#   ./deploy.sh                      The same, but print GATEWAY_ENTRY=host:port
#   ./deploy.sh status               Show the state of all Services, workloads and pods
#   ./deploy.sh logs [service]       Show logs; options are those of kubectl logs (-f, --tail 50)
#   ./deploy.sh scale <service> <n>  Run n pods of a service or of the gateway, now and after later deployments
#   ./deploy.sh migrate              Apply all pending migrations, including those that wait for the next deployment
#   ./deploy.sh images [--tag T]     Build the images and push them to REGISTRY, without a cluster
#   ./deploy.sh render [--tag T]     Print the manifests with these images and all settings, for Argo CD or Flux
#   ./deploy.sh rotate [--finish]    Replace the credential that signs tokens; the old one is valid for 24 h, or until --finish
#   ./deploy.sh destroy [--yes]      Delete the namespace with all pods, secrets and data, after confirmation
#
# README.md describes the variables, such as KUBE_CONTEXT, OVERLAY and REGISTRY. All secrets are Secrets in the cluster.

