import { array, asyncProperty, boolean, check, nat, noBias, record } from 'fast-check'
import { expect, test } from 'vitest'
import { definition, edits } from '../../emit/migrations/walk-edits.ts'
import { describeWalk, Walker } from '../../emit/migrations/walk.ts'
import { freshDatabase, type TestDatabase } from '../../postgres.ts'

/** `PORTICO_WALK_SEED=<seed>` repeats a run. */
const SEED = Number(process.env['PORTICO_WALK_SEED'] ?? Math.trunc(Math.random() * 2 ** 31))

const walks = noBias(
  record({
    start: definition,
    steps: array(record({ edits, isFitting: nat(3).map((n) => n > 0), waits: boolean() }), {
      minLength: 1,
      maxLength: 3,
    }),
    salt: nat(30),
  }),
)

test(`random changes lead to the schema of the definition, and keep what they should (seed ${SEED})`, async () => {
  const both = [await database(), await database()] as const
  const walker = new Walker(...both)
  try {
    const { failed, counterexample, errorInstance } = await check(
      asyncProperty(walks, (walk) => walker.run(walk)),
      { seed: SEED, numRuns: 100 },
    )
    if (failed && counterexample !== null) {
      const [walk] = counterexample
      throw new Error(`Seed ${SEED}:\n${describeWalk(walk)}\n\n${JSON.stringify(walk)}`, {
        cause: errorInstance,
      })
    }
    expect(walker.changes).toBeGreaterThan(100)
  } finally {
    await Promise.all(both.map((each) => each.drop()))
  }
}, 600_000)

/** Conversions of moments to text depend on the time zone. */
async function database(): Promise<TestDatabase> {
  const made = await freshDatabase()
  await made.sql.unsafe(`ALTER ROLE ${made.name} SET timezone TO 'UTC'`)
  return made
}
