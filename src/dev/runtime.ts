import path from 'node:path'
import type { Platform } from '../model/platform.ts'
import { gatewayRoutes } from '../model/routes.ts'
import { apiDocuments } from './api-documents.ts'
import { gatewayCredentials } from './credential.ts'
import type { Databases } from './databases.ts'
import { type Deployable, deployables } from './deployables.ts'
import type { OnEvent } from './events.ts'
import type { Gateway } from './gateway/gateway.ts'
import { tokenVerifier, type VerifyToken } from './gateway/tokens.ts'
import type { Generation } from './generation.ts'
import { type ConfirmEmptying, describeChanges, schemaProblem } from './schema-question.ts'
import { createServices, type Services } from './services.ts'

/** What runs of a platform: services behind a gateway, on databases of the right schema. */
export interface Runtime {
  /** What runs now. */
  readonly platform: () => Platform
  /** Directories of the services that run now. */
  readonly directories: () => readonly string[]
  readonly services: Services
  /**
   * Brings what runs to another generation. `write` is called in between, when nothing stands against it any
   * more, to bring the files of the project there. Gives the directories of the services that were touched;
   * `undefined` when the user wants to keep data that is in the way, and then nothing has changed.
   */
  readonly update: (next: Generation, write: () => Promise<void>) => Promise<string[] | undefined>
}

/** What a runtime is made of. */
export interface RuntimeParts {
  readonly output: string
  readonly stateDirectory: string
  readonly gateway: Gateway
  /** The gateway serves the description of the API. */
  readonly openApi: boolean
  readonly databases: Databases
  readonly confirmEmptying: ConfirmEmptying | undefined
  /** Is told which platform runs, each time that it is another one. */
  readonly onPlatform: (platform: Platform) => void
  readonly onEvent: OnEvent
}

/** A runtime in which nothing runs yet; `first` is what it will be brought to first. */
export function createRuntime(parts: RuntimeParts, first: Generation): Runtime {
  const { output, stateDirectory, gateway, databases, onEvent } = parts
  let platform = first.platform
  let running: readonly Deployable[] = []
  let credentialsFile: string | undefined
  let verifyToken: VerifyToken | undefined

  const services = createServices({
    output,
    compileCache: path.join(stateDirectory, 'compile-cache'),
    databases,
    credentialsFile: () => (platform.authentication === undefined ? undefined : credentialsFile),
    onEvent,
  })

  /** Empties databases of another schema, after asking. Gives whether all have the right one then. */
  async function settleSchemas(wanted: readonly Deployable[]): Promise<boolean> {
    const changed = await databases.changed(wanted.map(({ schema }) => schema))
    if (changed.length === 0) return true
    const changes = describeChanges(changed)
    if (parts.confirmEmptying === undefined) throw schemaProblem(changes)
    if (!(await parts.confirmEmptying(changes))) {
      if (running.length === 0) throw schemaProblem(changes)
      return false
    }
    for (const { schema } of changed) {
      await services.halt(schema.service)
      await databases.drop(schema)
    }
    return true
  }

  async function prepareCredentials(): Promise<void> {
    if (platform.authentication === undefined || verifyToken !== undefined) return
    const { file, credentials } = await gatewayCredentials(stateDirectory)
    credentialsFile = file
    verifyToken = tokenVerifier(credentials)
  }

  return {
    platform: () => platform,
    directories: () => running.map(({ directory }) => directory),
    services,
    update: async (next, write) => {
      const wanted = deployables(next.platform, next.files)
      if (!(await settleSchemas(wanted))) return undefined
      await write()
      ;({ platform } = next)
      running = wanted
      await prepareCredentials()
      const touched = await services.apply(wanted)
      gateway.setRules({
        routes: gatewayRoutes(platform),
        verifyToken: platform.authentication === undefined ? undefined : verifyToken,
        documents: parts.openApi ? apiDocuments(next.files) : new Map(),
      })
      parts.onPlatform(platform)
      return touched
    },
  }
}
