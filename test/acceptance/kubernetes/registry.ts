import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { freePort } from '../../free-port.ts'

/** A registry of images on this machine, without TLS, as Docker and containerd accept it from localhost. */
export interface Registry {
  /** `host:port`. */
  readonly address: string
  /** Stops it and deletes its images. */
  stop(): Promise<void>
}

/** Starts Debian's `docker-registry` on a free port. */
export async function startRegistry(): Promise<Registry> {
  const directory = await mkdtemp(path.join(tmpdir(), 'portico-registry-'))
  const address = `localhost:${await freePort()}`
  const configuration = path.join(directory, 'registry.json')
  await writeFile(
    configuration,
    JSON.stringify({
      version: 0.1,
      storage: { filesystem: { rootdirectory: path.join(directory, 'images') } },
      http: { addr: address },
    }),
  )
  const server = spawn('docker-registry', ['serve', configuration], { stdio: 'ignore' })
  await expect
    .poll(async () => (await fetch(`http://${address}/v2/`).catch(() => undefined))?.status)
    .toBe(200)
  return {
    address,
    stop: async () => {
      server.kill()
      await once(server, 'exit')
      await rm(directory, { recursive: true, force: true })
    },
  }
}
