import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { compile } from '../../../src/compile.ts'
import { emitProject } from '../../../src/emit/project.ts'
import { CASES, readInput } from '../../goldens/cases.ts'
import { example, onOneServer } from '../containers/definitions.ts'
import { kubectl } from './cluster.ts'

const EXAMPLES = ['stays/stays.portico', 'types/types.portico']
const DEFINITIONS = [
  ...CASES.map((name) => [name, readInput(name)] as const),
  ...EXAMPLES.map((name) => [name, example(name)] as const),
  ['one Postgres', onOneServer(readInput('all-features'))] as const,
].filter(([, text]) => compile(text).platform !== undefined)
const NAMESPACE = 'kube-manifests'
/** An overlay with the Prometheus Operator. */
const MONITORED = 'kube/overlays/monitored'

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'portico-manifests-'))
  await kubectl(['create', 'namespace', NAMESPACE])
})
afterAll(async () => {
  await kubectl(['delete', 'namespace', NAMESPACE])
  await rm(directory, { recursive: true, force: true })
})

/** Writes the manifests of a definition, and gives their directory. */
async function manifestsOf(name: string, text: string): Promise<string> {
  const { platform } = compile(text, { provider: 'kube' })
  if (platform === undefined) throw new Error(`${name} is not valid`)
  const root = path.join(directory, name.replace('/', '-'))
  for (const file of emitProject(platform).filter(({ path: each }) => each.startsWith('kube/'))) {
    const target = path.join(root, file.path)
    await mkdir(path.dirname(target), { recursive: true })
    await writeFile(target, file.content)
  }
  await mkdir(path.join(root, MONITORED))
  await writeFile(
    path.join(root, MONITORED, 'kustomization.yaml'),
    'resources: [../../base]\ncomponents: [../../components/prometheus-operator]\n',
  )
  return root
}

/** The different objects of kustomizations, in the namespace of this test: their own namespace does not exist. */
async function objects(...kustomizations: readonly string[]): Promise<string> {
  const items = new Set<string>()
  for (const kustomization of kustomizations) {
    const { status, stdout, stderr } = await kubectl(['kustomize', kustomization])
    expect(status, stderr).toBe(0)
    const documents = parseAllDocuments(stdout).map((document) => document.toJSON() as KubernetesObject)
    for (const object of documents)
      if (object.kind !== 'Namespace')
        items.add(JSON.stringify({ ...object, metadata: { ...object.metadata, namespace: NAMESPACE } }))
  }
  return `{"apiVersion": "v1", "kind": "List", "items": [${[...items].join()}]}`
}

interface KubernetesObject {
  readonly kind: string
  readonly metadata: { readonly name: string }
}

test.each(DEFINITIONS)('the API server accepts the manifests of %s', async (name, text) => {
  const root = await manifestsOf(name, text)
  const kustomizations = ['kube/overlays/local', 'kube/overlays/production']
  if (existsSync(path.join(root, 'kube/components'))) kustomizations.push(MONITORED)
  const { status, stderr } = await kubectl(
    ['apply', '--server-side', '--dry-run=server', '--validate=strict', '-f', '-'],
    await objects(...kustomizations.map((each) => path.join(root, each))),
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('the API server accepts what the comments of the production overlay propose', async () => {
  const root = await manifestsOf('proposed', readInput('temple'))
  const file = path.join(root, 'kube/overlays/production/kustomization.yaml')
  const text = await readFile(file, 'utf8')
  const lines = Array.from(text.matchAll(/^# ((?:- |  patch: |components: ).*)$/gm), ([, line = '']) => line)
  expect(lines.map((line) => line.slice(0, 14))).toEqual([
    '- {target: {la',
    '- target: {kin',
    "  patch: '- {o",
    '- target: {kin',
    "  patch: '- {o",
    '- target: {kin',
    "  patch: '- {o",
    '- target: {kin',
    "  patch: '- {o",
    'components: [.',
  ])
  const patches = lines.filter((line) => !line.startsWith('components')).map((line) => `  ${line}\n`)
  await writeFile(file, `${text}${patches.join('')}${lines.at(-1)}\n`)
  const list = await objects(path.join(root, 'kube/overlays/production'))
  expect(list).toContain('"storageClassName":"fast"')
  expect(list).toContain('"externalTrafficPolicy":"Local"')
  expect(list).toContain('ServiceMonitor')
  const { items } = JSON.parse(list) as { items: KubernetesObject[] }
  const databases = items.filter(({ kind }) => kind === 'StatefulSet').map(({ metadata }) => metadata.name)
  expect(databases.sort()).toEqual(['auth-db', 'product-db', 'purchase-db'])
  const jobs = items.filter(({ kind }) => kind === 'Job')
  expect(jobs).toHaveLength(4)
  expect(jobs.filter((job) => JSON.stringify(job).includes('"nodeSelector":{"pool":"simple-shop"}'))).toEqual(
    jobs,
  )
  const { stderr } = await kubectl(
    ['apply', '--server-side', '--dry-run=server', '--validate=strict', '-f', '-'],
    list,
  )
  expect(stderr).toBe('')
})
