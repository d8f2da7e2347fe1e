import type { ProcessIO } from './context.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { VERSION } from './version.ts'

const argv = process.argv.slice(2)
/** The error of writing to standard output or standard error, unless the reader has closed the pipe. */
let unwritable: NodeJS.ErrnoException | undefined
for (const stream of [process.stdout, process.stderr]) stream.on('error', noteFailedWrite)

if (argv.length === 1 && argv[0] === '--version') {
  // Scripts ask for it often, so nothing is loaded for it.
  process.stdout.write(`${VERSION}\n`)
  await end(EXIT.success)
} else {
  const { runProgram } = await import('./program.ts')
  const onError = async (error: unknown): Promise<void> => await end(await report(error))
  process.on('uncaughtException', (error) => void onError(error))
  process.on('unhandledRejection', (error) => void onError(error))
  await end(await run(runProgram))
}

async function run(
  runProgram: (words: readonly string[], io: ProcessIO) => Promise<ExitStatus>,
): Promise<ExitStatus> {
  try {
    process.cwd()
  } catch {
    process.stderr.write('error: The working directory no longer exists\nhelp: change to another directory\n')
    return EXIT.environment
  }
  return await runProgram(argv, processIO())
}

/** A closed pipe (`portico explain | head`) is not an error: the command runs to its end. */
function noteFailedWrite(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') unwritable ??= error
}

/** Ends the process after all output is written, even if something is still open. */
async function end(status: ExitStatus): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.writableLength > 0) await new Promise((resolve) => stream.write('', resolve))
  }
  // A stream reports an error one turn later.
  await new Promise((resolve) => setImmediate(resolve))
  process.exit(unwritable === undefined ? status : await report(unwritable))
}

async function report(error: unknown): Promise<ExitStatus> {
  const { colorsFor } = await import('./colors.ts')
  const { reportError } = await import('./command-error.ts')
  const { escapeControls } = await import('./terminal-text.ts')
  const { stderr, env } = process
  const colors = colorsFor('auto', stderr.isTTY, env)
  return reportError(error, {
    env,
    colors,
    report: (line) => void stderr.write(`${escapeControls(line, colors.isColorSupported)}\n`),
  })
}

function processIO(): ProcessIO {
  let controller: AbortController | undefined
  return {
    cwd: process.cwd(),
    env: process.env,
    // Node opens standard input on first access, which most commands never need.
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
