import type { DeployedService } from '../model/deployed-services.ts'
import type { Authentication, Platform, Service } from '../model/platform.ts'
import type { GeneratedFile } from './contract.ts'
import type { Panel } from './observability/panel.ts'

/** Everything in which services in one language differ from those in another. */
export interface Target {
  /** The files of a service. */
  readonly serviceFiles: (platform: Platform, service: Service) => GeneratedFile[]
  /** The files of the authentication service. */
  readonly authenticationFiles: (platform: Platform, authentication: Authentication) => GeneratedFile[]
  /** What its services, which have `files`, share, among it the Dockerfile: only what they use. */
  readonly sharedFiles: (part: TargetPart, files: readonly GeneratedFile[]) => GeneratedFile[]
  readonly image: ServiceImage
  /** The patterns of files that its tools create in a project, for `.gitignore`. */
  readonly ignored: readonly string[]
  readonly memory: MemoryModel
  /** Whether a project is a module, whose path the user chooses. */
  readonly isModule: boolean
  /** The dashboard's panels about its runtime. `selector` selects the series of the service. */
  readonly panels: (selector: string) => Panel[]
  readonly readme: ReadmeTexts
}

/** The part of a platform that is in one language. */
export interface TargetPart {
  /** The platform, of whose services it has only those in the language. */
  readonly platform: Platform
  /** The authentication service, if it is in the language. */
  readonly authentication: Authentication | undefined
  /** The services in other languages that those in this one call. */
  readonly foreign: readonly Service[]
}

/** How services become images. An image starts its service, and reads its settings from ENV_FILE or ENV_BASE64. */
export interface ServiceImage {
  /** A file at the root of the project. Its build arguments are SERVICE and DATABASE, two directories. */
  readonly dockerfile: string
  /** More build arguments, which have the value of the variable with the same name. */
  readonly variables: readonly string[]
  /** The id of the user that the image runs as. */
  readonly user: number
  /** The paths that all images are built from. */
  readonly sharedContext: readonly string[]
  /** The paths that only the image of this service is built from, besides its migrations. */
  readonly serviceContext: (deployed: DeployedService) => readonly string[]
  /**
   * The command that applies the migrations of a service's database. Its arguments are the directories of the service
   * and of the database, and possibly `--all`.
   */
  readonly migrations: readonly string[]
  /** The command that looks after the jobs of a service in its container. Its arguments are those of `deploy.sh jobs`. */
  readonly jobs: (deployed: DeployedService) => readonly string[]
}

/** How much memory a service needs. */
export interface MemoryModel {
  /** Without requests, in MiB. */
  readonly base: number
  /** How many times its size a request body takes while it is handled. */
  readonly bodyFactor: number
}

/** What the README and AGENTS.md of a project say about services in the language. */
export interface ReadmeTexts {
  /** The name of the language. */
  readonly language: string
  /** What `portico dev` needs to run the services, besides what it needs itself. */
  readonly compiler?: string
  /** How to run a service by itself, as paragraphs. */
  readonly standalone: (part: TargetPart) => string[]
  /** How to check and test the code, as paragraphs. */
  readonly testing: string[]
  /** The files that the user can write. */
  readonly customFiles: string
  /** An example of a hook and a route that compiles, as paragraphs. */
  readonly example: (part: TargetPart) => string[]
  /** How routes check access. */
  readonly accessChecks: string
  /** What else the user's code has to observe, whatever the definition is. Only AGENTS.md has them. */
  readonly rules: readonly string[]
  /** How services import code of `shared/` in a Go module of this path, and where its tests are, as a sentence. */
  readonly shared: (module: string) => {
    readonly language: string
    readonly code: string
    readonly tests: string
  }
  /** How to use libraries, as a sentence. */
  readonly libraries: string
  /** What is merged with the user's changes: ``your dependencies in `package.json` ``. */
  readonly merged: string
  /** The file of a service that declares its configuration, below its directory. */
  readonly configurationFile: string
  /** The file of a service that lists the requests that are counted, below its directory. */
  readonly metricsFile: string
  /** How the authentication service gives users roles. */
  readonly roles: (directory: string) => string
  /** Its own environment variables, with descriptions. */
  readonly authenticationVariables: readonly string[]
}
