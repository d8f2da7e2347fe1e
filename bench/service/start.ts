import { type Figure, median, round } from '../figures.ts'
import { runNode } from '../processes.ts'
import { measuredPlatform } from './platform.ts'

const ROUNDS = 15

/** Compares the start of a service, until it is ready, with the start of Node. */
export async function measureStart(): Promise<Figure[]> {
  const platform = await measuredPlatform()
  try {
    const node: number[] = []
    const service: number[] = []
    for (let turn = 0; turn <= ROUNDS; turn++) {
      const times = [(await runNode(['-e', '0'])).ms, await platform.startTime('thing')] as const
      // The first round fills the caches of the file system.
      if (turn === 0) continue
      node.push(times[0])
      service.push(times[1])
    }
    return [
      {
        what: 'start of a service until it is ready',
        value: median(service) / median(node),
        unit: 'x',
        must: { atMost: 18 },
        detail: `${round(median(service))} ms, compared with ${round(median(node))} ms of node -e 0`,
      },
    ]
  } finally {
    await platform.stop()
  }
}
