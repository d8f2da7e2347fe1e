import { unsupportedLanguage } from '../emit/targets.ts'
import type { Language, Platform, Provider } from '../model/platform.ts'
import type { Overrides } from '../model/resolve.ts'
import type { Invocation } from './command.ts'
import { CommandError } from './command-error.ts'
import { EXIT } from './exit-status.ts'

/** Returns what `--language` and `--provider` override in the definition. */
export function targetOverrides(invocation: Invocation): Overrides {
  const language = invocation.text('language') as Language | undefined
  const provider = invocation.text('provider') as Provider | undefined
  return { ...(language === undefined ? {} : { language }), ...(provider === undefined ? {} : { provider }) }
}

/** Throws a `CommandError` with status 1 if a definition uses a target that cannot be generated yet. */
export function requireSupportedTarget(platform: Platform): void {
  const language = unsupportedLanguage(platform)
  if (language !== undefined)
    throw new CommandError(
      EXIT.failed,
      `\`#language(${language})\` is not supported yet`,
      'use `--language typescript`',
    )
}
