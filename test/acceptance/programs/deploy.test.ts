import { expect, test } from 'vitest'
import { deployment, ENTRY, WITHOUT_USERS, WITH_USERS } from '../../emit/deploy/fixture.ts'
import { sourcedIn } from '../../emit/deploy/sourced.ts'

sourcedIn('zsh')

test('zsh runs it as a program', async () => {
  const { stdout, status } = await deployment().shell('bash', 'zsh deploy.sh')
  expect({ stdout, status }).toEqual({ stdout: `GATEWAY_ENTRY=${ENTRY}\n`, status: 0 })
})

const JOB = 'Remind: job {} }'
const DEFINITIONS = [WITH_USERS, WITHOUT_USERS].flatMap((definition) => [
  definition,
  definition.replace(/\}$/, JOB),
])
const onKubernetes = DEFINITIONS.map((definition) =>
  definition.replace('project {', 'project { #provider(kube);'),
)

test.each([...DEFINITIONS, ...onKubernetes])('shellcheck has nothing to say', async (definition) => {
  const { shell } = deployment(definition)
  const { stdout, stderr, status } = await shell('bash', 'shellcheck --shell=bash deploy.sh')
  expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 })
})
