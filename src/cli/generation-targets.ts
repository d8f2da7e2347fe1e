import type { Language, Provider } from '../model/platform.ts'
import type { Overrides } from '../model/resolve.ts'
import { MODULE_PATH } from '../output/go-mod.ts'
import type { Invocation } from './command.ts'
import { usageError } from './command-error.ts'

/** Returns what `--language` and `--provider` override in the definition. */
export function targetOverrides(invocation: Invocation): Overrides {
  const language = invocation.text('language') as Language | undefined
  const provider = invocation.text('provider') as Provider | undefined
  const module = invocation.text('module')
  if (module !== undefined && !MODULE_PATH.test(module))
    throw usageError(`Invalid value \`${module}\` for \`--module\``, 'for example `example.com/shop`')
  return {
    ...(module === undefined ? {} : { module }),
    ...(language === undefined ? {} : { language }),
    ...(provider === undefined ? {} : { provider }),
  }
}
