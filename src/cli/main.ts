import type { Surroundings } from './context.ts'
import { VERSION } from './version.ts'

const argv = process.argv.slice(2)
for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreBrokenPipe)

if (argv.length === 1 && argv[0] === '--version') {
  // Asked by scripts and prompts: answered without loading anything.
  process.stdout.write(`${VERSION}\n`)
} else {
  const { runProgram } = await import('./program.ts')
  const surroundings = processSurroundings()
  const onFault = async (error: unknown): Promise<void> => {
    const { createContext } = await import('./context.ts')
    const { reportError } = await import('./report-error.ts')
    const context = createContext(surroundings, { color: 'auto', quiet: false, yes: false })
    await end(reportError(error, context))
  }
  process.on('uncaughtException', (error) => void onFault(error))
  process.on('unhandledRejection', (error) => void onFault(error))
  await end(await runProgram(argv, surroundings))
}

/** A reader that went away (`portico explain | head`) is no fault; what is under way is finished. */
function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error
}

/** Ends the process when what was written has left it. Whatever a command forgot to close does not hold it up. */
async function end(status: number): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.writableLength > 0) await new Promise((resolve) => stream.write('', resolve))
  }
  process.exit(status)
}

function processSurroundings(): Surroundings {
  let controller: AbortController | undefined
  return {
    cwd: process.cwd(),
    env: process.env,
    // Node opens standard input when it is first looked at, which most commands never do.
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    get signal() {
      if (controller === undefined) {
        const aborted = new AbortController()
        controller = aborted
        for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
          process.on(name, () => aborted.abort(name))
      }
      return controller.signal
    },
  }
}
