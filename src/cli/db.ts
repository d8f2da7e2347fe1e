import { spawn } from 'node:child_process'
import { kebabCase, listed } from '../naming.ts'
import { isSystemError } from '../system-error.ts'
import type { RunCommand } from './command.ts'
import { environmentError, unknownError } from './command-error.ts'
import type { Context } from './context.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { findDatabases } from './running-project.ts'

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
