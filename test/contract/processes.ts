import { platformOf } from '../emit/platform.ts'
import { type RunningPlatform, runPlatform } from '../emit/typescript/running-platform.ts'
import { expectServiceContract } from './service-contract.ts'

export const SERVICES = `
Shelf: service { label: string(40); #enumerable; Slot: struct { width: int; } }
Book: service { shelf: Shelf; title: string(80); #omit[read]; }`
export const WITH_USERS = `Library: project { #authMethod(email); #metrics(prometheus); }
Reader: service { name: string(80); #auth; }${SERVICES}`

/** Runs the services of a definition as processes, and checks each. `onStart` gets what the test has to stop. */
export async function expectContractOfProcesses(
  definition: string,
  onStart: (platform: RunningPlatform) => void,
): Promise<void> {
  const started = await runPlatform(definition)
  onStart(started)
  const platform = platformOf(definition)
  const [, token] = (await started.authorization('00000000-0000-1000-8000-000000000000')).split(' ')
  await expectServiceContract({
    platform: { ...platform, authentication: undefined },
    token: platform.authentication && token,
    url: (directory, port) => {
      const service = started.services.get(directory)
      return (
        { api: service?.url, internal: service?.internalUrl, metrics: service?.metricsUrl }[port] || undefined
      )
    },
    log: async (directory) => started.services.get(directory)?.output.text,
  })
}
