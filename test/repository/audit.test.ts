import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const AUDIT = join(import.meta.dirname, '../../.ci/audit')

/** Runs `.ci/audit` with a registry that responds in this way. */
async function audit(respond: RequestListener): Promise<{ status: number; output: string }> {
  const registry = createServer((request, response) => {
    request.resume()
    if (request.method === 'POST') respond(request, response)
    else response.writeHead(404).end('{}')
  })
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  const cache = mkdtempSync(join(tmpdir(), 'portico-audit-'))
  onTestFinished(() => {
    registry.close()
    rmSync(cache, { recursive: true, force: true })
  })
  const env = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
    npm_config_fetch_retries: '0',
    npm_config_cache: cache,
  }
  return await new Promise((resolve) => {
    const child = execFile(AUDIT, { env }, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode ?? -1, output: stdout + stderr }),
    )
  })
}

/** A registry that knows one vulnerability of every version of a package. */
function vulnerable(name: string, severity: string): RequestListener {
  const advisory = {
    id: 1,
    url: 'https://a.b/1',
    title: 'bad',
    severity,
    vulnerable_versions: '*',
    cwe: [],
    cvss: {},
  }
  return (_request, response) => void response.end(JSON.stringify({ [name]: [advisory] }))
}

test('passes without vulnerabilities', async () => {
  const { status, output } = await audit((_request, response) => void response.end('{}'))
  expect({ status, output }).toEqual({
    status: 0,
    output: ['Dependencies', 'Development', 'Site', 'Generated projects']
      .map((what) => `${what}: no known vulnerabilities\n`)
      .join(''),
  })
})

test.each([
  ['postgres', 'moderate', 1],
  ['vitest', 'high', 1],
  ['vitest', 'moderate', 0],
])('for a vulnerability of %s of %s severity, ends with %i', async (name, severity, expected) => {
  const { status, output } = await audit(vulnerable(name, severity))
  expect(status, output).toBe(expected)
  expect(output.includes(`"name": "${name}"`)).toBe(expected === 1)
})

test('says so if the registry has no audits, and fails for any other error', async () => {
  const [missing, broken] = await Promise.all(
    [405, 500].map((code) => audit((_request, response) => void response.writeHead(code).end())),
  )
  expect(missing?.status).toBe(0)
  expect(missing?.output).toContain('Dependencies: not checked, because the registry has no audits\n')
  expect(broken?.status).toBe(1)
})
