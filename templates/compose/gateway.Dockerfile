FROM envoyproxy/envoy:v1.40.0
COPY --chown=101:101 gateway/envoy.yaml /etc/envoy/envoy.yaml
COPY --chown=101:101 api/openapi.json /etc/envoy/openapi.json
USER 101:101
EXPOSE 10000
ENTRYPOINT ["/usr/local/bin/envoy"]
CMD ["-c", "/etc/envoy/envoy.yaml"]
