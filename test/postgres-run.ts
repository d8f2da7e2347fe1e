import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { type RunningPostgres, startPostgres } from '../src/dev/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Responds with the superuser's URL of the run's Postgres. Starts it at the first request. */
    postgresStarter: string
  }
}

/**
 * One Postgres for the whole test run, started on first use and stopped at the end. It does not sync to disk, because
 * its data is temporary.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let directory: string | undefined
  let running: Promise<RunningPostgres> | undefined

  async function start(): Promise<RunningPostgres> {
    directory = await mkdtemp(path.join(tmpdir(), 'portico-test-'))
    // The database's account must be able to enter, so that its files are inside.
    await chmod(directory, 0o711)
    const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '500' }
    return startPostgres({ directory: path.join(directory, 'database'), settings })
  }

  const starter = createServer((_request, response) => {
    running ??= start()
    running.then(
      (server) => response.end(server.superuserUrl()),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => {
    starter.listen(0, '127.0.0.1', resolve)
  })
  const address = starter.address()
  if (address === null || typeof address === 'string') throw new Error('The starter has no port')
  project.provide('postgresStarter', `http://127.0.0.1:${address.port}`)

  return async () => {
    starter.closeAllConnections()
    await new Promise((resolve) => starter.close(resolve))
    await (await running?.catch(() => undefined))?.stop()
    if (directory !== undefined) await rm(directory, { recursive: true, force: true })
  }
}
