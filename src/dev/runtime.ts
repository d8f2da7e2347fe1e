import type { GeneratedFile } from '../emit/contract.ts'
import { possibleRenames, renameHelp } from '../emit/migrations/tables.ts'
import { DOCUMENT_PATH } from '../emit/openapi/document.ts'
import type { Platform } from '../model/platform.ts'
import { gatewayRoutes } from '../model/routes.ts'
import { findCustomCode } from './custom-code.ts'
import { readMigrationFolders } from '../output/migration-folders.ts'
import type { Databases } from './databases.ts'
import type { OnEvent } from './events.ts'
import type { ExplorerBackend } from './explorer/explorer.ts'
import type { Gateway } from './gateway/gateway.ts'
import { createRoleGrant, type GrantRole } from './gateway/grant-role.ts'
import type { ServedDocument } from './gateway/reply.ts'
import { createTokenVerifier, type VerifyToken } from './gateway/verify-token.ts'
import { gatewayCredentials } from './gateway-credentials.ts'
import type { GeneratedProject } from './project.ts'
import type { Answers, Questions } from './questions.ts'
import { readRows, type RowsPage, type RowsQuery } from './rows.ts'
import { type SchemaUpdatePlan, planSchemaUpdates } from './schema-updates.ts'
import { type ServiceSpec, serviceSpecs } from './service-specs.ts'
import { createServices, type ServiceChanges, type Services } from './services.ts'

/** The running parts of a platform: services behind a gateway, each on a database with the right schema. */
export interface Runtime {
  /** The platform that runs now. */
  readonly platform: () => Platform
  /** The project that runs now. */
  readonly project: () => GeneratedProject
  /** The services that run now. */
  readonly running: () => readonly ServiceSpec[]
  readonly services: Services
  /**
   * Plans an update to another project, and asks about the data of databases whose schema changes what `answers` does
   * not answer. Nothing changes yet. Throws PlatformError if the update is not possible.
   */
  readonly plan: (
    next: GeneratedProject,
    questions: Questions | undefined,
    answers?: Answers,
  ) => Promise<RuntimeUpdate>
  /**
   * Replaces what runs. Calls `write`, which writes the project's files, once the databases have accepted the change:
   * if either fails, nothing has changed. The signal of a service cancels its start, which is not reported.
   */
  readonly apply: (
    update: RuntimeUpdate,
    write?: () => Promise<void>,
    signalOf?: (directory: string) => AbortSignal | undefined,
  ) => Promise<ServiceChanges>
}

/** A planned update. */
export interface RuntimeUpdate {
  readonly next: GeneratedProject
  readonly services: readonly ServiceSpec[]
  readonly databases: SchemaUpdatePlan
}

/** What a runtime consists of. */
export interface RuntimeParts {
  readonly output: string
  readonly stateDirectory: string
  readonly gateway: Gateway
  /** Whether the gateway serves the OpenAPI document. */
  readonly openApi: boolean
  /** Origins of web pages that the gateway lets through to services. */
  readonly corsOrigins: readonly string[]
  readonly databases: Databases
  /** Called with each platform that runs, and with what the explorer can do with it. */
  readonly onPlatform: (platform: Platform, backend: ExplorerBackend) => void
  readonly onEvent: OnEvent
}

/** The file of the project that describes the API. */
const OPENAPI_FILE = 'api/openapi.json'

/** Creates a runtime in which nothing runs yet. Call `update` with `first` to start it. */
export function createRuntime(parts: RuntimeParts, first: GeneratedProject): Runtime {
  const { output, stateDirectory, gateway, databases, onEvent } = parts
  let platform = first.platform
  let running: readonly ServiceSpec[] = []
  let { files } = first
  let credentialsFile: string | undefined
  let verifyToken: VerifyToken | undefined
  let grantRole: GrantRole | undefined

  const services = createServices({
    output,
    stateDirectory,
    databases,
    files: () => files,
    corsOrigins: parts.corsOrigins,
    credentialsFile: () => (platform.authentication === undefined ? undefined : credentialsFile),
    onEvent,
  })

  async function prepareCredentials(): Promise<void> {
    if (platform.authentication === undefined || verifyToken !== undefined) return
    const { file, credentials } = await gatewayCredentials(stateDirectory)
    credentialsFile = file
    verifyToken = createTokenVerifier(credentials)
    grantRole = createRoleGrant(credentials, verifyToken)
  }

  async function readPart(directory: string, part: string, query: RowsQuery): Promise<RowsPage | undefined> {
    const schema = running.find((spec) => spec.directory === directory)?.schema
    const table = schema?.tables.find(({ entity }) => entity.split('.').at(-1) === part)
    if (schema === undefined || table === undefined) return undefined
    return readRows(databases, schema.database, table, query)
  }

  return {
    platform: () => platform,
    project: () => ({ platform, files }),
    running: () => running,
    services,
    plan: async (next, questions, answers) => {
      const wanted = serviceSpecs(next.platform, next.files)
      const changed = await databases.changed(
        wanted.map(({ schema }) => schema),
        { folders: readMigrationFolders(output), isRunning: running.length > 0 },
      )
      const { updates, notices } = await planSchemaUpdates(changed.databases, questions, answers)
      const all = [...changed.notices, ...notices, ...removalNotices(running, wanted)]
      return { next, services: wanted, databases: { updates, notices: all } }
    },
    apply: async (
      { next, services: wanted, databases: { updates, notices } },
      write = async () => {},
      signalOf,
    ) => {
      const migrated = updates.map(({ schema }) => schema.service)
      // The code that runs does not know the next schema.
      const release = await services.hold(migrated)
      try {
        await databases.update(updates, write)
        for (const text of notices) onEvent({ kind: 'notice', service: undefined, text })
        ;({ platform, files } = next)
        running = wanted
        await prepareCredentials()
        const changed = await services.apply(wanted, new Set(migrated), signalOf)
        gateway.configure({
          routes: gatewayRoutes(platform),
          verifyToken: platform.authentication === undefined ? undefined : verifyToken,
          documents: parts.openApi ? openApiDocuments(next.files) : new Map(),
        })
        parts.onPlatform(platform, {
          grantRole,
          customCode: () => findCustomCode(output, running, files),
          readRows: readPart,
        })
        return changed
      } finally {
        release()
      }
    },
  }
}

/** The services whose databases others do not have. */
function without(all: readonly ServiceSpec[], others: readonly ServiceSpec[]): ServiceSpec[] {
  return all.filter(({ schema }) => others.every((other) => other.schema.database !== schema.database))
}

/** Says what to do if a service that is gone was renamed: only then does its data go with it. */
function removalNotices(running: readonly ServiceSpec[], wanted: readonly ServiceSpec[]): string[] {
  return possibleRenames(schemaNames(without(running, wanted)), schemaNames(without(wanted, running))).map(
    ([was, now]) => `\`${was}\` was removed, and its data is kept: ${renameHelp(was, now)}`,
  )
}

function schemaNames(specs: readonly ServiceSpec[]): string[] {
  return specs.map(({ schema }) => schema.name)
}

/** The OpenAPI document of the project, by the path that the gateway serves it at. */
function openApiDocuments(files: readonly GeneratedFile[]): ReadonlyMap<string, ServedDocument> {
  const content = contentOf(files, OPENAPI_FILE)
  if (content === undefined) return new Map()
  return new Map([[DOCUMENT_PATH, { type: 'application/json', body: Buffer.from(content) }]])
}

function contentOf(files: readonly GeneratedFile[], name: string): string | undefined {
  return files.find((file) => file.path === name)?.content
}
