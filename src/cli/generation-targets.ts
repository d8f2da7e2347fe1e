import type { Language, Provider } from '../model/platform.ts'
import type { Overrides } from '../model/resolve.ts'
import type { Invocation } from './command.ts'

/** Returns what `--language` and `--provider` override in the definition. */
export function targetOverrides(invocation: Invocation): Overrides {
  const language = invocation.text('language') as Language | undefined
  const provider = invocation.text('provider') as Provider | undefined
  return { ...(language === undefined ? {} : { language }), ...(provider === undefined ? {} : { provider }) }
}
