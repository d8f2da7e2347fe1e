// The command `generate` with a question, which no target of ours has yet:
// `node generate-with-question.ts <definition> [--module <name>] [--yes]`.
import { parseArgs } from 'node:util'
import type { Invocation } from '../../src/cli/command.ts'
import { createContext } from '../../src/cli/context.ts'
import { generate } from '../../src/cli/generate.ts'
import { reportError } from '../../src/cli/report-error.ts'
import { MODULE } from './module-question.ts'

const { values, positionals } = parseArgs({
  options: { module: { type: 'string' }, yes: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const invocation: Invocation = {
  operands: positionals,
  flag: () => false,
  text: (name) => (name === 'module' ? values.module : undefined),
  integer: () => undefined,
}
const { stdin, stdout, stderr, env } = process
const context = createContext(
  { cwd: process.cwd(), env, stdin, stdout, stderr, signal: new AbortController().signal },
  { color: 'never', quiet: false, yes: values.yes },
)
try {
  process.exitCode = await generate(invocation, context, () => [MODULE])
} catch (error) {
  process.exitCode = reportError(error, context)
}
