import { rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { Check, RunSummary } from '../../src/conformance/check.ts'
import type { TestedPlatform } from '../../src/conformance/test-context.ts'
import { deriveChecks } from '../../src/conformance/derive-checks.ts'
import { runChecks } from '../../src/conformance/run.ts'
import { gatewayCredentials } from '../../src/dev/gateway-credentials.ts'
import { startDatabaseServer } from '../../src/dev/database-server.ts'
import { openDatabases } from '../../src/dev/databases.ts'
import { serviceSpecs } from '../../src/dev/service-specs.ts'
import { createGateway, type GatewayConfig } from '../../src/dev/gateway/gateway.ts'
import { listenOnLoopback } from '../../src/dev/gateway/listen.ts'
import { createTokenVerifier } from '../../src/dev/gateway/verify-token.ts'
import { compileProject, generateProject, writeProject } from '../../src/dev/project.ts'
import { removePostgresData } from '../../src/dev/postgres.ts'
import { createServices, maxConnections } from '../../src/dev/services.ts'
import type { Language } from '../../src/language/builtins.ts'
import type { Platform } from '../../src/model/platform.ts'
import { gatewayRoutes } from '../../src/model/routes.ts'

/** A platform running in this process. Tests can change its files, databases and gateway. */
export interface TestPlatform {
  readonly platform: Platform
  /** The gatewayConfig of a gateway that does what it has to. */
  readonly gatewayConfig: GatewayConfig
  readonly target: TestedPlatform
  /** Runs the checks that match the filter. */
  check(filter?: (check: Check) => boolean): Promise<RunSummary>
  /**
   * Restores the generated project, applies these changes, by path, and reloads the services that differ. Of those that
   * share a changed file, `only` one may be enough.
   */
  change(changes: Readonly<Record<string, (text: string) => string>>, only?: string): Promise<void>
  /** Runs SQL in a service's database as its owner. */
  sql(directory: string, statements: string): Promise<void>
  configure(config: GatewayConfig): void
  /** What services have logged at error level. */
  readonly errors: readonly string[]
  stop(): Promise<void>
}

let compiled: Promise<string> | undefined

/** A directory for the compiled code of what services of all platforms import, which takes a third of their start. */
function compiledCode(): Promise<string> {
  compiled ??= mkdtemp(join(tmpdir(), 'portico-conformance-')).then((directory) => {
    process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
    return directory
  })
  return compiled
}

/** Generates a definition into a temporary directory and runs it. */
export async function startTestPlatform(
  text: string,
  language: Language = 'typescript',
): Promise<TestPlatform> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-conformance-'))
  const disposables = new AsyncDisposableStack()
  disposables.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }))
  try {
    return await start(text, language, directory, disposables)
  } catch (error) {
    await disposables.disposeAsync()
    throw error
  }
}

async function start(
  text: string,
  language: Language,
  directory: string,
  disposables: AsyncDisposableStack,
): Promise<TestPlatform> {
  const definition = join(directory, 'definition.portico')
  const output = join(directory, 'platform')
  await writeFile(definition, text)
  const { platform, compilation } = compileProject(definition, { language }, output)
  if (!platform) throw new Error(`${JSON.stringify(compilation.diagnostics)}\n${text}`)
  const project = generateProject(platform)
  const { files } = project
  await writeProject(output, project)

  const wanted = serviceSpecs(platform, files)
  const data = join(directory, 'postgres')
  const errors: string[] = []
  const database = await startDatabaseServer({
    directory: data,
    connections: maxConnections(wanted.length),
    onProblem: (problem) => errors.push(problem),
  })
  disposables.defer(() => removePostgresData(data))
  disposables.defer(database.stop)
  const databases = openDatabases(database.server)
  disposables.defer(databases.close)

  const credentials = platform.authentication ? await gatewayCredentials(directory) : undefined
  const gatewayConfig: GatewayConfig = {
    routes: gatewayRoutes(platform),
    verifyToken: credentials && createTokenVerifier(credentials.credentials),
  }
  const services = createServices({
    output,
    // Services in TypeScript have compiled code there, and those in Go have binaries by their names.
    stateDirectory: language === 'typescript' ? await compiledCode() : directory,
    databases,
    files: () => files,
    credentialsFile: () => credentials?.file,
    onEvent: (event) => {
      if (event.kind === 'problem') errors.push(`${event.service}: ${event.text}`)
      if (event.kind === 'line' && event.line.level === 'error')
        errors.push(`${event.service}: ${JSON.stringify(event.line)}`)
    },
  })
  disposables.defer(() => services.stop(100))
  await services.apply(wanted)
  // On a busy machine a service may need several attempts.
  for (const { directory: name } of wanted)
    for (let attempt = 0; attempt < 5 && !(await services.service(name)); attempt++)
      await services.reload(name)
  errors.length = 0
  const gateway = createGateway({ service: (name) => services.service(name) })
  gateway.configure(gatewayConfig)
  const listening = await listenOnLoopback(() => gateway.createServer(), 0)
  if (!listening) throw new Error('Could not find a free port')
  disposables.defer(listening.close)

  const originals = new Map(files.map(({ path, content }) => [path, content]))
  let current: string[] = []
  let different: string[] = []
  const [credential] = credentials?.credentials ?? []
  const checks = deriveChecks(platform)
  const target = { gateway: `localhost:${listening.port}`, isolated: true, credential }
  return {
    platform,
    gatewayConfig,
    target,
    errors,
    check: (filter = () => true) => runChecks(platform, checks.filter(filter), target),
    change: async (changes, only) => {
      const texts = new Map(
        [...current, ...Object.keys(changes)].map((path) => [path, originals.get(path) ?? '']),
      )
      for (const [path, change] of Object.entries(changes)) texts.set(path, change(texts.get(path) ?? ''))
      current = Object.keys(changes)
      for (const [path, content] of texts) await writeFile(join(output, path), content)
      // All services share these two directories.
      const shared = ['lib', 'internal']
      const directories = Object.keys(changes).map((path) => path.split('/')[0] ?? '')
      const affected = directories.flatMap((name) => {
        if (!shared.includes(name)) return [name]
        return only === undefined ? wanted.map(({ directory: service }) => service) : [only]
      })
      const touched = new Set([...different, ...affected])
      // What was reloaded has been built with the changed file.
      different = directories.some((name) => shared.includes(name)) ? [...touched] : affected
      const reloaded = await Promise.all([...touched].map((name) => services.reload(name)))
      if (reloaded.includes(false)) throw new Error(errors.at(-1))
    },
    sql: async (name, statements) => {
      const schema = wanted.find((spec) => spec.directory === name)?.schema
      if (!schema) throw new Error(`Unknown service ${name}`)
      const client = postgres(await databases.ensure(schema), { max: 1, onnotice: () => {} })
      try {
        await client.unsafe(statements)
      } finally {
        await client.end()
      }
    },
    configure: (config) => gateway.configure(config),
    stop: () => disposables.disposeAsync(),
  }
}
