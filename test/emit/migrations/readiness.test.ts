import { execFile } from 'node:child_process'
import { rename } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { freshDatabase } from '../../postgres.ts'
import { platformOf } from '../platform.ts'
import { startService, writeFiles } from '../service-process.ts'

const filesOf = (attributes: string) =>
  emitProject(platformOf(`Tiny: project {} Note: service { ${attributes} #enumerable; }`))

test('a service whose database has another schema is live but never ready', async () => {
  const database = await freshDatabase()
  const env = { DATABASE_URL: database.url }
  const before = filesOf('text: string;')
  const after = filesOf('text: string; stars: int;')
  const migration = 'note-db/migrations/0001_initial.sql'
  const content = before.find((each) => each.path === migration)?.content ?? ''

  const old = await startService(before, 'note', env)
  const replacement = await startService(
    after,
    'note',
    { ...env, INTERNAL_PORT: '0' },
    { [migration]: content },
    'Waiting for the database',
  )
  expect(replacement.url).toBe('')
  expect(replacement.log()).toMatchObject([{ err: { message: 'Migrations are missing' } }])
  expect((await fetch(`${old.internalUrl}/health/ready`)).status).toBe(200)

  // What a migration will do.
  await database.sql.unsafe(`
    ALTER TABLE note ADD stars integer NOT NULL DEFAULT 0;
    UPDATE _migration SET schema = '${hashIn(after)}'`)
  await expect.poll(() => replacement.output.text).toContain('"message":"ready"')
  expect((await fetch(`${old.internalUrl}/health/ready`)).status).toBe(503)
  expect((await fetch(`${old.internalUrl}/health/live`)).status).toBe(200)
  await Promise.all([old.discard(), replacement.discard()])
  await database.drop()
})

/** The hash that the service's code asks for. */
function hashIn(files: ReturnType<typeof filesOf>): string {
  const schema = files.find((each) => each.path === 'note/src/schema.ts')?.content ?? ''
  return /SCHEMA_HASH = '(\w+)'/.exec(schema)?.[1] ?? ''
}

test('the command applies the migrations of a service to the database of its configuration', async () => {
  const database = await freshDatabase()
  const project = await writeFiles(filesOf('text: string;'))
  const migrate = (url: string, ...more: readonly string[]) =>
    new Promise((resolve) => {
      const options = { cwd: project, env: { DATABASE_URL: url } }
      execFile(process.execPath, ['lib/migrate.ts', 'note', ...more], options, (error, stdout, stderr) =>
        resolve({ status: error?.code ?? 0, stdout: stdout.replace(/\d+ ms/, 'N ms'), stderr }),
      )
    })
  const applied = 'Applied note-db/migrations/0001_initial.sql in N ms\n'
  expect(await migrate(database.url)).toEqual({ status: 0, stdout: applied, stderr: '' })
  expect(await migrate(database.url)).toEqual({ status: 0, stdout: '', stderr: '' })
  // That of a renamed service has its former name.
  await rename(path.join(project, 'note-db'), path.join(project, 'memo-db'))
  expect(await migrate(database.url, 'memo-db', '--all')).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(await migrate('postgres://note@127.0.0.1:1/note', 'memo-db')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Could not connect to the database: connect ECONNREFUSED 127.0.0.1:1\n',
  })
  expect(await migrate('nonsense', 'memo-db')).toMatchObject({
    status: 1,
    stderr: 'Invalid configuration: DATABASE_URL must be a postgres or postgresql URL\n',
  })
  await database.drop()
})
