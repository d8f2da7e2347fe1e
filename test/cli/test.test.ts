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
  it('runs a platform of its own, says what it checked and leaves nothing behind', async () => {
    const { cwd, file } = definition()
    const temporary = temporaryDirectory()
    vi.stubEnv('TMPDIR', temporary)
    const { status, stdout, stderr } = await run(['test', file], { cwd })
    expect({ status, failures: stdout.match(/✖.*/g) }).toEqual({ status: 0, failures: null })
    expect(stdout).toContain('\nNote\n')
    expect(stdout).toContain('  ✔ create answers 201 with what is stored and where it is\n')
    expect(stdout).toMatch(/\n\d+ checks: \d+ passed \(\d+ requests\)\n$/)
    expect(stderr).toContain('Starting a platform\n')
    expect(readdirSync(temporary)).toEqual([])
  })

  it('shows request, answer and expectation of what falls short, and ends with 1', async () => {
    const { cwd, file } = definition()
    const gateway = await brokenGateway()
    const { status, stdout } = await run(['test', file, '--gateway', gateway, '-q'], { cwd })
    expect(status).toBe(1)
    expect(stdout).toContain(
      `Gateway
  ✖ paths of no service are 404, with and without a token
      request:  GET /
      answer:   200 content-type: application/json {}
      expected: 404 {"message":"Not Found"}
`,
    )
    expect(stdout).not.toContain('✔')
    expect(stdout).toMatch(/\d+ checks: \d+ passed, \d+ failed \(\d+ requests\)\n$/)
  })

  it('prints one object a line where that is asked for', async () => {
    const { cwd, file } = definition()
    const gateway = await brokenGateway()
    const { stdout } = await run(['test', file, '--gateway', gateway, '--format', 'json'], { cwd })
    const results = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>)
    expect(results[0]).toEqual({
      group: 'Gateway',
      check: 'paths of no service are 404, with and without a token',
      outcome: 'failed',
      request: 'GET /',
      answer: '200 content-type: application/json {}',
      expected: '404 {"message":"Not Found"}',
    })
  })

  it('ends with 1 for a definition with errors', async () => {
    const { cwd, file } = definition('A: project {}')
    const { status, stderr } = await run(['test', file], { cwd })
    expect({ status, error: /error\[[a-z-]+\]/.test(stderr) }).toEqual({ status: 1, error: true })
  })

  it('tells wrong use from a platform that does not answer', async () => {
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

  it('says what is not available yet', async () => {
    const { cwd, file } = definition(DEFINITION.replace('{}', '{ #language(go); }'))
    const { status, stderr } = await run(['test', file], { cwd })
    expect({ status, advice: stderr.includes('--language typescript') }).toEqual({ status: 1, advice: true })
  })

  it('stops when it is told to', async () => {
    const { cwd, file } = definition()
    const { status } = await run(['test', file], { cwd, signal: AbortSignal.abort() })
    expect(status).toBe(1)
  })
})
