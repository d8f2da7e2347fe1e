import { Agent, request } from 'undici'

/** What became of the requests of a load. */
export interface Outcome {
  readonly answered: number
  /** Every request that was not answered as expected: its status, or why there was none. */
  readonly failures: readonly string[]
}

/** A load that runs until it is ended. */
export interface Load {
  /** How many requests were answered so far. */
  readonly answered: () => number
  readonly end: () => Promise<Outcome>
}

/** One request and the status that it has to give. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  readonly status: number
}

/** Clients on kept connections that each send one request after the other, in turn those given. */
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
