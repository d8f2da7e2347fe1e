FROM envoyproxy/envoy:v1.40.0
COPY --chown=101:101 gateway/start.sh /usr/local/bin/start-gateway
COPY --chown=101:101 gateway/envoy.yaml /etc/envoy/envoy.yaml
COPY --chown=101:101 api/openapi.json /etc/envoy/openapi.json
USER 101:101
EXPOSE 10000
ENTRYPOINT ["bash", "/usr/local/bin/start-gateway"]
