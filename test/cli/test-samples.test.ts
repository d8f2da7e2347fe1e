import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Ended, run, runProcess, temporaryDirectory } from './harness.ts'

const DEFINITION = `
Tiny: project {}
Note: service { text: string(100); #omit[read, update, delete]; }
`

let gateway: string
let requests = 0

/** A platform at which no check may arrive. The command only asks whether it responds. */
beforeAll(async () => {
  const server = createServer((_, response) => {
    requests++
    response.setHeader('content-type', 'application/json').end('{}')
  }).listen(0, '127.0.0.1')
  server.unref()
  await new Promise((resolve) => server.once('listening', resolve))
  gateway = `127.0.0.1:${(server.address() as AddressInfo).port}`
})

/** A definition, and files in the directory of its project. */
function project(files: Readonly<Record<string, string>>): string {
  const cwd = temporaryDirectory()
  writeFileSync(join(cwd, 'tiny.portico'), DEFINITION)
  mkdirSync(join(cwd, 'tiny/test'), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, 'tiny/test', name), text)
  return cwd
}

/** Runs the command, which must end before its checks. */
async function expectProblem(
  start: (args: readonly string[]) => Promise<Ended>,
): Promise<Pick<Ended, 'status' | 'stderr'>> {
  requests = 0
  const { status, stdout, stderr } = await start(['test', 'tiny.portico', '--gateway', gateway, '-q'])
  expect({ stdout, requests }).toEqual({ stdout: '', requests: 1 })
  return { status, stderr }
}

describe('test/samples.json', () => {
  it('is rejected with status 1 if it does not fit the definition', async () => {
    const cwd = project({ 'samples.json': '{"Note": {"text": ["a", 3]}}' })
    expect(await expectProblem((args) => run(args, { cwd }))).toEqual({
      status: 1,
      stderr:
        'error: `tiny/test/samples.json`: Invalid value 3 of `text` of `Note`\nhelp: expected: string, at most 100 characters\n',
    })
  })

  it('is rejected with status 1 if it is not JSON', async () => {
    const cwd = project({ 'samples.json': '{"Note": }' })
    const { status, stderr } = await expectProblem((args) => run(args, { cwd }))
    expect(status).toBe(1)
    expect(stderr).toMatch(/^error: `tiny\/test\/samples.json` is not JSON: Unexpected token/)
  })

  it('is read from the directory of `--output`', async () => {
    const cwd = project({ 'samples.json': '[]' })
    const inOther = (args: readonly string[]): Promise<Ended> =>
      run([...args.with(1, '../tiny.portico'), '-o', '../tiny'], { cwd: join(cwd, 'tiny') })
    expect(await expectProblem(inOther)).toMatchObject({ status: 1 })
  })

  it('cannot be a link to a file outside of the project', async () => {
    const cwd = project({})
    writeFileSync(join(cwd, 'outside.json'), '{}')
    symlinkSync('../../outside.json', join(cwd, 'tiny/test/samples.json'))
    expect(await expectProblem((args) => run(args, { cwd }))).toEqual({
      status: 3,
      stderr: 'error: `tiny/test/samples.json` is outside of the project\n',
    })
  })

  it('is not used for a temporary platform', async () => {
    const { stderr, status } = await run(['test', 'tiny.portico', '-o', 'tiny'], { cwd: project({}) })
    expect({ stderr, status }).toEqual({ status: 2, stderr: 'error: `--output` requires `--gateway`\n' })
  })
})

describe('test/before.ts', () => {
  it.each([
    [
      'throws',
      'export default async () => {\n  const city: string = "Bern"\n  throw new Error(`Unknown city ${city}`)\n}\n',
      'error: `tiny/test/before.ts`, line 3: Unknown city Bern\n',
    ],
    [
      'has no default export',
      'export const before = 1\n',
      'error: `tiny/test/before.ts`: Expected a function as its default export\n',
    ],
  ])('ends the run with status 3 if it %s', async (_, text, stderr) => {
    const cwd = project({ 'before.ts': text })
    expect(await expectProblem((args) => runProcess(args, { cwd }))).toEqual({ status: 3, stderr })
  })

  it('is rejected with status 1 if its samples do not fit the definition', async () => {
    const cwd = project({ 'before.ts': 'export default () => ({ Nota: {} })\n' })
    expect(await expectProblem((args) => runProcess(args, { cwd }))).toEqual({
      status: 1,
      stderr: 'error: `tiny/test/before.ts`: Unknown service `Nota`\nhelp: did you mean `Note`?\n',
    })
  })

  it('is stopped by a signal', async () => {
    const cwd = project({ 'before.ts': 'export default () => new Promise(() => {})\n' })
    const stop = new AbortController()
    const onStderr = (text: string): void => {
      if (text.includes('before.ts')) stop.abort()
    }
    onTestFinished(() => stop.abort())
    const { status } = await run(['test', 'tiny.portico', '--gateway', gateway], {
      cwd,
      signal: stop.signal,
      onStderr,
    })
    expect(status).toBe(1)
  })
})
