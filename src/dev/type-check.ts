import { execFile, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import path from 'node:path'
import type { TypeCheckError } from './events.ts'
import { writeFileAtomically } from './state-directory.ts'

/** Checks the types of a project in the background. */
export interface TypeCheck {
  /** Checks the current files. Cancels an older check that still runs. */
  run(): void
  /** Sets the services to check from the next run on: directories relative to the output. */
  setServices(directories: readonly string[]): void
  readonly stop: () => Promise<void>
}

/** What to check and what to call. */
export interface TypeCheckOptions {
  readonly output: string
  readonly stateDirectory: string
  /** Called after each check whose errors differ from those of the one before. */
  readonly onErrors: (errors: readonly TypeCheckError[]) => void
  readonly onFailure: (text: string) => void
}

/** An error as the compiler prints it without `--pretty`. */
const ERROR = /^(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)$/s
/** Changes to the compiler options of the project. */
const COMPILER_OPTIONS = {
  // While code is written, names are unused for a moment. `npm run check` reports those that stay so.
  noUnusedLocals: false,
  noUnusedParameters: false,
  // Sources are read through links that have the dependencies next to them.
  preserveSymlinks: true,
}

/**
 * Runs Portico's own TypeScript compiler in a separate process. The compiler reads the project through links in the
 * state directory, where Portico's dependencies replace those that the project has not installed.
 */
export function createTypeCheck(options: TypeCheckOptions): TypeCheck {
  const workspace = path.join(options.stateDirectory, 'types')
  let services: readonly string[] = []
  let process: ChildProcess | undefined
  let reported = '[]'
  let latest = 0
  let running: Promise<void> = Promise.resolve()

  async function check(turn: number): Promise<void> {
    const project = await createWorkspace(workspace, options.output, services)
    if (turn !== latest) return
    const output = await new Promise<string>((resolve, reject) => {
      process = execFile(
        globalThis.process.execPath,
        // Parallel checkers would each build the types of the dependencies: for 100 services, 3 GB instead of 1.3.
        [compiler(), '--project', project, '--pretty', 'false', '--checkers', '1'],
        { cwd: project, maxBuffer: 64 * 1024 * 1024, env: { ...globalThis.process.env, GOGC: '50' } },
        (error, stdout, stderr) => {
          // With type errors the compiler prints them and exits with an error.
          if (error !== null && stdout === '' && !error.killed) reject(new Error(stderr || error.message))
          else resolve(stdout)
        },
      )
      lowerPriority(process)
    })
    if (turn !== latest) return
    const errors = parseErrors(output)
    const text = JSON.stringify(errors)
    if (text === reported) return
    reported = text
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

/** Links the project's sources into a directory of the workspace, which it returns, next to Portico's `node_modules`. */
async function createWorkspace(
  workspace: string,
  output: string,
  services: readonly string[],
): Promise<string> {
  const project = path.join(workspace, 'project')
  await rm(workspace, { recursive: true, force: true })
  await mkdir(project, { recursive: true })
  const sources = services.flatMap((service) => [`${service}/src`, `${service}/test`])
  for (const each of ['package.json', 'node_modules', 'lib', 'shared', ...sources]) {
    if (!existsSync(path.join(output, each))) continue
    await mkdir(path.dirname(path.join(project, each)), { recursive: true })
    await symlink(path.join(output, each), path.join(project, each))
  }
  await symlink(dependencies(), path.join(workspace, 'node_modules'))
  const config = {
    extends: path.resolve(output, 'tsconfig.json'),
    compilerOptions: COMPILER_OPTIONS,
    include: ['lib', 'shared', ...sources],
  }
  await writeFileAtomically(path.join(project, 'tsconfig.json'), JSON.stringify(config), 0o644)
  return project
}

/** Lets requests and reloads run first. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // The process has ended, or the system does not allow it: the check runs at normal priority.
  }
}

/** The errors in the compiler's output. Indented lines after an error say more about it. */
export function parseErrors(output: string): TypeCheckError[] {
  return output.split(/\r?\n(?! )/).flatMap((text) => {
    const [, file, row, column, code, message] = ERROR.exec(text) ?? []
    if (file === undefined || code === undefined || message === undefined) return []
    return [{ file, line: Number(row), column: Number(column), code, message }]
  })
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
