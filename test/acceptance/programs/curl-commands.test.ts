import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import type { Platform } from '../../../src/model/platform.ts'
import { startTestPlatform } from '../../conformance/platform.ts'

const STAYS = readFileSync(join(import.meta.dirname, '../../../examples/stays/stays.portico'), 'utf8')

/** References forwards, backwards, to siblings and to the own parent; bounds; names of the shell's. */
const CROSSING = `
Crossing: project {}
Path: service {
  status: string(5000, 4000);
  UID: struct { path: Path; path2: Late; step: Step; #enumerable; }
  Step: struct { rank: int(9, 5) @unique; at: time; image: data(3); }
  #enumerable;
}
Early: service { late: Late; ok: bool; rate: float(0.5); day: date; when: datetime; }
Late: service { name: string(3); }
`

/** Nothing can be created here but by a hook. */
const READ_ONLY = `
Records: project {}
Record: service { name: string; #omit[create]; }
`

interface Sent {
  readonly command: string
  readonly status: number
}

/** Runs the \`sh\` blocks of a README's endpoints in one shell; gives the status of every request. */
async function runReadme(platform: Platform, gateway: string, shell: string): Promise<Sent[]> {
  const readme = emitProject(platform).find(({ path }) => path === 'README.md')?.content ?? ''
  const [, endpoints = ''] = readme.split('\n## API\n')
  const blocks = [...endpoints.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  const directory = await mkdtemp(join(tmpdir(), 'portico-readme-'))
  try {
    const log = join(directory, 'log')
    // The real curl, which also notes what was answered.
    const noting = `curl() { command curl "$@" -w '%{stderr}%{http_code} %{method} %{urle.path}\\n' 2>>'${log}'; }`
    await writeFile(join(directory, 'script'), [noting, `GATEWAY_ENTRY=${gateway}`, ...blocks, ''].join('\n'))
    await new Promise((resolve) => {
      execFile(shell, [join(directory, 'script')], { timeout: 60_000 }, resolve)
    })
    const lines = (await readFile(log, 'utf8')).split('\n')
    return lines.flatMap((line) => {
      const [, status, command = ''] = /^(\d{3}) (.*)$/.exec(line) ?? []
      return status === undefined ? [] : [{ command, status: Number(status) }]
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** The README also shows one filter of each list that has any. */
function requestCount({ authentication, services }: Platform): number {
  const own = services.flatMap(({ entity, structs }) => [entity, ...structs])
  const custom = services.flatMap(({ customEndpoints }) => customEndpoints)
  return own.reduce(
    (sum, { endpoints, criteria }) => sum + endpoints.length + (criteria === undefined ? 0 : 1),
    custom.length + (authentication === undefined ? 0 : 2),
  )
}

describe('the commands in the README of a project', () => {
  it.each([
    ['with users', STAYS, 'bash'],
    ['with references in every direction', CROSSING, 'sh'],
  ])('work from top to bottom %s, and reach every endpoint', async (_, text, shell) => {
    const running = await startTestPlatform(text)
    try {
      const sent = await runReadme(running.platform, running.target.gateway, shell)
      // Endpoints of the definition answer 501 until their handlers are written.
      const failed = sent.filter(({ status }) => status < 200 || (status >= 400 && status !== 501))
      expect(failed).toEqual([])
      expect(sent).toHaveLength(requestCount(running.platform))
    } finally {
      await running.stop()
    }
  })

  it('mark ids that no request can create', async () => {
    const running = await startTestPlatform(READ_ONLY)
    try {
      const sent = await runReadme(running.platform, running.target.gateway, 'sh')
      expect(sent.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    } finally {
      await running.stop()
    }
  })
})
