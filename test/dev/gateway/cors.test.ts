import { corsTests } from '../../gateway/cors.ts'
import { startDevGateway } from '../../gateway/dev-gateway.ts'
import { startRecorders } from '../../gateway/gateway.ts'

corsTests(async (origins) => {
  const { port, credentials, stop } = await startDevGateway(startRecorders, origins)
  return { port, credential: credentials[0], stop }
})
