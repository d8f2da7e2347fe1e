import { Agent, request } from 'undici'

/** The result of a load. */
export interface Outcome {
  readonly answered: number
  /** Unexpected responses: the status, or why there was none. */
  readonly failures: readonly string[]
}

/** A load that runs until it is stopped. */
export interface Load {
  /** Number of responses so far. */
  readonly answered: () => number
  readonly end: () => Promise<Outcome>
}

/** A request and its expected status. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  readonly status: number
}

/** Starts clients with persistent connections that send these requests in turn, one at a time each. */
export function startLoad(
  port: number,
  clients: number,
  requests: readonly LoadRequest[],
  headers: Readonly<Record<string, string>>,
): Load {
  const agent = new Agent({ connections: clients, pipelining: 1 })
  const failures: string[] = []
  const state = { on: true, answered: 0 }
  const client = async (first: number): Promise<void> => {
    for (let at = first; state.on; at++) {
      const { status, path, ...rest } = requests[at % requests.length] ?? {
        status: 0,
        path: '',
        method: 'GET',
      }
      try {
        const answer = await request(`http://127.0.0.1:${port}${path}`, {
          ...rest,
          headers,
          dispatcher: agent,
        })
        const text = await answer.body.text()
        if (answer.statusCode !== status) failures.push(`${rest.method} ${answer.statusCode} ${text}`)
      } catch (error) {
        failures.push(`${rest.method} ${String(error)}`)
      }
      state.answered += 1
    }
  }
  const running = Array.from({ length: clients }, (_, at) => client(at))
  return {
    answered: () => state.answered,
    end: async () => {
      state.on = false
      await Promise.all(running)
      await agent.destroy()
      return { answered: state.answered, failures }
    },
  }
}
