import { chmodSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Deployment, deployment, WITHOUT_USERS } from './fixture.ts'

const DEFINITION = `Shop: project {}
Invoice: service { Remind: job {} }
Home: service { beds: int; }
Report: service { #language(go); Sweep: job { #schedule("0 3 * * *"); } }`

const COMMANDS = {
  invoice: 'node --import ./lib/env-file.ts lib/job-admin.ts invoice',
  report: '/service jobs',
}

/** Each provider, with its project and how a command is run in a container of a service. */
const PROVIDERS = [
  {
    provider: 'Compose',
    project: () => deployment(DEFINITION),
    runs: (service: keyof typeof COMMANDS, words: string) =>
      `compose exec -T ${service} ${COMMANDS[service]} ${words}`,
    command: 'compose-exec',
  },
  {
    provider: 'Kubernetes',
    project: onKubernetes,
    runs: (service: keyof typeof COMMANDS, words: string) =>
      `--context demo --namespace shop exec deployment/${service} -- ${COMMANDS[service]} ${words}`,
    command: 'exec',
  },
]

/** With a `kubectl` that is told what to do as the fake `docker` is. */
function onKubernetes(): Deployment {
  const project = deployment(DEFINITION.replace('project {', 'project { #provider(kube);'))
  mkdirSync(path.join(project.directory, 'kube/overlays/local'), { recursive: true })
  project.write(
    '../bin/kubectl',
    `#!/usr/bin/env bash
if [ "$1" = config ]; then echo demo && exit; fi
if [ "$5" != exec ]; then exit; fi
printf '%s\\n' "$*" >>"$FAKE/calls"
if [ -e "$FAKE/faults/exec" ]; then cat "$FAKE/faults/exec" >&2 && exit 1; fi
cat "$FAKE/answers/exec" 2>/dev/null || :
`,
  )
  chmodSync(path.join(project.directory, '../bin/kubectl'), 0o755)
  return project
}

describe.each(PROVIDERS)('with $provider', ({ project: create, runs, command }) => {
  const executed = ({ calls }: Deployment) => calls().filter((call) => / exec /.test(call))

  test('jobs are those of every service that has some', async () => {
    const project = create()
    project.answer(command, 'remind: 3 waiting, 0 dead\n')
    for (const args of [['jobs'], ['jobs', 'list']]) {
      const { status, stdout, stderr } = await project.deploy(...args)
      expect({ status, stdout, stderr }).toEqual({
        status: 0,
        stdout: 'remind: 3 waiting, 0 dead\n'.repeat(2),
        stderr: 'invoice\nreport\n',
      })
      expect(executed(project)).toEqual([runs('invoice', 'list'), runs('report', 'list')])
    }
  })

  test.each(['retry', 'discard'])(
    '%s is about all jobs, those of a service, or some of them',
    async (action) => {
      const project = create()
      expect((await project.deploy('jobs', action)).status).toBe(0)
      expect(executed(project)).toEqual([runs('invoice', action), runs('report', action)])
      expect((await project.deploy('jobs', action, 'report')).status).toBe(0)
      expect(executed(project)).toEqual([runs('report', action)])
      // The name is one argument, which no shell reads.
      expect((await project.deploy('jobs', action, 'invoice', 'a b; $(date) *')).status).toBe(0)
      expect(executed(project)).toEqual([runs('invoice', `${action} a b; $(date) *`)])
    },
  )

  test.each([
    [['retyr'], 'Unknown action retyr. See ./deploy.sh help'],
    [['list', 'home'], 'home has no jobs'],
    [['retry', 'i*'], 'i* has no jobs'],
  ])('jobs %j is rejected', async (args, message) => {
    const project = create()
    const { status, stdout, stderr } = await project.deploy('jobs', ...args)
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: `deploy.sh: ${message}\n` })
    expect(executed(project)).toEqual([])
  })

  test('it ends with the first failure', async () => {
    const project = create()
    project.fault(command, 'no container\n')
    const { status, stderr } = await project.deploy('jobs', 'discard')
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'invoice\nno container\n' })
    expect(executed(project)).toEqual([runs('invoice', 'discard')])
  })

  test('help names it', async () => {
    expect((await create().deploy('help')).stdout).toMatch(
      /^ {2}\.\/deploy\.sh jobs +Show .*\n {2}\.\/deploy\.sh jobs retry\|discard \[service \[job\]\]$/m,
    )
  })
})

test.each([WITHOUT_USERS, WITHOUT_USERS.replace('project {', 'project { #provider(kube);')])(
  'without jobs, there is no such command',
  async (definition) => {
    const { deploy, read } = deployment(definition)
    expect(await deploy('jobs')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Unknown command jobs'),
    })
    expect(read('deploy.sh')).not.toMatch(/jobs (?:retry|list)|JOBS/)
  },
)
