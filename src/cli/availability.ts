import type { Language, Platform, Provider } from '../model/platform.ts'
import type { Overrides } from '../model/resolve.ts'
import type { Invocation } from './command.ts'
import { CommandError } from './command-error.ts'
import { EXIT } from './exit-status.ts'

/** Returns what `--language` and `--provider` override in the definition. */
export function overridesOf(invocation: Invocation): Overrides {
  const language = invocation.text('language') as Language | undefined
  const provider = invocation.text('provider') as Provider | undefined
  return { ...(language === undefined ? {} : { language }), ...(provider === undefined ? {} : { provider }) }
}

/**
 * Throws a `CommandError` if a platform uses a target that cannot be generated yet: with status 1 if the
 * definition asks for it, with 2 if the command line does.
 */
export function requireAvailable(platform: Platform, overrides: Overrides): void {
  const usesGo = [...platform.services, platform.authentication].some((service) => service?.language === 'go')
  if (usesGo) throw unavailable('#language(go)', '--language typescript', overrides.language === 'go')
}

function unavailable(what: string, option: string, byOption: boolean): CommandError {
  return new CommandError(
    byOption ? EXIT.usage : EXIT.failed,
    `\`${what}\` is not supported yet`,
    `use \`${option}\``,
  )
}
