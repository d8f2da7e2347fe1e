import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { moveCommands } from '../../../src/emit/docs/database-commands.ts'
import { emitReadme } from '../../../src/emit/docs/readme.ts'
import { platformOf } from '../platform.ts'

const DOCS = path.join(import.meta.dirname, '../../../docs')

const shop = (metadata: string, services = 'Home: service { #auth; }') =>
  platformOf(`Shop: project { #authMethod(email); ${metadata} } ${services}`)
const SHARED = '#database(postgres, server: shared);'

describe('the commands that move databases', () => {
  test.each([
    ['deployment.md', ''],
    ['kubernetes.md', '#provider(kube);'],
  ])('are those of %s', (page, provider) => {
    const commands = moveCommands(shop(provider), shop(provider + SHARED))
    expect(readFileSync(path.join(DOCS, page), 'utf8')).toContain(
      `\`\`\`sh\n${commands.join('\n')}\n\`\`\`\n`,
    )
  })

  test('lead back from a shared server, which has the password of its superuser only', () => {
    expect(moveCommands(shop(SHARED), shop(''))).toEqual([
      'docker compose stop gateway auth home',
      ...['auth', 'home'].map(
        (name) =>
          `docker exec shop-postgres-1 bash -o pipefail -c 'export PGPASSWORD=$(cat /run/secrets/admin-password); pg_dump -h 127.0.0.1 -U postgres -d ${name} -Fc' > ${name}.dump`,
      ),
      './deploy.sh migrate',
      ...['auth', 'home'].map((name) =>
        expect.stringMatching(
          `^docker compose exec -T ${name}-db .*database-password.* psql -h 127\\.0\\.0\\.1 -U ${name} -d ${name} .* < ${name}\\.dump$`,
        ),
      ),
      'docker rm --force shop-postgres-1',
      'source deploy.sh',
    ])
  })

  test('leave out a service that was not deployed before', () => {
    const more = 'Home: service { #auth; } Host: service {}'
    const commands = moveCommands(shop(''), shop(SHARED, more)).join('\n')
    expect(commands).toContain('stop gateway auth home\n')
    expect(commands).not.toContain('host')
  })
})

test('the README opens, backs up and restores databases of a shared server as its superuser', () => {
  const [readme] = emitReadme(shop(SHARED))
  const commands = readme?.content.match(/^docker compose exec .*$/gm) ?? []
  expect(commands).toHaveLength(3)
  for (const command of commands)
    expect(command).toMatch(/^docker compose exec (?:-T )?postgres .*admin-password.* -U postgres -d home\b/)
  // What the superuser restores belongs to the role of the service.
  expect(commands[2]).toContain('PGOPTIONS="-c role=home" psql')
})
