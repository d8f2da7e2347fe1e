import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { readSteps, runSteps, type Step } from './console.ts'
import { removePlatform, WORK } from './example.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The tutorial, from an empty file to a running platform. */
export const TUTORIAL = join(ROOT, 'docs/tutorial.md')

/** A file that the reader writes. */
interface FileToWrite {
  readonly path: string
  readonly content: string
}

/** A command in the terminal that runs the platform. */
interface PlatformStep extends Step {
  readonly platform: true
}

type Action = FileToWrite | PlatformStep | Step

/** The result of a walkthrough. */
export interface Walkthrough {
  /** What each command printed, in the order of the page. */
  readonly printed: readonly string[]
  readonly directory: string
  /** Removes everything that the commands wrote. */
  remove(): void
}

const FENCE = /^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm

/**
 * The actions of a page, in order. A `console platform` block is the terminal that runs the platform, any other
 * `console` block a second one. A block with a path after its language is a file to write.
 */
export function readActions(markdown: string): Action[] {
  return [...markdown.matchAll(FENCE)].flatMap(([block, language, detail, content = '']): Action[] => {
    if (language === 'console') {
      return readSteps(block).map((step) => (detail === 'platform' ? { ...step, platform: true } : step))
    }
    return detail === undefined ? [] : [{ path: detail, content }]
  })
}

/** The commands of a page, in order. */
export function commandsOf(actions: readonly Action[]): Step[] {
  return actions.filter((action) => 'command' in action)
}

/** Follows the page, with the built command line and a gateway on a free port. */
export async function runWalkthrough(actions: readonly Action[]): Promise<Walkthrough> {
  execFileSync(process.execPath, [join(ROOT, 'scripts/ensure-built.mjs')], { stdio: 'ignore' })
  mkdirSync(WORK, { recursive: true })
  const directory = mkdtempSync(join(WORK, 'tutorial-'))
  const port = await freePort()
  const npx = join(directory, 'npx')
  writeFileSync(npx, shim(port))
  chmodSync(npx, 0o755)
  const scripts = actions.map((action) => ({ command: scriptOf(action), output: '' }))
  const steps = [
    { command: `export PATH="${directory}:$PATH"; trap stop_platform EXIT\n${FUNCTIONS}`, output: '' },
    ...scripts,
  ]
  const printed = await runSteps(steps, `localhost:${port}`, { cwd: directory, timeoutMs: 480_000 })
  return {
    printed: printed.slice(1).filter((_, index) => 'command' in (actions[index] ?? {})),
    directory,
    remove: () => removePlatform(directory),
  }
}

/** `npx portico`, which runs the clone's own command line and serves on another port than the page shows. */
function shim(port: number): string {
  const portico = `exec '${process.execPath}' '${join(ROOT, 'bin/portico.mjs')}' "$@"`
  return `#!/bin/sh\nshift\nif [ "$1" = dev ]; then set -- "$@" --port ${port}; fi\n${portico}\n`
}

const FUNCTIONS = `stop_platform() { if [ -n "$PLATFORM" ]; then kill $PLATFORM 2> /dev/null; wait $PLATFORM; fi; }
running() { kill -0 $PLATFORM 2> /dev/null; }
reloads() { grep -c Reloaded platform.txt; }`

function scriptOf(action: Action): string {
  if ('path' in action) {
    const { path, content } = action
    const write = `mkdir -p "$(dirname ${path})"; cat > ${path} <<'END_OF_FILE'\n${content}END_OF_FILE`
    // The running platform reloads a service whose code changes.
    if (!path.endsWith('.ts')) return write
    return `BEFORE=$(reloads)\n${write}\nwhile running && [ $(reloads) = $BEFORE ]; do sleep 0.2; done`
  }
  if (!('platform' in action)) return action.command
  // The shell begins to look before the platform empties the file of the one before it.
  return `stop_platform
: > platform.txt
${action.command} > platform.txt 2>&1 &
PLATFORM=$!
until grep -q ^GATEWAY_ENTRY= platform.txt || ! running; do sleep 0.2; done
cat platform.txt`
}

/** The text of the tutorial. */
export function readTutorial(): string {
  return readFileSync(TUTORIAL, 'utf8')
}
