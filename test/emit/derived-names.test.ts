import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { compile } from '../../src/compile.ts'
import { emitProject } from '../../src/emit/project.ts'
import { kebabCase } from '../../src/naming.ts'

/** A service `Home`, a service with authentication, and everything else that has names. */
const definition = (provider: string, services: string) =>
  `P: project { #provider(${provider}); #authMethod(email); #metrics(prometheus); }
  Account: service { a: int; #auth; }
  Home: service { a: int; }
  ${services}`

interface Names {
  /** Of files, and of all that is in one name space: `Service home-db`. */
  readonly own: string[]
  /** Every text of the YAML files that could be a name. */
  readonly mentioned: Set<string>
}

/** The names in a project; `undefined` if the definition is invalid. */
function namesIn(source: string): Names | undefined {
  const { platform } = compile(source)
  if (platform === undefined) return undefined
  const own: string[] = []
  const mentioned = new Set<string>()
  const secrets = new Set<string>()
  for (const { path, content } of emitProject(platform)) {
    // Some file systems ignore case.
    own.push(`file ${path.toLowerCase()}`)
    for (const segment of path.split('/')) mentioned.add(segment.replace(/\..*/, '').toLowerCase())
    if (!/^(?:compose|kube\/(?:base|migrate|overlays)\/.*|prometheus\/prometheus)\.yaml$/.test(path)) continue
    for (const document of parseAllDocuments(content)) {
      const value: unknown = document.toJS()
      own.push(...ownNames(value as YamlFile))
      visit(value, '', mentioned, secrets)
    }
  }
  return { own: [...own, ...secrets], mentioned }
}

interface YamlFile {
  readonly kind?: string
  readonly metadata?: { readonly name: string }
  readonly services?: object
  readonly networks?: object
  readonly volumes?: object
  readonly scrape_configs?: readonly { readonly job_name: string }[]
}

function ownNames({ kind = '', metadata, services, networks, volumes, scrape_configs }: YamlFile): string[] {
  const keys = (space: string, names: object = {}) => Object.keys(names).map((name) => `${space} ${name}`)
  return [
    ...(metadata === undefined ? [] : [`${kind} ${metadata.name}`]),
    ...keys('container', services),
    ...keys('network', networks),
    ...keys('volume', volumes),
    ...(scrape_configs ?? []).map(({ job_name }) => `job ${job_name}`),
  ]
}

/** Finds names, and those of Secrets, which no manifest contains. */
function visit(value: unknown, key: string, mentioned: Set<string>, secrets: Set<string>): void {
  if (typeof value === 'string') mentioned.add(value)
  if (typeof value !== 'object' || value === null) return
  if (key.startsWith('secret') && 'name' in value && typeof value.name === 'string')
    secrets.add(`Secret ${value.name}`)
  if (key === 'secret' && 'secretName' in value && typeof value.secretName === 'string')
    secrets.add(`Secret ${value.secretName}`)
  for (const [name, each] of Object.entries(value)) {
    if (!Array.isArray(value)) mentioned.add(name)
    visit(each, name, mentioned, secrets)
  }
}

/** `HomeDbPods` for `home-db-pods`; `undefined` if no service has this name. */
function declaredName(kebab: string): string | undefined {
  const name = kebab.replaceAll(/(?:^|-)([a-z])/g, (_, first: string) => first.toUpperCase())
  return /^[A-Z][A-Za-z0-9]*$/.test(name) && kebabCase(name) === kebab ? name : undefined
}

test.each(['kube', 'dockerCompose'])(
  'no service takes a name that another one needs, with %s',
  (provider) => {
    const [base, added] = ['', 'Plain: service { a: int; }'].map((more) =>
      namesIn(definition(provider, more)),
    )
    if (base === undefined || added === undefined) throw new Error('Invalid definition')
    // Shorter ones too: what a service `HomeDb` needs begins with `home-db`.
    const candidates = [...base.mentioned].flatMap((name) =>
      name.split('-').map((_, index, parts) => parts.slice(0, index + 1).join('-')),
    )
    const valid = [...new Set(candidates)]
      .flatMap((candidate) => declaredName(candidate) ?? [])
      .map((name) => `${name}: service { a: int; }`)
      .filter((service) => compile(definition(provider, service)).platform !== undefined)
    expect(valid.length).toBeGreaterThan(100)
    const { own = [] } = namesIn(definition(provider, valid.join('\n'))) ?? {}
    const repeated = [...Map.groupBy(own, (each) => each)].filter(([, all]) => all.length > 1)
    const files = own.filter((each) => own.some((other) => other.startsWith(`${each}/`)))
    expect([repeated, files, own.length]).toEqual([
      [],
      [],
      base.own.length + valid.length * (added.own.length - base.own.length),
    ])
  },
)
