import type { Platform } from '../model/platform.ts'
import type { Check, CheckResult, RunSummary } from './check.ts'
import { Client } from './client.ts'
import { endpointOf, resourcesOf } from './resource.ts'
import { type Violation, ViolationError, SkipError } from './exchange.ts'
import { type HookResponse, hookResponse } from './hook-response.ts'
import { CheckContext } from './check-context.ts'
import { TestContext, type TestedPlatform } from './test-context.ts'

/** How many services are checked in parallel. The checks of one service run one after another. */
const AT_ONCE = 6

/** Connections to the gateway: enough for the checks that send concurrent requests. */
const CONNECTIONS = 32

/** Options of a run. */
export interface RunOptions {
  /** Called with the results of a service's checks, in order, as soon as they are complete. */
  readonly onSequence?: (results: readonly CheckResult[]) => void
  /** Ends the run after the current requests. The summary then lacks the remaining checks. */
  readonly signal?: AbortSignal
}

/**
 * Runs checks against a platform and returns all results in the order of the checks. Never throws because of the
 * platform: no response is a violation too.
 */
export async function runChecks(
  platform: Platform,
  checks: readonly Check[],
  target: TestedPlatform,
  { onSequence, signal }: RunOptions = {},
): Promise<RunSummary> {
  const client = new Client(target.gateway, CONNECTIONS)
  const test = new TestContext(platform, client, target)
  const results = new Map<Check, CheckResult>()
  const sequences = [...Map.groupBy(checks, ({ sequence }) => sequence).values()]
  let next = 0
  const work = async (): Promise<void> => {
    for (let own = sequences[next++]; own; own = sequences[next++]) {
      for (const check of own) {
        if (signal?.aborted) return
        results.set(check, await runOne(check, test))
      }
      onSequence?.(own.flatMap((check) => results.get(check) ?? []))
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    if (!target.isolated) await deleteSharedEntities(test)
  } finally {
    await client.close()
  }
  return { results: checks.flatMap((check) => results.get(check) ?? []), requests: client.count }
}

async function runOne(check: Check, test: TestContext): Promise<CheckResult> {
  const { group, title } = check
  const end = (outcome: CheckResult['outcome'], reason?: string, violation?: Violation): CheckResult => ({
    group,
    title,
    outcome,
    reason,
    violation,
  })
  if (check.skip !== undefined) return end('skipped', check.skip)
  const context = new CheckContext(test)
  try {
    await check.run(context)
    return end('passed')
  } catch (error) {
    if (error instanceof SkipError) return end('skipped', error.message)
    if (!(error instanceof ViolationError)) throw error
    const { violation } = error
    if (test.isolated) return end('failed', undefined, violation)
    const hook = hookResponse(violation)
    if (hook !== undefined) return { ...end('skipped', describeHook(hook, violation)), hook }
    const taken = describeTakenValue(violation, group, test)
    return taken === undefined ? end('failed', undefined, violation) : end('skipped', taken)
  } finally {
    await context.cleanUp()
  }
}

function describeHook({ status, error }: HookResponse, { exchange }: Violation): string {
  return `a hook responds to ${exchange?.request.method} ${exchange?.request.path} with ${status} ${JSON.stringify(error)}`
}

/** Describes a conflict with another user's value of a small `@unique` range; `undefined` if it cannot be one. */
function describeTakenValue({ exchange }: Violation, group: string, test: TestContext): string | undefined {
  if (exchange?.response.status !== 409) return undefined
  const resources = test.platform.services.flatMap((service) =>
    resourcesOf({ platform: test.platform, service, samples: test.samples }),
  )
  const resource = resources.find(({ label }) => label === group)
  if (!resource || test.feasibility(resource).capacity === Number.POSITIVE_INFINITY) return undefined
  return `another user holds a @unique value of ${resource.label}`
}

/** Deletes the entities that checks shared, the last first. Skips those that cannot be deleted. */
async function deleteSharedEntities(test: TestContext): Promise<void> {
  for (const sharedEntities of [...test.sharedEntities.values()].reverse()) {
    const created = await sharedEntities.catch(() => undefined)
    if (!created || !endpointOf(created.resource, 'delete')) continue
    const context = new CheckContext(test)
    try {
      await context.send({ method: 'DELETE', path: context.pathOf(created), as: created.user })
    } catch (error) {
      if (!(error instanceof ViolationError)) throw error
    }
  }
}
