import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EmbeddedPlatform } from '../../src/dev/platform.ts'
import { createWorkplace, NOTES, type Workplace } from '../dev/run-platform.ts'
import { run, runProcess } from './harness.ts'

let place: Workplace
let platform: EmbeddedPlatform

beforeAll(async () => {
  place = await createWorkplace(NOTES)
  platform = await place.start()
})
afterAll(() => place.close())

it('prints the address of a database, whose tables and rows belong to the role of the service', async () => {
  for (const cwd of [place.directory, path.join(place.output, 'note/src')]) {
    const { status, stdout, stderr } = await run(['db', 'note', '--url'], { cwd })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const sql = postgres(stdout.trim())
    expect(await sql`SELECT current_user::text AS role, current_database()::text AS name`).toEqual([
      { role: 'note', name: 'note' },
    ])
    await sql`SELECT text FROM note`
    await sql.end()
  }
})

it('runs psql without the password in its arguments', async () => {
  const bin = path.join(place.directory, 'bin')
  mkdirSync(bin, { recursive: true })
  const psql = path.join(bin, 'psql')
  writeFileSync(psql, '#!/bin/sh\necho "$1"\necho "password ${#PGPASSWORD}"\ncat\nexit 3\n')
  chmodSync(psql, 0o755)
  const env = { PATH: `${bin}${path.delimiter}${process.env['PATH']}` }
  const ended = await runProcess(['db', 'Note', '-o', place.output], { env, stdin: 'SELECT 1' })
  expect(ended).toMatchObject({ status: 1, stderr: '' })
  expect(ended.stdout).toMatch(
    /^postgres:\/\/\w+@127\.0\.0\.1:\d+\/note\?sslmode=disable&options=-c%20role%3Dnote\npassword \d\d+\nSELECT 1$/,
  )
})

it('says which services there are, that psql is missing, and that nothing runs', async () => {
  const cwd = place.directory
  expect((await run(['db', 'notes'], { cwd })).stderr).toBe(
    'error: Unknown service `notes`\nhelp: did you mean `note`?\n',
  )
  expect(await run(['db', 'note'], { cwd, env: { PATH: '/nowhere' } })).toMatchObject({
    status: 3,
    stderr: expect.stringContaining('error: `psql` was not found\nhelp: install'),
  })
  await platform.stop()
  expect(await run(['db', 'note'], { cwd })).toEqual({
    status: 3,
    stdout: '',
    stderr:
      'error: `portico dev` is not running on a project in the current directory\nhelp: start it, or pass the directory of its project with `--output`\n',
  })
})
