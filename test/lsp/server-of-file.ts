import { afterAll, expect } from 'vitest'
import { type Client, type Start, startServer } from './harness.ts'

/** A server for all tests of a file, which ends without complaints. */
export async function serverOfFile(start?: Start): Promise<Client> {
  const client = await startServer(start)
  afterAll(async () => {
    expect(await client.stop()).toBe(0)
    expect(client.complaints).toEqual([])
  })
  return client
}
