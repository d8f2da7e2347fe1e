import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { run, temporaryDirectory } from './harness.ts'

const DEFINITION = `
Tiny: project {}
Note: service { text: string(100); #omit[read, update, delete]; }
`

/** A definition in a directory of its own. */
function definition(text = DEFINITION): { cwd: string; file: string } {
  const cwd = temporaryDirectory()
  writeFileSync(join(cwd, 'tiny.portico'), text)
  return { cwd, file: 'tiny.portico' }
}

/** `host:port` of a platform that answers everything with 200 and an empty object. */
async function brokenGateway(): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end('{}')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('portico test', () => {
  it('tests a temporary platform, prints the results and removes everything', async () => {
    const { cwd, file } = definition()
    const temporary = temporaryDirectory()
    vi.stubEnv('TMPDIR', temporary)
    const { status, stdout, stderr } = await run(['test', file], { cwd })
    expect({ status, failures: stdout.match(/✖.*/g) }).toEqual({ status: 0, failures: null })
    expect(stdout).toContain('\nNote\n')
    expect(stdout).toContain('  ✔ create returns 201 with the entity and its location\n')
    expect(stdout).toMatch(/\n\d+ checks: \d+ passed \(\d+ requests\)\n$/)
    expect(stderr).toContain('Starting the platform\n')
    expect(readdirSync(temporary)).toEqual([])
  })

  it('shows the request, response and expectation of a failed check, and exits with 1', async () => {
    const { cwd, file } = definition()
    const gateway = await brokenGateway()
    const { status, stdout } = await run(['test', file, '--gateway', gateway, '-q'], { cwd })
    expect(status).toBe(1)
    expect(stdout).toContain(
      `Gateway
  ✖ unknown paths return 404, with and without a token
      request:  GET /
      response: 200 content-type: application/json {}
      expected: 404 {"message":"Not Found"}
`,
    )
    expect(stdout).not.toContain('✔')
    expect(stdout).toMatch(/\d+ checks: \d+ passed, \d+ failed \(\d+ requests\)\n$/)
  })

  it('prints one JSON object per line with --format json', async () => {
    const { cwd, file } = definition()
    const gateway = await brokenGateway()
    const { stdout } = await run(['test', file, '--gateway', gateway, '--format', 'json'], { cwd })
    const results = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>)
    expect(results[0]).toEqual({
      group: 'Gateway',
      check: 'unknown paths return 404, with and without a token',
      outcome: 'failed',
      request: 'GET /',
      response: '200 content-type: application/json {}',
      expected: '404 {"message":"Not Found"}',
    })
  })

  it('exits with 1 for a definition with errors', async () => {
    const { cwd, file } = definition('A: project {}')
    const { status, stderr } = await run(['test', file], { cwd })
    expect({ status, error: /error\[[a-z-]+\]/.test(stderr) }).toEqual({ status: 1, error: true })
  })

  it('distinguishes incorrect use from a platform that does not respond', async () => {
    const { cwd, file } = definition()
    const statuses = [
      ['--gateway', 'http://localhost:1/'],
      ['--credentials', 'file'],
      ['--gateway', 'localhost:1'],
      ['--gateway', 'localhost:1', '--credentials', 'missing'],
      ['--gateway', 'localhost:1', '--credentials', file],
    ].map(async (options) => (await run(['test', file, ...options], { cwd })).status)
    expect(await Promise.all(statuses)).toEqual([2, 2, 3, 3, 3])
  })

  it('reports an invalid `--gateway`, and `--credentials` without it', async () => {
    const { cwd, file } = definition()
    for (const gateway of ['http://localhost:8080/api', 'localhost:65536', 'localhost:0', 'localhost'])
      expect((await run(['test', file, '--gateway', gateway], { cwd })).stderr).toBe(
        'error: `--gateway` takes host:port, for example `localhost:8080`\n',
      )
    expect((await run(['test', file, '--credentials', 'file'], { cwd })).stderr).toBe(
      'error: `--credentials` requires `--gateway`\n',
    )
    expect((await run(['test', file, '--gateway', 'localhost:1'], { cwd })).stderr).toBe(
      'error: Could not connect to localhost:1\nhelp: start the platform, for example with `portico dev`\n',
    )
  })

  it('stops on a signal', async () => {
    const { cwd, file } = definition()
    const { status } = await run(['test', file], { cwd, signal: AbortSignal.abort() })
    expect(status).toBe(1)
  })
})
