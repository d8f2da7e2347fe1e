import { attacks } from '../../gateway/attacks.ts'
import { slots } from '../../gateway/dev-gateway.ts'
import { startEnvoy } from '../../gateway/envoy-process.ts'
import { ATTACKED, RUNNING } from '../../gateway/gateway.ts'
import { startUpstream } from '../../gateway/upstream.ts'

attacks(async () => {
  const upstream = await startUpstream(RUNNING)
  const credentials = slots()
  const envoy = await startEnvoy(ATTACKED, {
    services: Object.fromEntries(Object.entries(upstream.ports).map(([name, port]) => [name, [port]])),
    secrets: [credentials[0].secret, credentials[1].secret],
  })
  return {
    port: envoy.port,
    credentials,
    upstream,
    rotate: envoy.rotate,
    stop: async () => {
      await envoy.stop()
      await upstream.stop()
    },
  }
})
