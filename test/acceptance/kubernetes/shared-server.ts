import { expect } from 'vitest'
import { compile } from '../../../src/compile.ts'
import { moveCommands } from '../../../src/emit/docs/database-commands.ts'
import type { Platform } from '../../../src/model/platform.ts'
import { onOneServer } from '../containers/definitions.ts'
import type { KubernetesDeployment } from './cluster.ts'

/** Two services, each with a server for its database. */
export const TWO_SERVERS = `TwoServers: project { #language(go); }
Note: service { text: string(80); }
Page: service { title: string(80); }
`

function platformOf(text: string): Platform {
  const { platform } = compile(text, { provider: 'kube' })
  if (platform === undefined) throw new Error(`Not valid:\n${text}`)
  return platform
}

/** Moves the data of {@link TWO_SERVERS} to one Postgres, with the commands that `generate` prints. */
export async function expectMoved(deployment: KubernetesDeployment): Promise<void> {
  const notes = `http://${deployment.gateway}/api/note`
  const headers = { 'content-type': 'application/json' }
  const created = await fetch(notes, { method: 'POST', headers, body: '{"text": "Kept"}' })
  const note = (await created.json()) as { id: string }
  await deployment.regenerate(onOneServer(TWO_SERVERS))
  const refused = await deployment.script()
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringContaining('The database server note-db is no longer in the definition, but it has data'),
  ])
  const moved = await deployment.bash(
    moveCommands(platformOf(TWO_SERVERS), platformOf(onOneServer(TWO_SERVERS))).join('\n'),
  )
  expect(moved.status, moved.stderr).toBe(0)
  expect(await (await fetch(`${notes}/${note.id}`)).json()).toEqual({ id: note.id, text: 'Kept' })
  expect(await deployment.kubectl('get', 'statefulsets', '-o', 'name')).toBe('statefulset.apps/postgres')
  expect(await deployment.kubectl('get', 'persistentvolumeclaims', '-o', 'name')).toContain('data-note-db-0')
  const entering =
    "PGPASSWORD=$(cat /run/secrets/admin-password) psql -h 127.0.0.1 -U postgres -Atc \"SELECT has_database_privilege('note', 'page', 'CONNECT'), rolconnlimit FROM pg_roles WHERE rolname = 'note'\""
  expect(await deployment.kubectl('exec', 'statefulset/postgres', '--', 'bash', '-c', entering)).toBe('f|48')
}
