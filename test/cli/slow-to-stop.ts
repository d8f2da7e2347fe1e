import { setTimeout as delay } from 'node:timers/promises'
import { createContext } from '../../src/cli/context.ts'

// A command that takes a moment to stop when it is told to, with a step under way.
const aborted = new AbortController()
process.on('SIGINT', () => aborted.abort())
const { stdin, stdout, stderr } = process
const context = createContext(
  { cwd: '/', env: {}, stdin, stdout, stderr, signal: aborted.signal },
  { color: 'auto', quiet: false, yes: false },
)
const step = context.step('Working')
const living = setInterval(() => {}, 1000)
context.signal.addEventListener('abort', () => void stop())

async function stop(): Promise<void> {
  await delay(100)
  step.done('Stopped')
  clearInterval(living)
}
