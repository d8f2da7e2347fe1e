import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { emitProject } from '../../src/emit/project.ts'
import { platformOf } from '../emit/platform.ts'
import { startService, temporaryDirectory } from '../emit/service-process.ts'
import { freshDatabase } from '../postgres.ts'
import { ATTACKED_DEFINITION, type Credential, PUBLIC_ENDPOINT, RUNNING } from './gateway.ts'
import type { Received, Upstream } from './upstream.ts'

/** Of the largest body that a gateway lets through. */
const BODY_BYTES = String(64 * 1024 * 1024)

/** {@link ATTACKED_DEFINITION} in Go, without an endpoint, which would need a handler of its own. */
export const ATTACKED_IN_GO = ATTACKED_DEFINITION.replace('project {', '$& #language(go);').replace(
  PUBLIC_ENDPOINT,
  '',
)

/**
 * Starts services of {@link ATTACKED_IN_GO}, which respond to a request with 200 where they have its path. What Go's
 * server does not take for a request is not recorded.
 */
export async function startGoUpstream(
  credentials: readonly [Credential, Credential],
  address = '127.0.0.1',
): Promise<Upstream> {
  const received: Received[] = []
  let taken = 0
  const recorder = createServer((request, response) => {
    const service = request.url?.slice(1) ?? ''
    void json(request).then((reported) => {
      received.push({ service, ...(reported as Omit<Received, 'service'>) })
      response.end()
    })
  })
  await new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve))
  const recorderUrl = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`

  const credentialsFile = path.join(await temporaryDirectory(), 'gateway-credentials.json')
  const rotate = async (...secrets: readonly string[]): Promise<void> => {
    const known = credentials.map(({ id }, index) => ({ id, secret: secrets[index] }))
    const text = JSON.stringify({ consumer: 'auth-service', credentials: known })
    await writeFile(`${credentialsFile}.new`, text)
    await rename(`${credentialsFile}.new`, credentialsFile)
  }
  await rotate(...credentials.map(({ secret }) => secret))
  const files = emitProject(platformOf(ATTACKED_IN_GO))
  const setups = path.join(import.meta.dirname, '../emit/setups')
  const setup = readFileSync(path.join(setups, 'attacked.go'), 'utf8')
  const changes = {
    ...Object.fromEntries(RUNNING.map((directory) => [`${directory}/setup.go`, setup])),
    'internal/platform/recorder.go': readFileSync(path.join(setups, 'recorder.go'), 'utf8'),
  }
  const running = await Promise.all(
    RUNNING.map(async (directory) => {
      const database = await freshDatabase()
      const service = await startService(
        files,
        directory,
        {
          DATABASE_URL: database.url,
          GATEWAY_CREDENTIALS_FILE: credentialsFile,
          HOST: address,
          MAX_BODY_BYTES: BODY_BYTES,
          MAX_BODY_BYTES_IN_FLIGHT: BODY_BYTES,
          RECORDER_URL: `${recorderUrl}/${directory}`,
        },
        changes,
      )
      if (service.url === '') throw new Error(`${directory} does not start: ${service.output.text}`)
      return { directory, database, service }
    }),
  )
  return {
    ports: Object.fromEntries(
      running.map(({ directory, service }) => [directory, Number(new URL(service.url).port)]),
    ),
    received,
    rotate,
    take: () => {
      const fresh = received.slice(taken)
      taken = received.length
      return fresh
    },
    stop: async () => {
      await Promise.all(running.map(({ service }) => service.discard()))
      await Promise.all(running.map(({ database }) => database.drop()))
      recorder.closeAllConnections()
      await new Promise((resolve) => recorder.close(resolve))
    },
  }
}
