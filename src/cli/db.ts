import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { RunningDatabase } from '../dev/running-databases.ts'
import { runningDatabases } from '../dev/running-databases.ts'
import { kebabCase, listed } from '../naming.ts'
import { statePaths } from '../output/state-paths.ts'
import { isSystemError } from '../system-error.ts'
import type { Invocation, RunCommand } from './command.ts'
import { environmentError, unknownError } from './command-error.ts'
import type { Context } from './context.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'

/** `portico db`: opens the database of a service that `portico dev` runs. */
export const run: RunCommand = async (invocation, context) => {
  const [service = ''] = invocation.operands
  const databases = await findDatabases(invocation, context)
  const named = databases.map((database) => ({ database, name: kebabCase(database.service) }))
  const found = named.find(({ name, database }) => name === service || database.service === service)
  if (found === undefined) {
    const names = named.map(({ name }) => name)
    throw unknownError('service', service, names, `\`portico dev\` has databases of ${listed(names, 'and')}`)
  }
  const { url } = found.database
  if (!invocation.flag('url')) return await runPsql(url, context)
  context.print(url.href)
  return EXIT.success
}

/** @throws a `CommandError` if `portico dev` runs on none of the projects. */
async function findDatabases(invocation: Invocation, { cwd }: Context): Promise<RunningDatabase[]> {
  const output = invocation.text('output')
  const projects = output === undefined ? projectsAround(cwd) : [resolve(cwd, output)]
  for (const project of projects) {
    const databases = await runningDatabases(project)
    if (databases !== undefined) return databases
  }
  throw environmentError(
    `\`portico dev\` is not running on ${output === undefined ? 'a project in the current directory' : `\`${output}\``}`,
    'start it, or pass the directory of its project with `--output`',
  )
}

/** The project that a directory is in, and those in the directory itself, beside their definitions. */
function projectsAround(cwd: string): string[] {
  const inside = readdirSync(cwd, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(cwd, name))
  let directory = cwd
  while (!isProject(directory) && directory !== dirname(directory)) directory = dirname(directory)
  return [directory, ...inside].filter(isProject)
}

function isProject(directory: string): boolean {
  return existsSync(statePaths(directory).manifest)
}

/** Runs psql on the terminal. Its exit status other than 0 becomes 1. */
function runPsql(url: URL, { env, signal }: Context): Promise<ExitStatus> {
  // Other users can read the arguments of a process.
  const { password } = url
  const withoutPassword = new URL(url)
  withoutPassword.password = ''
  return new Promise((done, fail) => {
    const psql = spawn('psql', [withoutPassword.href], {
      stdio: 'inherit',
      env: { ...env, PGPASSWORD: decodeURIComponent(password) },
    })
    // Ctrl-C is for psql, which ends a statement with it. Accessing the signal keeps it from ending this process.
    signal.addEventListener('abort', () => {
      if (signal.reason !== 'SIGINT') psql.kill()
    })
    psql.once('error', (error) => {
      const isMissing = isSystemError(error) && error.code === 'ENOENT'
      fail(
        isMissing
          ? environmentError(
              '`psql` was not found',
              "install PostgreSQL's client, or use another one with the address that `--url` prints",
            )
          : error,
      )
    })
    psql.once('close', (status) => done(status === 0 ? EXIT.success : EXIT.failed))
  })
}
