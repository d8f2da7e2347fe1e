import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { deployment, type Deployment } from './fixture.ts'

const DEFINITION = `Shop: project { #authMethod(email); #provider(kube); }
Customer: service { name: string; #auth; }
`

let project: Deployment

beforeEach(() => {
  project = deployment(DEFINITION)
  for (const overlay of ['local', 'production'])
    mkdirSync(path.join(project.directory, 'kube/overlays', overlay), { recursive: true })
  // Only `kubectl kustomize` works without a cluster.
  const kubectl = path.join(project.directory, '../bin/kubectl')
  writeFileSync(
    kubectl,
    '#!/bin/sh\n[ "$1" = kustomize ] || { echo "No cluster: $*" >&2; exit 1; }\nfor last; do :; done\ncat "$last/kustomization.yaml"\n',
  )
  chmodSync(kubectl, 0o755)
})

const run = (command: string, env: Record<string, string> = {}) => project.shell('bash', command, env)

test('render prints all images, settings and the overlay without a cluster or Docker', async () => {
  project.write('customer/.env', 'LOG_LEVEL=debug\n')
  const env = { REGISTRY: 'registry.example.com/team/', OVERLAY: 'production' }
  const { stdout, stderr, status } = await run('./deploy.sh render --tag v1.2', env)
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  expect(parse(stdout)).toMatchObject({
    resources: ['../../kube/overlays/production'],
    images: ['auth', 'customer', 'gateway'].map((name) => ({
      name: `shop/${name}`,
      newName: `registry.example.com/team/shop/${name}`,
      newTag: 'v1.2',
    })),
    configMapGenerator: [{ name: 'gateway-settings' }],
    secretGenerator: [{ name: 'customer.env', files: ['env=../../customer/.env'] }],
    patches: [
      { target: { kind: 'Job' }, patch: expect.stringContaining('argocd.argoproj.io/hook: Sync') },
      { target: { kind: 'Deployment' }, patch: expect.stringContaining('sync-wave: "2"') },
      { target: { kind: 'Deployment|Job' } },
    ],
  })
  expect((await run('./deploy.sh render', { TAG: 'v1.2', ...env })).stdout).toBe(stdout)
  expect(project.calls()).toEqual([])
})

test('images builds and pushes the images that render names', async () => {
  project.answer('build', `sha256:${'0'.repeat(64)}`)
  const { status, stderr } = await run('./deploy.sh images --tag v1', { REGISTRY: 'registry.example.com/' })
  expect(status, stderr).toBe(0)
  expect(project.calls().filter((call) => call.startsWith('push'))).toEqual(
    ['auth', 'customer', 'gateway'].map((name) => `push --quiet registry.example.com/shop/${name}:v1`),
  )
})

test.each([
  ['render', {}, 'Set the tag of the images: ./deploy.sh render --tag <tag>'],
  ["render --tag 'a b'", {}, 'Set the tag of the images: ./deploy.sh render --tag <tag>'],
  ['render --tag', {}, 'Unknown command render --tag. See ./deploy.sh help'],
  ['render --tag a', { OVERLAY: 'prod' }, 'Unknown overlay prod. Available: local production'],
  ['images --tag a', {}, 'Set REGISTRY to the registry of the images, such as registry.example.com/'],
])('%s is rejected', async (command, env, message) => {
  const { stdout, stderr, status } = await run(`./deploy.sh ${command}`, env)
  expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: `deploy.sh: ${message}\n`, status: 1 })
})
