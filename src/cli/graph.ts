import { diagram } from '../emit/diagram/diagram.ts'
import { diagramMermaid } from '../emit/diagram/mermaid.ts'
import type { Theme } from '../emit/diagram/style.ts'
import { diagramSvg } from '../emit/diagram/svg.ts'
import type { RunCommand } from './command.ts'
import { compileDefinition } from './definition.ts'
import { EXIT } from './exit-status.ts'
import { usageError } from './command-error.ts'

/** `portico graph`: prints the services, structs and references of a definition as a diagram. */
export const run: RunCommand = async (invocation, context) => {
  const isSvg = invocation.text('format') === 'svg'
  const theme = invocation.text('theme') as Theme | undefined
  if (theme !== undefined && !isSvg)
    throw usageError('`--theme` requires `--format svg`', 'a Mermaid diagram uses the colors of its page')
  const platform = await compileDefinition(invocation, context)
  if (platform === undefined) return EXIT.failed
  const text = isSvg
    ? diagramSvg(diagram(platform), theme === undefined ? {} : { theme })
    : diagramMermaid(platform)
  context.stdout.write(`${text.trimEnd()}\n`)
  return EXIT.success
}
