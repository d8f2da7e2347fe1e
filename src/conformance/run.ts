import type { Platform } from '../model/platform.ts'
import type { Check, Result, Summary, Target } from './check.ts'
import { Client } from './client.ts'
import { endpointOf, placesOf } from './place.ts'
import { type Shortfall, ShortfallError, SkipError } from './exchange.ts'
import { isObject, parseJson } from './json.ts'
import { Scope } from './scope.ts'
import { World } from './world.ts'

/** How many services are checked at once; the checks of one follow each other. */
const AT_ONCE = 6

/** Connections to the gateway: enough for the requests that race on purpose. */
const CONNECTIONS = 32

/** What a caller may want of a run. */
export interface RunOptions {
  /** Called with the results of a service's checks, in the order of derivation, as soon as it is done. */
  readonly onSequence?: (results: readonly Result[]) => void
  /** Ends the run after the requests that are under way; what was not checked is missing in the summary. */
  readonly signal?: AbortSignal
}

/**
 * Runs checks against a platform and gives all results in the order of the checks. Never throws for what a
 * platform does: no answer is a shortfall like any other.
 */
export async function runChecks(
  platform: Platform,
  checks: readonly Check[],
  target: Target,
  { onSequence, signal }: RunOptions = {},
): Promise<Summary> {
  const client = new Client(target.gateway, CONNECTIONS)
  const world = new World(platform, client, target)
  const results = new Map<Check, Result>()
  const sequences = [...Map.groupBy(checks, ({ sequence }) => sequence).values()]
  let next = 0
  const work = async (): Promise<void> => {
    for (let own = sequences[next++]; own; own = sequences[next++]) {
      for (const check of own) {
        if (signal?.aborted) return
        results.set(check, await runOne(check, world))
      }
      onSequence?.(own.flatMap((check) => results.get(check) ?? []))
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    if (!target.pristine) await clearStanding(world)
  } finally {
    await client.close()
  }
  return { results: checks.flatMap((check) => results.get(check) ?? []), requests: client.count }
}

async function runOne(check: Check, world: World): Promise<Result> {
  const { group, sentence } = check
  const end = (outcome: Result['outcome'], reason?: string, shortfall?: Shortfall): Result => ({
    group,
    sentence,
    outcome,
    reason,
    shortfall,
  })
  if (check.skip !== undefined) return end('skipped', check.skip)
  const scope = new Scope(world)
  try {
    await check.run(scope)
    return end('passed')
  } catch (error) {
    if (error instanceof SkipError) return end('skipped', error.message)
    if (!(error instanceof ShortfallError)) throw error
    const excuse = world.pristine
      ? undefined
      : (answerOfHook(error.shortfall) ?? valueOfOthers(error.shortfall, group, world))
    return excuse === undefined ? end('failed', undefined, error.shortfall) : end('skipped', excuse)
  } finally {
    await scope.tidy()
  }
}

/** Messages that generated code answers with. */
const GENERATED = new RegExp(
  `^(${[
    'Missing request parameter\\(s\\): ',
    'Invalid request (body|parameter \\w+): ',
    'Invalid (id: |email or password$)',
    'Unknown \\w+: ',
    'Duplicate \\w+ found$',
    '\\w+ (not found: |is still referenced$|is unavailable$)',
    '(Forbidden|Unauthorized|Not found|Method not allowed|Request body too large|auth already exists)$',
    'Internal server error$',
  ].join('|')})`,
)

/** What a hook of the user's said in place of the answer that was due; `undefined` where it was no hook. */
function answerOfHook({ exchange }: Shortfall): string | undefined {
  if (!exchange || exchange.answer.status < 400 || exchange.answer.status >= 500) return undefined
  const body = parseJson(exchange.answer.text)
  const error = isObject(body) ? body['error'] : undefined
  if (typeof error !== 'string' || GENERATED.test(error)) return undefined
  const { method, path } = exchange.request
  return `a hook answers ${method} ${path} with ${exchange.answer.status} ${JSON.stringify(error)}`
}

/** Whether somebody else may hold the value of a small @unique range that a check needed. */
function valueOfOthers({ exchange }: Shortfall, group: string, world: World): string | undefined {
  if (exchange?.answer.status !== 409) return undefined
  const places = world.platform.services.flatMap(placesOf)
  const place = places.find(({ label }) => label === group)
  if (!place || world.feasible(place).capacity === Number.POSITIVE_INFINITY) return undefined
  return `somebody else holds a @unique value of ${place.label}`
}

/** Deletes what references of several checks shared, the latest first, as far as it can be deleted. */
async function clearStanding(world: World): Promise<void> {
  for (const standing of [...world.standing.values()].reverse()) {
    const made = await standing.catch(() => undefined)
    if (!made || !endpointOf(made.place, 'delete')) continue
    const scope = new Scope(world)
    try {
      await scope.send({ method: 'DELETE', path: scope.pathOf(made), as: made.by })
    } catch (error) {
      if (!(error instanceof ShortfallError)) throw error
    }
  }
}
