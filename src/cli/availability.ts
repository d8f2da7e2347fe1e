import type { Language, Platform, Provider } from '../model/platform.ts'
import type { Overrides } from '../model/resolve.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { Failure } from './failure.ts'

const LANGUAGES: Readonly<Record<string, Language>> = { typescript: 'typescript', ts: 'typescript', go: 'go' }
const PROVIDERS: Readonly<Record<string, Provider>> = {
  dockerCompose: 'dockerCompose',
  dc: 'dockerCompose',
  kube: 'kube',
  kubernetes: 'kube',
  k8s: 'kube',
}

/** What `--language` and `--provider` put in place of what the definition says. */
export function overridesOf(options: { text(name: string): string | undefined }): Overrides {
  const language = LANGUAGES[options.text('language') ?? '']
  const provider = PROVIDERS[options.text('provider') ?? '']
  return { ...(language === undefined ? {} : { language }), ...(provider === undefined ? {} : { provider }) }
}

/**
 * Stops where a platform asks for a target that cannot be generated yet: with status 1 where the definition
 * asks for it, with 2 where the command line does.
 */
export function requireAvailable(platform: Platform, overrides: Overrides, what: 'all' | 'language'): void {
  const services = [...platform.services, platform.authentication]
  const inGo = services
    .filter((service) => service?.language === 'go')
    .map((service) => service?.names.declared)
  if (inGo.length > 0)
    throw unavailable('`#language(go)`', '--language typescript', overrides.language === 'go')
  if (what === 'all' && platform.provider === 'kube')
    throw unavailable('`#provider(kube)`', '--provider dockerCompose', overrides.provider === 'kube')
}

function unavailable(what: string, option: string, asked: boolean): Failure {
  const status: ExitStatus = asked ? EXIT.usage : EXIT.failed
  return new Failure(
    status,
    `${what} is not available yet. Nothing was changed.`,
    `Use \`${option}\` instead.`,
  )
}
