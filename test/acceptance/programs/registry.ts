import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

/** A package that was packed but not published. */
export interface PackedPackage {
  readonly tarball: string
  /** Its package.json. */
  readonly manifest: { readonly name: string; readonly version: string }
}

/** A registry on this machine. */
export interface Registry {
  /** Ends with a slash. */
  readonly url: string
  readonly stop: () => void
}

/** Package managers refuse versions that are younger than a day or so. */
const PUBLISHED = '2026-01-01T00:00:00.000Z'

/** Starts a registry with these packages. It gets all others from the registry at `upstream`, which ends with a slash. */
export async function startRegistry(packages: readonly PackedPackage[], upstream: string): Promise<Registry> {
  const server = createServer(({ url: target = '/', headers }, response) => {
    const name = decodeURIComponent(target.slice(1))
    const own = packages.find(({ manifest, tarball }) =>
      [manifest.name, path.basename(tarball)].includes(name),
    )
    if (own === undefined) void forward(new URL(target.slice(1), upstream), headers.accept, response)
    else if (name === own.manifest.name) {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(packument(own, `http://${headers.host}/`)))
    } else response.end(readFileSync(own.tarball))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function packument({ manifest, tarball }: PackedPackage, registry: string): object {
  const { name, version } = manifest
  const content = readFileSync(tarball)
  const dist = {
    tarball: registry + path.basename(tarball),
    integrity: `sha512-${createHash('sha512').update(content).digest('base64')}`,
    shasum: createHash('sha1').update(content).digest('hex'),
  }
  return {
    name,
    'dist-tags': { latest: version },
    time: { created: PUBLISHED, modified: PUBLISHED, [version]: PUBLISHED },
    versions: { [version]: { ...manifest, _id: `${name}@${version}`, dist } },
  }
}

async function forward(url: URL, accept: string | undefined, response: ServerResponse): Promise<void> {
  try {
    const { status, headers, body } = await fetch(url, accept === undefined ? {} : { headers: { accept } })
    const type = headers.get('content-type')
    response.writeHead(status, type === null ? {} : { 'content-type': type })
    if (body === null) response.end()
    else await pipeline(body, response)
  } catch {
    response.destroy()
  }
}
