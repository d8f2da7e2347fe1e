import { deployedServices } from '../model/deployed-services.ts'
import type { Language, Platform } from '../model/platform.ts'
import type { TypeCheckError } from './events.ts'
import type { DevTarget } from './target.ts'
import { GO } from './targets/go.ts'
import { TYPESCRIPT } from './targets/typescript.ts'
import type { TypeCheckOptions } from './type-check.ts'

/** The languages that `dev` can run. */
const TARGETS: Readonly<Record<Language, DevTarget>> = {
  typescript: TYPESCRIPT,
  go: GO,
}

/** The files and directories that services share, in any language. */
export const SHARED_PATHS: readonly string[] = [
  ...new Set(Object.values(TARGETS).flatMap(({ shared }) => shared)),
]

/** Returns how to run services in a language. */
export function devTargetOf(language: Language): DevTarget {
  return TARGETS[language]
}

/** Throws PlatformError if the machine lacks what a language of the platform needs. */
export function requireTools(platform: Platform): void {
  const languages = new Set(deployedServices(platform).map(({ language }) => language))
  for (const language of languages) TARGETS[language].requireTools()
}

/** A service whose code is checked. */
interface CheckedService {
  readonly directory: string
  readonly language: Language
}

/** Checks the code of services in all languages in the background. */
export interface CodeCheck {
  /** Checks the current files. Cancels older checks that still run. */
  run(): void
  /** Sets the services to check from the next run on. */
  setServices(services: readonly CheckedService[]): void
  readonly stop: () => Promise<void>
}

/** Creates a check of the services in each language. Their errors are reported together. */
export function createCodeCheck(options: TypeCheckOptions): CodeCheck {
  const errors = new Map<string, readonly TypeCheckError[]>()
  let used: ReadonlySet<string> = new Set()
  const checks = Object.entries(TARGETS).map(([language, { createCheck }]) => {
    const onErrors = (found: readonly TypeCheckError[]): void => {
      errors.set(language, found)
      options.onErrors([...errors.values()].flat())
    }
    return { language, check: createCheck({ ...options, onErrors }) }
  })
  return {
    run: () => {
      for (const { language, check } of checks) if (used.has(language)) check.run()
    },
    setServices: (services) => {
      used = new Set(services.map(({ language }) => language))
      for (const { language, check } of checks)
        check.setServices(
          services.filter((service) => service.language === language).map(({ directory }) => directory),
        )
    },
    stop: async () => {
      await Promise.all(checks.map(({ check }) => check.stop()))
    },
  }
}
