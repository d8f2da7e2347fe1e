import { rmSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import type { PlatformEvent } from '../../src/dev/events.ts'
import { type EmbeddedPlatform, type PlatformOptions, startPlatform } from '../../src/dev/platform.ts'

/** A definition in a directory of its own, and the platforms that run it. */
export interface Workplace {
  readonly directory: string
  readonly definition: string
  readonly output: string
  readonly events: PlatformEvent[]
  define(text: string): Promise<void>
  /** Replaces the setup file of a service. */
  setUp(service: string, body: string): Promise<void>
  start(options?: Partial<PlatformOptions>): Promise<EmbeddedPlatform>
  /** Returns the first matching event, among past ones too. */
  event<Kind extends PlatformEvent['kind']>(
    kind: Kind,
    isIt?: (event: PlatformEvent & { kind: Kind }) => boolean,
  ): Promise<PlatformEvent & { kind: Kind }>
  /** The data directory: another one if the database's account cannot reach the output directory. */
  dataDirectory(): Promise<string>
  /** Stops all platforms and removes all files. */
  close(): Promise<void>
}

/** Creates a temporary directory with a definition. */
export async function createWorkplace(text: string): Promise<Workplace> {
  const directory = await mkdtemp(path.join(tmpdir(), 'portico-dev-'))
  // The database's account must be able to enter, so that its files are inside.
  await chmod(directory, 0o711)
  const definition = path.join(directory, 'test.portico')
  const output = path.join(directory, 'out')
  const events: PlatformEvent[] = []
  const platforms: EmbeddedPlatform[] = []
  await writeFile(definition, text)

  async function dataDirectory(): Promise<string> {
    const usual = path.join(output, '.portico/dev/postgres')
    const note = await readFile(`${usual}.location`, 'utf8').catch(() => undefined)
    return note === undefined ? usual : note.trim()
  }

  return {
    dataDirectory,
    directory,
    definition,
    output,
    events,
    define: async (next) => {
      // A reader never meets half of it.
      await writeFile(`${definition}~`, next)
      await rename(`${definition}~`, definition)
    },
    setUp: (service, body) =>
      writeFile(
        path.join(output, service, 'src/setup.ts'),
        `import { type Env, HookError, type Router } from './hooks.ts'\n\nexport default async function setup(env: Env, router: Router) {\n  void [env, router, HookError]\n${body}\n}\n`,
      ),
    start: async (options = {}) => {
      const onEvent = (event: PlatformEvent): void => void events.push(event)
      const platform = await startPlatform({ definition, output, onEvent, ...options })
      platforms.push(platform)
      return platform
    },
    event: async (kind, isIt = () => true) => {
      for (;;) {
        const found = events.find(
          (event): event is Extract<PlatformEvent, { kind: typeof kind }> =>
            event.kind === kind && isIt(event as PlatformEvent & { kind: typeof kind }),
        )
        if (found !== undefined) return found
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    close: async () => {
      for (const platform of platforms) await platform.stop()
      rmSync(await dataDirectory(), { recursive: true, force: true })
      // A thread that ends late may still write to the compile cache.
      await rm(directory, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** A response of a platform. */
export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Sends a request to a platform. */
export async function call(
  { gateway }: { readonly gateway: string },
  method: string,
  route: string,
  { body, token }: { body?: unknown; token?: string } = {},
): Promise<Answer> {
  const response = await fetch(`http://${gateway}${route}`, {
    method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'manual',
  })
  const text = await response.text()
  return {
    status: response.status,
    body: text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : { text },
  }
}

/** A definition without users. */
export const NOTES = 'Tiny: project {}\nNote: service { text: string(100); #enumerable; }\n'

/** A definition with users, whose orders refer to them. */
export const SHOP = `Shop: project { #authMethod(email); }
Customer: service { name: string; #auth; #readable(by: all); }
Order: service { customer: Customer; total: int; #enumerable; }
`

/** Registers a user and returns their token. */
export async function register(platform: { gateway: string }, email = 'a@example.com'): Promise<string> {
  const body = { email, password: 'long enough' }
  const registered = await call(platform, 'POST', '/api/auth/register', { body })
  expect(registered.status).toBe(201)
  return String(registered.body['AccessToken'])
}

/** Waits until the condition holds. The test's timeout is the limit. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20))
}
