import { type Figure, median, round } from '../figures.ts'
import { runNode } from '../processes.ts'
import { measuredPlatform } from './platform.ts'

const ROUNDS = 15

/** Compares the start of a service, until it is ready, with the start of Node; in Go, measures it. */
export async function measureStart(): Promise<Figure[]> {
  const platform = await measuredPlatform({ go: true })
  try {
    const node: number[] = []
    const typescript: number[] = []
    const go: number[] = []
    for (let turn = 0; turn <= ROUNDS; turn++) {
      const times = [
        (await runNode(['-e', '0'])).ms,
        await platform.startTime('thing', 'typescript'),
        await platform.startTime('thing', 'go'),
      ] as const
      // The first round fills the caches of the file system.
      if (turn === 0) continue
      node.push(times[0])
      typescript.push(times[1])
      go.push(times[2])
    }
    return [
      {
        what: 'start of a service until it is ready',
        value: median(typescript) / median(node),
        unit: 'x',
        must: { atMost: 18 },
        detail: `${round(median(typescript))} ms, compared with ${round(median(node))} ms of node -e 0`,
      },
      {
        what: 'start of a service in Go until it is ready',
        value: median(go),
        unit: 'ms',
        must: { atMost: 100 },
        detail: `from ${round(Math.min(...go))} to ${round(Math.max(...go))} ms`,
      },
    ]
  } finally {
    await platform.stop()
  }
}
