import { expect, test } from 'vitest'
import type { Deployment } from './deployment.ts'

interface Line {
  readonly service: string
  readonly message: string
  readonly method?: string
  readonly path?: string
  readonly requestId?: string
}

/** What is written about requests, and where it is found. */
export function logs(small: () => Deployment): void {
  async function linesOf(service: string): Promise<Line[]> {
    const { stdout } = await small().script('logs', service, '--no-log-prefix')
    return stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line)
  }

  test('the logs of the gateway and the service have a request under the same id', async () => {
    const path = `/api/auth/login?password=secret-in-the-query`
    const answer = await fetch(`http://${small().gateway}${path}`, { method: 'POST', body: '{}' })
    expect(answer.status).toBe(400)
    const isRequest = ({ message, method }: Line): boolean => message === 'request' && method === 'POST'
    await expect.poll(async () => (await linesOf('gateway')).find(isRequest)?.path).toBe('/api/auth/login')
    const passed = (await linesOf('gateway')).find(isRequest)
    const served = (await linesOf('auth')).find(isRequest)
    expect(passed?.requestId).toMatch(/^[\w-]{36}$/)
    expect(served).toMatchObject({ service: 'auth', path: '/auth/login', requestId: passed?.requestId })
  })
}
