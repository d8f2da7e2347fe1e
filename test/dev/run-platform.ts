import { rmSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
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
  /** Waits for an event from now on, or among those that came already. */
  event<Kind extends PlatformEvent['kind']>(
    kind: Kind,
    isIt?: (event: PlatformEvent & { kind: Kind }) => boolean,
  ): Promise<PlatformEvent & { kind: Kind }>
  /** Where the database's files are: elsewhere when its account cannot reach the output directory. */
  dataDirectory(): Promise<string>
  /** Ends what runs and removes everything. */
  close(): Promise<void>
}

/** An empty workplace with a definition. */
export async function createWorkplace(text: string): Promise<Workplace> {
  const directory = await mkdtemp(path.join(tmpdir(), 'portico-dev-'))
  // The database's account has to get in: else its files would lie elsewhere, and stay.
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
    define: (next) => writeFile(definition, next),
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
      // A thread that ends late may still write to its cache of compiled code.
      await rm(directory, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** An answer of a platform: its status and its body. */
export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** A request to a platform as a client makes it. */
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

/** Tries until it holds. The test's own time is the limit. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20))
}
