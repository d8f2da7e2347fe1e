import { randomBytes } from 'node:crypto'
import { Pool } from 'undici'
import { createGateway } from '../../src/dev/gateway/gateway.ts'
import { listenOnLoopback } from '../../src/dev/gateway/listen.ts'
import { createTokenVerifier } from '../../src/dev/gateway/verify-token.ts'
import { type Credential, ROUTES, type StartServices, type TestGateway } from './gateway.ts'

/** The gateway of `portico dev`, in this process. */
export async function startDevGateway(
  startServices: StartServices,
  corsOrigins: readonly string[] = [],
): Promise<TestGateway> {
  const credentials = slots()
  const upstream = await startServices(credentials)
  const pools = new Map(
    Object.entries(upstream.ports).map(([name, port]) => [name, new Pool(`http://127.0.0.1:${port}`)]),
  )
  const gateway = createGateway({ service: (directory) => pools.get(directory), corsOrigins })
  const rotate = async (first: string, second: string): Promise<void> => {
    const verifyToken = createTokenVerifier([
      { ...credentials[0], secret: first },
      { ...credentials[1], secret: second },
    ])
    gateway.configure({ routes: ROUTES, verifyToken })
  }
  await rotate(credentials[0].secret, credentials[1].secret)
  const listening = await listenOnLoopback(gateway.createServer, 0)
  if (listening === undefined) throw new Error('No port is free')
  return {
    port: listening.port,
    credentials,
    upstream,
    rotate,
    stop: async () => {
      await listening.close()
      for (const pool of pools.values()) await pool.destroy()
      await upstream.stop()
    },
  }
}

/** Two new credentials under the names that deployments use. */
export function slots(): [Credential, Credential] {
  const credential = (id: string): Credential => ({ id, secret: randomBytes(32).toString('base64url') })
  return [credential('auth-service-1'), credential('auth-service-2')]
}
