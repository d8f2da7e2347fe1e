import type { Surroundings } from './context.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { VERSION } from './version.ts'

const argv = process.argv.slice(2)
/** Why standard output or error could not be written, other than that its reader went away. */
let unwritable: NodeJS.ErrnoException | undefined
for (const stream of [process.stdout, process.stderr]) stream.on('error', noteFailedWrite)

if (argv.length === 1 && argv[0] === '--version') {
  // Asked by scripts: answered without loading anything.
  process.stdout.write(`${VERSION}\n`)
  await end(EXIT.done)
} else {
  const { runProgram } = await import('./program.ts')
  const onFault = async (error: unknown): Promise<void> => await end(await report(error))
  process.on('uncaughtException', (error) => void onFault(error))
  process.on('unhandledRejection', (error) => void onFault(error))
  await end(await run(runProgram))
}

async function run(
  runProgram: (words: readonly string[], surroundings: Surroundings) => Promise<ExitStatus>,
): Promise<ExitStatus> {
  try {
    process.cwd()
  } catch {
    process.stderr.write('error: The working directory is gone. Change to one that exists.\n')
    return EXIT.surroundings
  }
  return await runProgram(argv, processSurroundings())
}

/** A reader that went away (`portico explain | head`) is no fault; what is under way is finished. */
function noteFailedWrite(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') unwritable ??= error
}

/** Ends the process when what was written has left it. Whatever a command forgot to close does not hold it up. */
async function end(status: ExitStatus): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.writableLength > 0) await new Promise((resolve) => stream.write('', resolve))
  }
  // A stream tells of its failure one turn later.
  await new Promise((resolve) => setImmediate(resolve))
  process.exit(unwritable === undefined ? status : await report(unwritable))
}

async function report(error: unknown): Promise<ExitStatus> {
  const { colorsFor } = await import('./colors.ts')
  const { reportError } = await import('./report-error.ts')
  const { stderr, env } = process
  return reportError(error, {
    env,
    colors: colorsFor('auto', stderr.isTTY, env),
    report: (line) => void stderr.write(`${line}\n`),
  })
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
