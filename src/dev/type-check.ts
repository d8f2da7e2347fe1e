import { execFile, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { lstat, mkdir, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import path from 'node:path'
import type { TypeError } from './events.ts'
import { writeFileAtomically } from './state.ts'

/** Checks the types of a project beside its run. */
export interface TypeCheck {
  /** Begins anew with the present files; an older check that still runs is given up. */
  run(): void
  /** Those that are checked from the next run on, relative to the output. */
  setServices(directories: readonly string[]): void
  readonly stop: () => Promise<void>
}

/** How to check, and whom to tell. */
export interface TypeCheckOptions {
  readonly output: string
  readonly stateDirectory: string
  /** After each check that found others than the one before. */
  readonly onErrors: (errors: readonly TypeError[]) => void
  readonly onFailure: (text: string) => void
}

/** As the compiler prints them without `--pretty`. */
const ERROR_LINE = /^(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)$/
const COMPILER_OPTIONS = {
  target: 'es2024',
  lib: ['es2024'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  // The sources are seen through links, beside which their dependencies stand.
  preserveSymlinks: true,
}

/**
 * Checks with the TypeScript that Portico brings, in a process of its own. The project itself stays as it is:
 * the compiler sees it through links in the state directory, where Portico's own dependencies stand in for
 * those that a service has not installed.
 */
export function createTypeCheck(options: TypeCheckOptions): TypeCheck {
  const view = path.join(options.stateDirectory, 'types')
  let services: readonly string[] = []
  let process: ChildProcess | undefined
  let last = '[]'
  let latest = 0
  let running: Promise<void> = Promise.resolve()

  async function check(turn: number): Promise<void> {
    await layOut(view, options.output, services)
    if (turn !== latest) return
    const output = await new Promise<string>((resolve, reject) => {
      process = execFile(
        globalThis.process.execPath,
        [compiler(), '--project', view, '--pretty', 'false'],
        { cwd: view, maxBuffer: 64 * 1024 * 1024, env: { ...globalThis.process.env, GOGC: '50' } },
        (error, stdout, stderr) => {
          // It fails where there are type errors, and then prints them.
          if (error !== null && stdout === '' && !error.killed) reject(new Error(stderr || error.message))
          else resolve(stdout)
        },
      )
      beModest(process)
    })
    if (turn !== latest) return
    const errors = output.split('\n').flatMap((line) => parseError(line))
    const text = JSON.stringify(errors)
    if (text === last) return
    last = text
    options.onErrors(errors)
  }

  return {
    run: () => {
      const turn = ++latest
      process?.kill()
      running = running
        .then(() => check(turn))
        .catch((error: unknown) => {
          if (turn === latest) options.onFailure(error instanceof Error ? error.message : String(error))
        })
    },
    setServices: (directories) => {
      services = directories
    },
    stop: async () => {
      latest++
      process?.kill('SIGKILL')
      await running
    },
  }
}

/** `view/<service>/src` and `view/<service>/node_modules` are links; `view/node_modules` is Portico's. */
async function layOut(view: string, output: string, services: readonly string[]): Promise<void> {
  await rm(view, { recursive: true, force: true })
  await mkdir(view, { recursive: true })
  const include: string[] = []
  const checked = await Promise.all(
    services.map(async (service) => {
      const target = path.join(output, service)
      const stats = await lstat(path.join(target, 'src')).catch(() => undefined)
      if (stats === undefined) return []
      await mkdir(path.join(view, service))
      await symlink(path.join(target, 'src'), path.join(view, service, 'src'))
      await symlink(path.join(target, 'package.json'), path.join(view, service, 'package.json'))
      const modules = path.join(target, 'node_modules')
      if (existsSync(modules)) await symlink(modules, path.join(view, service, 'node_modules'))
      return [`${service}/src`]
    }),
  )
  include.push(...checked.flat())
  await symlink(dependencies(), path.join(view, 'node_modules'))
  const config = { compilerOptions: COMPILER_OPTIONS, include }
  await writeFileAtomically(path.join(view, 'tsconfig.json'), JSON.stringify(config), 0o644)
}

/** Requests and reloads come first. */
function beModest({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended already, or the system does not let us: then it runs like any other.
  }
}

function parseError(line: string): TypeError[] {
  const [, file, row, column, code, message] = ERROR_LINE.exec(line) ?? []
  if (file === undefined || code === undefined || message === undefined) return []
  return [{ file, line: Number(row), column: Number(column), code, message }]
}

const require = createRequire(import.meta.url)

function compiler(): string {
  return path.join(path.dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
}

/** The `node_modules` that holds what generated services depend on. */
function dependencies(): string {
  const file = require.resolve('hono')
  return file.slice(0, file.lastIndexOf(`${path.sep}node_modules${path.sep}`) + '/node_modules'.length)
}
