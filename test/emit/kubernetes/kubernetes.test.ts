import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { emitProject } from '../../../src/emit/project.ts'
import { emitKubernetes } from '../../../src/emit/kubernetes/emit.ts'
import { JOB_CONNECTIONS } from '../../../src/model/capacity.ts'
import { platformOf } from '../platform.ts'

interface KubernetesObject {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> }
  readonly spec: Readonly<Record<string, unknown>>
}
interface Policy extends KubernetesObject {
  readonly spec: {
    readonly podSelector: Selector
    readonly ingress?: readonly {
      readonly ports: readonly { readonly port: number }[]
      readonly from?: readonly { readonly podSelector?: Selector }[]
    }[]
  }
}
interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[]
}
interface Pod {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly spec: {
    readonly automountServiceAccountToken: boolean
    readonly securityContext: object
    readonly containers: readonly Readonly<Record<string, unknown>>[]
    readonly topologySpreadConstraints?: unknown
  }
}

const PROJECT = 'project { #provider(kube); #authMethod(email); }'
const TRAVEL = `Travel: ${PROJECT} Home: service { name: string(80); } Stay: service { home: Home; } Other: service { name: string(80); #auth; }`

const filesOf = (text: string): Map<string, string> =>
  new Map(emitProject(platformOf(text)).map(({ path, content }) => [path, content]))

function objectsOf(text: string): KubernetesObject[] {
  return [...filesOf(text)]
    .filter(([path]) => /^kube\/(?:base|migrate)\/(?!kustomization)/.test(path))
    .flatMap(([, content]) =>
      parseAllDocuments(content).map((document) => document.toJSON() as KubernetesObject),
    )
}

/** The pods of all workloads. */
function podsOf(text: string): Pod[] {
  return objectsOf(text)
    .filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind))
    .map(({ kind, metadata, spec }) => {
      const { template } = spec as { template: { metadata: { labels: Pod['labels'] }; spec: Pod['spec'] } }
      const name = kind === 'Job' ? `${metadata.labels['app.kubernetes.io/name']} migration` : metadata.name
      return { name, labels: template.metadata.labels, spec: template.spec }
    })
}

type Labelled = Pick<Pod, 'name' | 'labels'>

function matches({ matchLabels = {}, matchExpressions = [] }: Selector, { labels }: Labelled): boolean {
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))
  )
}

/** Which pods reach which ports of which others, by all policies. */
function connections(text: string, clients?: readonly Labelled[]): string[] {
  const policies = objectsOf(text).filter(({ kind }) => kind === 'NetworkPolicy') as Policy[]
  const pods = podsOf(text)
  const allowed = (from: Labelled, to: Pod): number[] =>
    policies
      .filter(({ spec }) => matches(spec.podSelector, to))
      .flatMap(({ spec }) => spec.ingress ?? [])
      .filter(
        ({ from: peers }) =>
          peers === undefined || peers.some(({ podSelector }) => podSelector && matches(podSelector, from)),
      )
      .flatMap(({ ports }) => ports.map(({ port }) => port))
  return (clients ?? pods).flatMap((from) =>
    pods.flatMap((to) => allowed(from, to).map((port) => `${from.name} > ${to.name}:${port}`)),
  )
}

test('the gateway reaches APIs, callers reach second ports, services and migrations reach their own database', () => {
  const inside = connections(TRAVEL).filter((each) => !each.endsWith(' > gateway:10000'))
  expect(inside.sort()).toEqual(
    [
      'auth migration > auth-db:5432',
      'auth > auth-db:5432',
      'gateway > auth:8080',
      'gateway > home:8080',
      'gateway > other:8080',
      'gateway > stay:8080',
      'home migration > home-db:5432',
      'home > home-db:5432',
      'other migration > other-db:5432',
      'other > other-db:5432',
      'stay migration > stay-db:5432',
      'stay > home:8081',
      'stay > stay-db:5432',
    ].sort(),
  )
})

test('every pod is restricted, has a read-only file system, no token of the cluster, and limited memory', () => {
  const pods = podsOf(TRAVEL)
  expect(pods).toHaveLength(4 + 4 + 4 + 1)
  for (const { name, spec } of pods) {
    expect(spec, name).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    })
    for (const container of spec.containers)
      expect(container, name).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        resources: { requests: { memory: expect.any(String) }, limits: { memory: expect.any(String) } },
      })
  }
})

test('a service reads its own password and the credentials, and the gateway only what verifies tokens', () => {
  interface Item {
    readonly key: string
  }
  interface Volume {
    readonly name: string
    readonly secret?: { readonly secretName: string; readonly items?: readonly Item[] }
    readonly projected?: {
      readonly sources: readonly {
        readonly secret: { readonly name: string; readonly items?: readonly Item[] }
      }[]
    }
  }
  const mounted = (text: string, name: string): string[] =>
    podsOf(text)
      .filter((pod) => pod.name === name)
      .flatMap(({ spec }) => (spec as unknown as { volumes: Volume[] }).volumes)
      .filter((volume) => volume.name === 'secrets')
      .flatMap(({ secret, projected }) => [
        ...(secret === undefined ? [] : [{ name: secret.secretName, items: secret.items }]),
        ...(projected?.sources.map((source) => source.secret) ?? []),
      ])
      .map(({ name: secret, items }) => `${secret}: ${items?.map(({ key }) => key).join(' ') ?? 'all'}`)
  const credentials = 'gateway-credentials: gateway-credentials'
  expect(mounted(TRAVEL, 'home')).toEqual(['home-db: database-password', credentials, 'home.env: all'])
  expect(mounted(TRAVEL, 'home migration')).toEqual(['home-db: database-password', 'home.env: all'])
  expect(mounted(TRAVEL, 'home-db')).toEqual(['home-db: all'])
  expect(mounted(TRAVEL, 'gateway')).toEqual(['gateway-credentials: tokens.json'])
  const plain = 'P: project { #provider(kube); } Home: service { name: string(80); }'
  expect(mounted(plain, 'home')).toEqual(['home-db: database-password', 'home.env: all'])
  expect(mounted(plain, 'gateway')).toEqual([])
  const renamed = plain.replace('Home: service {', 'House: service { #was(Home);')
  expect(mounted(renamed, 'house')).toEqual(['home-db: database-password', 'house.env: all'])
})

test('a renamed service and its migrations keep the Secret with the URL of their external database', () => {
  const renamed = TRAVEL.replace('Other: service {', 'Others: service { #was(Other);')
  const secrets = podsOf(renamed).flatMap(({ name, spec }) =>
    Array.from(JSON.stringify(spec).matchAll(/"name":"([^"]*-database)","key":"url"/g), ([, secret]) => [
      name,
      secret,
    ]),
  )
  expect(Object.fromEntries(secrets)).toMatchObject({
    home: 'home-database',
    others: 'other-database',
    'others migration': 'other-database',
  })
})

test('the authentication service knows the trusted proxies, and no other service', () => {
  const names = podsOf(TRAVEL).filter(({ spec }) => JSON.stringify(spec).includes('"TRUSTED_PROXIES"'))
  expect(names.map(({ name }) => name)).toEqual(['auth'])
})

test('a platform gets no namespace that every cluster has', () => {
  const namespaceOf = (name: string) =>
    objectsOf(TRAVEL.replace('Travel', name)).find(({ kind }) => kind === 'Namespace')?.metadata.name
  expect(namespaceOf('KubeTravel')).toBe('kube-travel')
  expect(namespaceOf('KubeSystem')).toBe('kube-system-platform')
  expect(namespaceOf('Default')).toBe('default-platform')
})

test('services and the gateway have probes, stop late, start before others stop, and are spread', () => {
  const deployments = objectsOf(TRAVEL).filter(({ kind }) => kind === 'Deployment')
  expect(deployments.map(({ metadata }) => metadata.name).sort()).toEqual([
    'auth',
    'gateway',
    'home',
    'other',
    'stay',
  ])
  for (const { metadata, spec } of deployments) {
    expect(spec, metadata.name).toMatchObject({ strategy: { rollingUpdate: { maxUnavailable: 0 } } })
    expect(spec).not.toHaveProperty('replicas')
  }
  for (const { spec, name } of podsOf(TRAVEL).filter((pod) =>
    deployments.some(({ metadata }) => metadata.name === pod.name),
  )) {
    expect(spec.topologySpreadConstraints, name).toHaveLength(2)
    expect(Object.keys(spec.containers[0] ?? {}), name).toEqual(
      expect.arrayContaining(['startupProbe', 'readinessProbe', 'livenessProbe', 'lifecycle']),
    )
  }
})

test('a database may take ten minutes to recover, or to be created, as long as deploy.sh waits for it', () => {
  const [container] = podsOf(TRAVEL).find(({ name }) => name === 'home-db')?.spec.containers ?? []
  expect(container).toMatchObject({ startupProbe: { periodSeconds: 1, failureThreshold: 600 } })
})

test('deploy.sh waits for no service that was removed or renamed, whose pods may never be ready again', () => {
  const script = filesOf(TRAVEL).get('deploy.sh') ?? ''
  expect(script).toContain(`applied=$(apply_overlay '')
  wait_for_rollout "$PART,$COMPONENT!=migration,app.kubernetes.io/name in (gateway,\${SERVICES// /,})"`)
})

test('the names of Jobs change with the migrations, that of the ConfigMap with the routes', () => {
  const names = (text: string, kind: string): string[] =>
    objectsOf(text).flatMap((each) =>
      each.kind === kind && each.metadata.name !== 'database-setup' ? [each.metadata.name] : [],
    )
  const changed = TRAVEL.replace('Other: service { name: string(80)', 'Other: service { name: string(90)')
  const jobs = names(TRAVEL, 'Job')
  expect(names(changed, 'Job').filter((name) => !jobs.includes(name))).toEqual([
    expect.stringMatching(/^other-migrate-[\da-f]{8}$/),
  ])
  expect(names(changed, 'ConfigMap')).toEqual(names(TRAVEL, 'ConfigMap'))
  expect(names(`${TRAVEL} New: service { a: int; }`, 'ConfigMap')).not.toEqual(names(TRAVEL, 'ConfigMap'))
})

test('what the authentication service calls, and what reads accounts, reach second ports, with keys of their own', () => {
  const text = TRAVEL.replace('#authMethod(email);', '#authMethod(email); #uses[Other];').replace(
    'Home: service {',
    'Home: service { #uses[Auth];',
  )
  const more = connections(text).filter((each) => !connections(TRAVEL).includes(each))
  expect(more.sort()).toEqual(['auth > other:8081', 'home > auth:8081'])
  const secrets = podsOf(text).flatMap(({ name, spec }) =>
    [...JSON.stringify(spec).matchAll(/"key":"([\w.-]+\.key)"/g)].map(([, key]) => `${name} ${key}`),
  )
  expect(secrets.sort()).toEqual(['auth home.auth.key', 'home home.auth.key'])
})

test('with metrics, Prometheus of the namespace reaches the third ports, and nothing else does', () => {
  const text = TRAVEL.replace('#authMethod', '#metrics(prometheus); #authMethod')
  const manifests = JSON.stringify(objectsOf(text))
  expect(connections(text)).toEqual(connections(TRAVEL))
  const prometheus = { name: 'prometheus', labels: { 'app.kubernetes.io/name': 'prometheus' } }
  const reached = connections(text, [prometheus]).filter((each) => !each.endsWith(':10000'))
  const metrics = ['auth', 'home', 'other', 'stay', 'gateway'].flatMap((name) =>
    [8082, 9902].map((port) => `prometheus > ${name}:${port}`),
  )
  expect(reached.sort()).toEqual(metrics.sort())
  const peers = (objectsOf(text) as Policy[])
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .flatMap(({ spec }) => spec.ingress ?? [])
    .flatMap(({ from }) => from ?? [])
  for (const peer of peers) expect(Object.keys(peer)).toEqual(['podSelector'])
  expect(manifests).toContain('"prometheus.io/path":"/stats/prometheus"')
  expect(manifests).toContain('"prometheus.io/path":"/metrics"')
  expect(JSON.stringify(objectsOf(TRAVEL))).not.toContain('prometheus')
})

test('names stay within the limits of Kubernetes', () => {
  const name = `A${'b'.repeat(59)}`
  for (const { kind, metadata } of objectsOf(`P: ${PROJECT} ${name}: service { a: int; #auth; }`))
    expect(metadata.name.length, `${kind} ${metadata.name}`).toBeLessThanOrEqual(
      kind === 'StatefulSet' ? 52 : kind === 'Job' ? 54 : 63,
    )
})

test('a project has manifests or a compose file', () => {
  const files = [...filesOf(TRAVEL).keys()]
  expect(files).not.toContain('compose.yaml')
  expect(files).toEqual(expect.arrayContaining(['kube/base/kustomization.yaml', 'Dockerfile', 'deploy.sh']))
  const compose = platformOf('P: project {} Home: service { a: int; }')
  expect(emitKubernetes(compose, [])).toEqual([])
})

test('the production overlay belongs to the user', () => {
  const owners = emitProject(platformOf(TRAVEL)).filter(({ path }) =>
    path.startsWith('kube/overlays/production/'),
  )
  expect(owners.map(({ owner }) => owner)).toEqual(['user', 'user'])
})

test('a database accepts the connections of all pods that autoscaling adds', () => {
  const files = filesOf(TRAVEL)
  const scaling = files.get('kube/overlays/production/autoscaling.yaml') ?? ''
  const [, size] =
    /DATABASE_POOL_SIZE\n\s+value: '(\d+)'/.exec(files.get('kube/base/services/home.yaml') ?? '') ?? []
  const limits = Array.from(scaling.matchAll(/maxReplicas: (\d+)/g), ([, pods]) => Number(pods))
  expect(limits).toHaveLength(5)
  // A rollout adds a pod, and each has a connection to check the database. Postgres reserves 3 of 100 connections.
  for (const pods of limits) expect((pods + 1) * (Number(size) + 1)).toBeLessThan(97)
})

describe('a shared server', () => {
  const SHARED = TRAVEL.replace('#authMethod', '#database(postgres, server: shared); #authMethod')
  const NAMES = ['auth', 'home', 'stay', 'other']

  test('is one StatefulSet, which all services and migrations reach, and nothing else does', () => {
    expect(
      podsOf(SHARED).filter(({ labels }) => labels['app.kubernetes.io/component'] === 'database'),
    ).toHaveLength(1)
    expect(
      connections(SHARED)
        .filter((each) => each.endsWith(':5432'))
        .sort(),
    ).toEqual(
      NAMES.flatMap((name) => [`${name} migration > postgres:5432`, `${name} > postgres:5432`]).sort(),
    )
  })

  test('has the names by which services look for their own servers', () => {
    const services = objectsOf(SHARED).filter(
      ({ kind, metadata }) => kind === 'Service' && metadata.name.endsWith('-db'),
    )
    expect(services.map(({ metadata }) => metadata.name)).toEqual(NAMES.map((name) => `${name}-db`))
    for (const { metadata, spec } of services) {
      expect(spec['selector']).toEqual({
        'app.kubernetes.io/name': 'postgres',
        'app.kubernetes.io/component': 'database',
      })
      // The patch for an external database removes it.
      expect(metadata.labels['app.kubernetes.io/name']).toBe(metadata.name)
    }
  })

  test('gets the database of a service before its migrations, whose own container does not know the superuser', () => {
    const { spec } = podsOf(SHARED).find(({ name }) => name === 'home migration') ?? {}
    const { initContainers, containers, volumes } = spec as unknown as Record<
      'initContainers' | 'containers' | 'volumes',
      { name: string; env?: { name: string; value?: string }[]; volumeMounts?: { name: string }[] }[]
    >
    expect(initContainers).toHaveLength(1)
    expect(initContainers[0]?.env).toEqual(
      expect.arrayContaining([
        { name: 'DATABASES', value: 'home' },
        { name: 'PGHOST', value: 'home-db' },
        { name: 'CONNECTION_LIMIT', value: '48' },
      ]),
    )
    const admin = volumes.filter((volume) => JSON.stringify(volume).includes('admin-password'))
    expect(admin.map(({ name }) => name)).toEqual(['setup-secrets'])
    expect(containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name))).toEqual([
      'secrets',
      'tmp',
    ])
    expect(initContainers[0]).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
    })
  })

  test('accepts the connections of all pods that autoscaling adds', () => {
    const scaling = filesOf(SHARED).get('kube/overlays/production/autoscaling.yaml') ?? ''
    const limits = Array.from(scaling.matchAll(/maxReplicas: (\d+)/g), ([, pods]) => Number(pods))
    expect(limits).toEqual([3, 3, 3, 3, 3])
  })

  test('changes nothing in services', () => {
    const deployments = (text: string) => objectsOf(text).filter(({ kind }) => kind === 'Deployment')
    expect(deployments(SHARED)).toEqual(deployments(TRAVEL))
  })
})

test('a database accepts the connections of all pods of a service with jobs', () => {
  const files = filesOf('P: project { #provider(kube); } Home: service { a: int; Ping: job {} }')
  const scaling = files.get('kube/overlays/production/autoscaling.yaml') ?? ''
  const [, pods] = /name: home\n(?:.*\n)*?.*maxReplicas: (\d+)/.exec(scaling) ?? []
  const [, size] =
    /DATABASE_POOL_SIZE\n\s+value: '(\d+)'/.exec(files.get('kube/base/services/home.yaml') ?? '') ?? []
  expect((Number(pods) + 1) * (Number(size) + 1 + JOB_CONNECTIONS)).toBeLessThan(97)
})
