import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Pool } from 'undici'
import { readTemplate } from '../../emit/codegen/templates.ts'
import { PlatformError } from '../platform-error.ts'
import type { ServiceInstance, StartFailure } from '../service-instance.ts'
import { parseOutputLine } from '../service-log.ts'
import type { DevTarget, RunnerOptions, ServiceStart, StartService } from '../target.ts'

/** Services in Go: each is built with the Go of the machine, and runs in a process of its own. */
export const GO: DevTarget = {
  shared: ['internal', 'shared', 'go.mod', 'go.sum'],
  sources: (directory) => [directory],
  setup: (directory) => `${directory}/setup.go`,
  requireTools,
  createRunner,
  // Building reports the errors of the code.
  createCheck: () => ({ run: () => {}, setServices: () => {}, stop: async () => {} }),
}

/** The version that generated projects ask for. */
const [, MAJOR = '', MINOR = ''] = /^go (\d+)\.(\d+)/m.exec(readTemplate('go/go.mod')) ?? []

function requireTools(): void {
  const { error, stdout } = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' })
  const [, major, minor] = (error === undefined && /^go(\d+)\.(\d+)/.exec(stdout)) || []
  if (major === undefined || minor === undefined)
    throw new PlatformError('Services in Go require the command `go`, which was not found', INSTALL)
  if (Number(major) === Number(MAJOR) && Number(minor) >= Number(MINOR)) return
  throw new PlatformError(
    `Services in Go require Go ${MAJOR}.${MINOR}, but the installed version is ${major}.${minor}`,
    INSTALL,
  )
}

const INSTALL = `install Go ${MAJOR}.${MINOR} or later from https://go.dev/dl`

/** How long a start may take, `setup` included, in ms. */
const START_MS = 60_000
const POLL_MS = 20
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024

function createRunner({ output, stateDirectory, corsOrigins, onProgress }: RunnerOptions): StartService {
  const binaries = path.join(stateDirectory, 'bin')
  const build = createBuilder(output, binaries, onProgress)
  const origins = { PORTICO_CORS_ORIGINS: corsOrigins.join(',') }
  return async (start, signal) => {
    const [failure, environment] = await Promise.all([build(start.directory), start.environment])
    if (failure !== undefined) return { failure }
    return startProcess(
      path.join(binaries, start.directory),
      output,
      { ...start, environment: { ...environment, ...origins } },
      signal,
    )
  }
}

/** Creates what builds services. Those that are asked for while others are built, are built together after them. */
function createBuilder(
  output: string,
  binaries: string,
  onProgress: (text: string) => void,
): (directory: string) => Promise<string | undefined> {
  let waiting: Promise<Map<string, string>> | undefined
  let directories: string[] = []
  let last: Promise<unknown> = Promise.resolve()

  async function run(): Promise<Map<string, string>> {
    const batch = [...new Set(directories)]
    directories = []
    waiting = undefined
    await mkdir(binaries, { recursive: true })
    await writeGuard(output, binaries)
    if ((await goBuild(output, binaries, batch)) === undefined) return new Map()
    // Which of them failed, and why.
    const failures = new Map<string, string>()
    for (const directory of batch) {
      const failure = await goBuild(output, binaries, [directory])
      if (failure !== undefined) failures.set(directory, failure)
    }
    return failures
  }

  let isFirst = true
  return async (directory) => {
    directories.push(directory)
    if (isFirst) onProgress('Building the services in Go')
    isFirst = false
    if (waiting === undefined) {
      const before = last
      waiting = before.then(() => delay(0)).then(run)
      last = waiting.catch(() => {})
    }
    return (await waiting).get(directory)
  }
}

/** The list of files that builds have besides those of the project. */
const OVERLAY = '.overlay.json'

/** Adds what makes services reject requests whose Host or Origin the gateway would reject. */
async function writeGuard(output: string, binaries: string): Promise<void> {
  const file = path.join(binaries, '.guard.go')
  const overlay = { Replace: { [path.join(output, 'internal/platform/guard_dev.go')]: file } }
  await writeFile(file, readTemplate('go/internal/platform/guard_dev.go'))
  await writeFile(path.join(binaries, OVERLAY), JSON.stringify(overlay))
}

/** The module that sends traces, which services use in builds with the tag `otel`. */
const EXPORTER = /^(?:require)?\s*go\.opentelemetry\.io\/otel\/exporters\/otlp\/otlptrace\/otlptracehttp /m

/** The tags of builds: if the project requires OpenTelemetry, as in `docs/go.md`, services can send traces. */
export function buildTags(goMod: string): string {
  return EXPORTER.test(goMod) ? 'portico_dev,otel' : 'portico_dev'
}

/** Returns the compiler's errors, if there are any. */
async function goBuild(
  output: string,
  binaries: string,
  directories: readonly string[],
): Promise<string | undefined> {
  const packages = directories.map((directory) => `./${directory}`)
  try {
    const options = [
      '-tags',
      buildTags(await readFile(path.join(output, 'go.mod'), 'utf8')),
      '-overlay',
      path.join(binaries, OVERLAY),
      '-o',
      `${binaries}${path.sep}`,
    ]
    await promisify(execFile)('go', ['build', ...options, ...packages], {
      cwd: output,
      maxBuffer: MAX_OUTPUT_BYTES,
    })
    return undefined
  } catch (error) {
    const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('# '))
    return `its code does not compile:\n${lines.join('\n')}`
  }
}

/** Starts a binary. Resolves when it is ready, or with the reason why it failed. */
async function startProcess(
  binary: string,
  output: string,
  { directory, environment, onLine }: Omit<ServiceStart, 'environment'> & { environment: NodeJS.ProcessEnv },
  signal: AbortSignal,
): Promise<ServiceInstance | StartFailure> {
  if (signal.aborted) return { failure: 'it was stopped' }
  const [port, internalPort] = await Promise.all([freePort(), freePort()])
  const child = spawn(binary, [], {
    cwd: output,
    env: { ...environment, PORT: String(port), INTERNAL_PORT: String(internalPort) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  let reason: string | undefined
  let isStopping = false
  const read = (text: string, fallback: 'info' | 'error'): void => {
    const message = parseOutputLine(text, fallback, `${directory}/`)
    if (message.kind === 'line') onLine(message.line)
    else if (message.kind === 'fatal') reason = message.message
  }
  const outputs = [
    readLines(child.stdout, (text) => read(text, 'info')),
    readLines(child.stderr, (text) => read(text, 'error')),
  ]
  const ended = endOf(child, outputs).then((status) => {
    process.off('exit', kill)
    return isStopping ? undefined : (reason ?? `it exited with ${status}`)
  })
  const settled = new AbortController()
  const either = AbortSignal.any([signal, settled.signal])
  const failure = await Promise.race([
    untilReady(internalPort, either),
    ended.then((text = 'it was stopped') => text),
    delay(START_MS, `it was not ready after ${START_MS / 1000} s`, { signal: either }).catch(
      () => 'it was stopped',
    ),
  ])
  settled.abort()
  if (failure !== undefined) {
    isStopping = true
    kill()
    await ended
    return { failure }
  }
  const api = new Pool(`http://127.0.0.1:${port}`, { connections: null, pipelining: 1 })
  void ended.then(() => api.destroy().catch(() => {}))
  return {
    internalPort,
    api,
    ended,
    stop: async (milliseconds) => {
      isStopping = true
      const closed = api.close().catch(() => {})
      const timeout = new AbortController()
      await Promise.race([
        closed.then(() => child.kill('SIGTERM')).then(() => ended),
        ended,
        delay(milliseconds, undefined, { signal: timeout.signal }).catch(() => {}),
      ])
      timeout.abort()
      kill()
      await ended
    },
  }
}

/** Resolves when the service is ready. */
async function untilReady(internalPort: number, signal: AbortSignal): Promise<undefined> {
  while (!signal.aborted) {
    const response = await fetch(`http://127.0.0.1:${internalPort}/health/ready`, { signal }).catch(
      () => undefined,
    )
    await response?.arrayBuffer().catch(() => undefined)
    if (response?.status === 200) return
    await delay(POLL_MS)
  }
}

/** A port on 127.0.0.1 that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => {
    server.close(resolve)
  })
  return port
}

/** Resolves with how the process has ended, once its output has been read. */
async function endOf(child: ChildProcess, outputs: readonly Promise<void>[]): Promise<string> {
  const status = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(code === null ? String(signal) : `code ${code}`))
  })
  await Promise.all(outputs)
  return status
}

/** Reads each line. Resolves at the end of the stream. */
function readLines(stream: Readable, onLine: (text: string) => void): Promise<void> {
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', onLine)
  return new Promise((resolve) => {
    lines.once('close', resolve)
  })
}
