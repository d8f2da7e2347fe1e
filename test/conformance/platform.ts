import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { Check, Summary, Target } from '../../src/conformance/check.ts'
import { derive } from '../../src/conformance/derive.ts'
import { runChecks } from '../../src/conformance/run.ts'
import { gatewayCredentials } from '../../src/dev/credential.ts'
import { startDatabaseServer } from '../../src/dev/database-server.ts'
import { openDatabases } from '../../src/dev/databases.ts'
import { deployables } from '../../src/dev/deployables.ts'
import { createGateway, type GatewayRules } from '../../src/dev/gateway/gateway.ts'
import { listenOnLoopback } from '../../src/dev/gateway/listen.ts'
import { tokenVerifier } from '../../src/dev/gateway/tokens.ts'
import { readDefinition, writeProject } from '../../src/dev/generation.ts'
import { removePostgresData } from '../../src/dev/postgres.ts'
import { connectionsOf, createServices } from '../../src/dev/services.ts'
import type { Platform } from '../../src/model/platform.ts'
import { gatewayRoutes } from '../../src/model/routes.ts'

/** A platform that runs in this process and whose files, schema and gateway a test can break. */
export interface TestPlatform {
  readonly platform: Platform
  /** The rules of a gateway that does what it has to. */
  readonly rules: GatewayRules
  readonly target: Target
  /** Runs the checks that the filter lets through. */
  check(filter?: (check: Check) => boolean): Promise<Summary>
  /**
   * Makes the project what was generated but for these changes, by path, and reloads the services that differ
   * from before.
   */
  change(changes: Readonly<Record<string, (text: string) => string>>): Promise<void>
  /** Runs SQL in a service's database as its owner. */
  sql(directory: string, statements: string): Promise<void>
  setRules(rules: GatewayRules): void
  /** What services said at error level so far. */
  readonly complaints: readonly string[]
  stop(): Promise<void>
}

/** Generates a definition into a temporary directory and runs it. */
export async function startTestPlatform(text: string): Promise<TestPlatform> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-conformance-'))
  const closers: (() => unknown)[] = [() => rm(directory, { recursive: true, force: true, maxRetries: 5 })]
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    return await start(text, directory, closers, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(
  text: string,
  directory: string,
  closers: (() => unknown)[],
  stop: () => Promise<void>,
): Promise<TestPlatform> {
  const definition = join(directory, 'definition.portico')
  const output = join(directory, 'platform')
  await writeFile(definition, text)
  const { generation, diagnostics } = await readDefinition(definition, { language: 'typescript' }, () => {})
  if (!generation) throw new Error(`${JSON.stringify(diagnostics)}\n${text}`)
  const { platform, files } = generation
  await writeProject(output, generation)

  const wanted = deployables(platform, files)
  const data = join(directory, 'postgres')
  const complaints: string[] = []
  const database = await startDatabaseServer({
    directory: data,
    connections: connectionsOf(wanted.length),
    onProblem: (problem) => complaints.push(problem),
  })
  closers.push(
    () => removePostgresData(data),
    () => database.stop(),
  )
  const databases = openDatabases(database.server)
  closers.push(() => databases.close())

  const credentials = platform.authentication ? await gatewayCredentials(directory) : undefined
  const rules: GatewayRules = {
    routes: gatewayRoutes(platform),
    verifyToken: credentials && tokenVerifier(credentials.credentials),
  }
  const services = createServices({
    output,
    compileCache: join(directory, 'compile-cache'),
    databases,
    credentialsFile: () => credentials?.file,
    onEvent: (event) => {
      if (event.kind === 'problem') complaints.push(`${event.service}: ${event.text}`)
      if (event.kind === 'line' && event.line.level === 'error')
        complaints.push(`${event.service}: ${JSON.stringify(event.line)}`)
    },
  })
  closers.push(() => services.stop(100))
  await services.apply(wanted)
  // A busy machine may give a service too little time to start at once.
  for (const { directory: name } of wanted)
    for (let attempt = 0; attempt < 5 && !(await services.service(name)); attempt++)
      await services.reload(name)
  complaints.length = 0
  const gateway = createGateway({ service: (name) => services.service(name) })
  gateway.setRules(rules)
  const listening = await listenOnLoopback(() => gateway.createServer(), 0)
  if (!listening) throw new Error('No port is free')
  closers.push(() => listening.close())

  const originals = new Map(files.map(({ path, content }) => [path, content]))
  let current: string[] = []
  const [credential] = credentials?.credentials ?? []
  const checks = derive(platform)
  const target = { gateway: `localhost:${listening.port}`, pristine: true, credential }
  return {
    platform,
    rules,
    target,
    complaints,
    check: (filter = () => true) => runChecks(platform, checks.filter(filter), target),
    change: async (changes) => {
      const texts = new Map(
        [...current, ...Object.keys(changes)].map((path) => [path, originals.get(path) ?? '']),
      )
      for (const [path, change] of Object.entries(changes)) texts.set(path, change(texts.get(path) ?? ''))
      current = Object.keys(changes)
      for (const [path, content] of texts) await writeFile(join(output, path), content)
      const touched = new Set([...texts.keys()].map((path) => path.split('/')[0] ?? ''))
      const reloaded = await Promise.all([...touched].map((name) => services.reload(name)))
      if (reloaded.includes(false)) throw new Error(complaints.at(-1))
    },
    sql: async (name, statements) => {
      const schema = wanted.find((deployable) => deployable.directory === name)?.schema
      if (!schema) throw new Error(`There is no service ${name}`)
      const client = postgres(await databases.ensure(schema), { max: 1, onnotice: () => {} })
      try {
        await client.unsafe(statements)
      } finally {
        await client.end()
      }
    },
    setRules: (changed) => gateway.setRules(changed),
    stop,
  }
}
