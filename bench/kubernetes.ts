import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hundred } from '../scripts/hundred-definition.ts'
import { type Figure, median, round } from './figures.ts'
import { PORTICO, ROOT, WORK } from './processes.ts'

const ROUNDS = 3

/**
 * Measures `deploy.sh` on the cluster of kubectl's current context, compared with Docker Compose on this machine. Throws
 * without Docker or a cluster.
 */
export function measureKubernetes(): Figure[] {
  mkdirSync(WORK, { recursive: true })
  const directory = mkdtempSync(join(WORK, 'kubernetes-'))
  try {
    return [...deployedServices(directory), hundredServices(directory)]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function deployedServices(directory: string): Figure[] {
  const definition = join(ROOT, 'examples/stays/stays.portico')
  const kube = generate(definition, 'kube', join(directory, 'kube'))
  const compose = generate(definition, 'dockerCompose', join(directory, 'compose'))
  const end = () => {
    run(kube, './deploy.sh', 'destroy', '--yes')
    // `deploy.sh destroy` would delete the images too.
    run(compose, 'docker', 'compose', '--profile', '*', 'down', '--volumes', '--timeout', '5')
  }
  const first: { kube: number; compose: number }[] = []
  const unchanged: number[] = []
  for (let turn = 0; turn <= ROUNDS; turn++) {
    const times = { kube: run(kube, './deploy.sh'), compose: run(compose, './deploy.sh') }
    // The first round builds the images.
    if (turn > 0) {
      first.push(times)
      unchanged.push(run(kube, './deploy.sh'))
    }
    end()
  }
  run(compose, './deploy.sh', 'destroy', '--yes')
  const seconds = (provider: 'kube' | 'compose') =>
    `${round(median(first.map((times) => times[provider])) / 1000)} s`
  return [
    {
      what: 'first deployment of stays to Kubernetes, images built, relative to Docker Compose',
      value: median(first.map((times) => times.kube / times.compose)),
      unit: 'x',
      must: { atMost: 1.5 },
      detail: `${seconds('kube')}, compared with ${seconds('compose')}`,
    },
    {
      what: 'unchanged deployment of stays to Kubernetes',
      value: median(unchanged) / 1000,
      unit: 's',
      must: { atMost: 6 },
      detail: `median of ${ROUNDS}`,
    },
  ]
}

/** The objects of 100 services, without pods: one node cannot run them all. */
function hundredServices(directory: string): Figure {
  const definition = join(directory, 'hundred.portico')
  writeFileSync(definition, hundred(100))
  const project = generate(definition, 'kube', join(directory, 'hundred'))
  const overlay = join(project, 'kube/overlays/stopped')
  mkdirSync(overlay)
  const patches = ['Deployment', 'StatefulSet'].map(
    (kind) => `- {target: {kind: ${kind}}, patch: '- {op: add, path: /spec/replicas, value: 0}'}\n`,
  )
  writeFileSync(join(overlay, 'kustomization.yaml'), `resources: [../../base]\npatches:\n${patches.join('')}`)
  const ms = run(project, 'kubectl', 'apply', '--server-side', '--kustomize', overlay)
  run(project, 'kubectl', 'delete', 'namespace', 'hundred', '--wait=false')
  return {
    what: '100 services applied to Kubernetes',
    value: ms / 1000,
    unit: 's',
    must: { atMost: 60 },
    detail: 'one run of kubectl apply, without pods',
  }
}

/** Returns the directory of the generated project. */
function generate(definition: string, provider: string, project: string): string {
  run(ROOT, process.execPath, PORTICO, 'generate', definition, '--provider', provider, '-o', project)
  return project
}

/** Runs a program and returns the time in ms. Throws with what it printed if it fails. */
function run(directory: string, program: string, ...args: readonly string[]): number {
  const start = performance.now()
  execFileSync(program, args, {
    cwd: directory,
    env: { ...process.env, DOCKER_BUILDKIT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return performance.now() - start
}
