import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TestGateway } from './gateway.ts'
import { get } from './raw.ts'
import { tokenOf } from './tokens.ts'

/** The shares of connections that are silent, and that send headers or a body byte by byte. */
const SHARES = { silent: 0.3, headers: 0.5, bodies: 0.2 } as const
const NORMAL_REQUESTS = 400
const AT_A_TIME = 4

/** Connections that stay open as long as possible. */
export function slowAttacks(gateway: () => TestGateway, connections: number): void {
  test(`with ${connections} slow connections other requests succeed, and those that send headers are closed`, async () => {
    const { port, credentials } = gateway()
    const token = tokenOf(credentials[0])
    const counts = [SHARES.silent, SHARES.headers, SHARES.bodies].map((share) => share * connections)
    const program = join(import.meta.dirname, 'slow-clients.ts')
    const slow = spawn(process.execPath, [program, ...[port, token, ...counts].map(String)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    try {
      const ended = said(slow, 'ended')
      await said(slow, 'open')
      const answers: number[] = []
      const client = async (): Promise<void> => {
        for (let at = 0; at < NORMAL_REQUESTS / AT_A_TIME; at++)
          answers.push((await get(port, '/api/home/x', [`Authorization: Bearer ${token}`])).status)
      }
      await Promise.all(Array.from({ length: AT_A_TIME }, client))
      expect(answers).toEqual(Array.from({ length: NORMAL_REQUESTS }, () => 200))
      await ended
      expect((await get(port, '/api/auth/x')).status).toBe(200)
    } finally {
      const gone = new Promise((resolve) => slow.once('close', resolve))
      slow.kill('SIGKILL')
      await gone
    }
  }, 120_000)
}

/** Resolves when the process has written the word. Rejects if it ends before that. */
function said(child: ChildProcess, word: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes(`${word}\n`)) resolve()
    })
    child.once('close', () => reject(new Error(`The slow clients ended before they said ${word}`)))
  })
}
