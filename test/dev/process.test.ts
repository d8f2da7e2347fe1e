import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from './run-platform.ts'

const PORTICO = path.resolve('bin/portico.mjs')
const NOTES = 'Tiny: project {}\nNote: service { text: string(100); #enumerable; }\n'

let directory: string
let definition: string
let output: string
const children: Dev[] = []

/** `portico dev` as a user runs it. */
interface Dev {
  readonly child: ChildProcess
  stdout(): string
  stderr(): string
  /** Resolves with the status, or the signal, that it ended with. */
  readonly ended: Promise<number | string>
  /** `localhost:1234`; throws when it ends first. */
  gateway(): Promise<string>
}

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'portico-process-'))
  // Otherwise the database, which another account runs, would lie elsewhere.
  await chmod(directory, 0o755)
  definition = path.join(directory, 'test.portico')
  output = path.join(directory, 'out')
  await writeFile(definition, NOTES)
})

afterEach(async () => {
  for (const { child, ended } of children.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
  await until(() => postgresProcesses().length === 0)
  const data = await dataDirectory()
  for (const each of [data, directory]) await rm(each, { recursive: true, force: true })
})

function dev(args: string[] = [], env: NodeJS.ProcessEnv = {}): Dev {
  return run(process.execPath, [PORTICO, 'dev', definition, '-o', output, '--port', '0', ...args], env)
}

function run(program: string, args: string[], env: NodeJS.ProcessEnv = {}): Dev {
  const { npm_lifecycle_event: _event, npm_command: _command, ...own } = process.env
  const child = spawn(program, args, {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...own, PORTICO_SOURCE: '1', NO_COLOR: '1', ...env },
  })
  let [out, err] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text))
  const ended = once(child, 'close').then(([status, signal]) => (status ?? signal) as number | string)
  const started: Dev = {
    child,
    stdout: () => out,
    stderr: () => err,
    ended,
    gateway: async () => {
      await Promise.race([until(() => out.includes('GATEWAY_ENTRY=')), ended])
      const [, gateway] = /^GATEWAY_ENTRY=(localhost:\d+)$/m.exec(out) ?? []
      if (gateway === undefined) throw new Error(`It ended:\n${err}`)
      return gateway
    },
  }
  children.push(started)
  return started
}

async function dataDirectory(): Promise<string> {
  const usual = path.join(output, '.portico/dev/postgres')
  const note = await readFile(`${usual}.location`, 'utf8').catch(() => undefined)
  return note === undefined ? usual : note.trim()
}

/** Database processes whose data is this test's, by their working directory. */
function postgresProcesses(): string[] {
  const note = path.join(output, '.portico/dev/postgres.location')
  let data = path.join(output, '.portico/dev/postgres')
  try {
    data = readFileSync(note, 'utf8').trim()
  } catch {
    // It lies where it usually does.
  }
  return readdirSync('/proc').filter((entry) => {
    if (!/^\d+$/.test(entry)) return false
    try {
      const [program] = readFileSync(`/proc/${entry}/comm`, 'utf8').split('\n')
      return (
        ['postgres', 'initdb'].includes(program ?? '') &&
        readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes(data)
      )
    } catch {
      return false
    }
  })
}

test('standard output carries the gateway alone, and requests are shown with their status', async () => {
  const platform = dev()
  const gateway = await platform.gateway()
  expect((await fetch(`http://${gateway}/api/note/all`)).status).toBe(200)
  expect((await fetch(`http://${gateway}/api/nothing`)).status).toBe(404)
  await until(() => platform.stderr().includes('/api/nothing'))
  expect(platform.stdout()).toBe(`GATEWAY_ENTRY=${gateway}\n`)
  expect(platform.stderr()).toMatch(
    /✔ Tiny is ready: 1 service, 5 endpoints \(\d+\.\d s\)\n {2}\/api\/note {2}5 endpoints\n/,
  )
  expect(platform.stderr()).toMatch(/gateway \| GET {4}\/api\/note\/all 200 [\d.]+ ms\n/)
  expect(platform.stderr()).toMatch(/gateway \| GET {4}\/api\/nothing 404 [\d.]+ ms\n/)
})

test('what services print is prefixed, and cannot steer the terminal', async () => {
  const first = dev(['--no-watch'])
  await first.gateway()
  first.child.kill('SIGTERM')
  await first.ended
  await writeFile(
    path.join(output, 'note/src/setup.ts'),
    `import type { Env } from './hooks.ts'\n\nexport default function setup(env: Env) {\n  env.log.warn('careful', { count: 2, note: 'a\\u001b[2Jb' })\n  console.log('plain')\n}\n`,
  )
  const platform = dev(['--no-watch'])
  await platform.gateway()
  await until(() => platform.stderr().includes('plain'))
  expect(platform.stderr()).toMatch(/^note {4}\| careful count=2 note=ab$/m)
  expect(platform.stderr()).toMatch(/^note {4}\| plain$/m)
  const quiet = children.at(-1)
  expect(quiet?.stderr()).not.toContain('\u001b')
})

test('quiet shows neither progress nor requests', async () => {
  const platform = dev(['-q', '--no-watch'])
  const gateway = await platform.gateway()
  await fetch(`http://${gateway}/api/note/all`)
  platform.child.kill('SIGTERM')
  expect(await platform.ended).toBe(0)
  expect([platform.stdout(), platform.stderr()]).toEqual([`GATEWAY_ENTRY=${gateway}\n`, ''])
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends everything within two seconds', async (signal) => {
  const platform = dev()
  const gateway = await platform.gateway()
  await fetch(`http://${gateway}/api/note/all`)
  const began = performance.now()
  platform.child.kill(signal)
  expect(await platform.ended).toBe(0)
  expect(performance.now() - began).toBeLessThan(2000)
  expect(postgresProcesses()).toEqual([])
})

test('a signal while it starts ends everything too', async () => {
  for (const moment of ['Making the database', 'Starting the services']) {
    const platform = dev(['--fresh'])
    await until(() => platform.stderr().includes(moment))
    platform.child.kill('SIGTERM')
    expect(await platform.ended).toBe(0)
    expect(platform.stdout()).toBe('')
    await until(() => postgresProcesses().length === 0)
  }
})

test('killed, it takes its database with it, and the next start finds the data', async () => {
  const platform = dev(['--no-watch'])
  const gateway = await platform.gateway()
  const { status } = await fetch(`http://${gateway}/api/note`, { method: 'POST', body: '{"text": "kept"}' })
  expect(status).toBe(201)
  expect(postgresProcesses().length).toBeGreaterThan(0)
  platform.child.kill('SIGKILL')
  expect(await platform.ended).toBe('SIGKILL')
  const again = dev(['--no-watch'])
  const list = await fetch(`http://${await again.gateway()}/api/note/all`)
  expect(await list.json()).toMatchObject({ NoteList: [{ text: 'kept' }] })
  again.child.kill('SIGKILL')
  await again.ended
  await until(() => postgresProcesses().length === 0)
})

test('it ends with the npm that started it, and outlives a shell that only started it', async () => {
  await writeFile(
    path.join(directory, 'package.json'),
    JSON.stringify({
      scripts: {
        start: `exec '${process.execPath}' '${PORTICO}' dev test.portico -o out --port 0 --no-watch`,
      },
    }),
  )
  const npm = run('npm', ['start', '--silent'])
  await npm.gateway()
  npm.child.kill('SIGKILL')
  await until(() => postgresProcesses().length === 0)
  const command = `'${process.execPath}' '${PORTICO}' dev test.portico -o out --port 0 --no-watch & echo $! > pid; sleep 0.1`
  const shell = run('sh', ['-c', command])
  const gateway = await shell.gateway()
  expect((await fetch(`http://${gateway}/api/note/all`)).status).toBe(200)
  process.kill(Number(await readFile(path.join(directory, 'pid'), 'utf8')), 'SIGTERM')
  await until(() => postgresProcesses().length === 0)
})

test('a definition with errors ends with 1 and its diagnostics', async () => {
  await writeFile(definition, NOTES.replace('string', 'strin'))
  const platform = dev()
  expect(await platform.ended).toBe(1)
  expect(platform.stderr()).toMatch(/^error\[unknown-type\]: .*Did you mean `string`\?\n/)
  expect(platform.stdout()).toBe('')
})

test('a port that is taken ends with 3', async () => {
  const blocker = createServer()
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
  const { port } = blocker.address() as AddressInfo
  const platform = run(process.execPath, [PORTICO, 'dev', definition, '-o', output, '--port', String(port)])
  expect(await platform.ended).toBe(3)
  expect(platform.stderr()).toMatch(
    new RegExp(`^error: Port ${port} is taken\\.\\nChoose another with --port, or any free one`, 'm'),
  )
  await new Promise((resolve) => blocker.close(resolve))
})

test('a second dev in the same directory ends with 3 and names the first', async () => {
  const first = dev(['--no-watch'])
  await first.gateway()
  const second = dev()
  expect(await second.ended).toBe(3)
  expect(second.stderr()).toContain(`Another \`portico dev\` (process ${first.child.pid}) runs the platform`)
})

test('a changed schema without a terminal ends with 2 and names --fresh', async () => {
  const first = dev(['--no-watch'])
  await first.gateway()
  first.child.kill('SIGTERM')
  await first.ended
  await writeFile(definition, NOTES.replace('text: string(100);', 'text: string(100); stars: int;'))
  const refused = dev(['--no-watch'])
  expect(await refused.ended).toBe(2)
  expect(refused.stderr()).toMatch(/ {2}note\n {4}note: Column "stars" is new \(integer\)/)
  expect(refused.stderr()).toContain('`--fresh`')
  const fresh = dev(['--no-watch', '--fresh'])
  expect((await fetch(`http://${await fresh.gateway()}/api/note/all`)).status).toBe(200)
})

test('a service in Go is not available, unless another language is asked for', async () => {
  await writeFile(definition, NOTES.replace('{}', '{ #language(go); #provider(kube); }'))
  const refused = dev()
  expect(await refused.ended).toBe(1)
  expect(refused.stderr()).toContain('--language typescript')
  const platform = dev(['--language', 'typescript', '--no-watch'])
  expect((await fetch(`http://${await platform.gateway()}/api/note/all`)).status).toBe(200)
})

test('an output that cannot be written ends with 3 and a sentence', async () => {
  await writeFile(output, 'a file')
  const platform = dev()
  expect(await platform.ended).toBe(3)
  expect(platform.stderr()).toMatch(/^error: \S+out is not a directory\./m)
  await rm(output)
  output = '/sys/portico'
  const nowhere = dev()
  expect(await nowhere.ended).toBe(3)
  expect(nowhere.stderr()).toMatch(/^error: \/sys\/portico: \S.*\.$/m)
  expect(nowhere.stderr()).not.toMatch(/ {4}at /)
})

const canMount = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0
test.skipIf(!canMount)('a full disk ends with 3 and a sentence', async () => {
  const command = `mkdir small && mount -t tmpfs -o size=6m tmpfs small && exec '${process.execPath}' '${PORTICO}' dev '${definition}' -o small/out --port 0`
  const platform = run('unshare', ['-m', 'sh', '-c', command])
  expect(await platform.ended).toBe(3)
  expect(platform.stderr()).toMatch(/^error: .*(?:no disk space|no space is left)/m)
})
