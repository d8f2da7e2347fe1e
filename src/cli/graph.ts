import { compile } from '../compile.ts'
import { diagram } from '../emit/diagram/diagram.ts'
import { diagramMermaid } from '../emit/diagram/mermaid.ts'
import type { Theme } from '../emit/diagram/style.ts'
import { diagramSvg } from '../emit/diagram/svg.ts'
import type { RunCommand } from './command.ts'
import { readDefinition } from './definition.ts'
import { EXIT } from './exit-status.ts'
import { usageFailure } from './failure.ts'
import { countDiagnostics, reportDiagnostics } from './report.ts'

/** `portico graph`: the services, structs and references of a definition as a diagram, on standard output. */
export const run: RunCommand = async (invocation, context) => {
  const isSvg = invocation.text('format') === 'svg'
  const theme = invocation.text('theme') as Theme | undefined
  if (theme !== undefined && !isSvg)
    throw usageFailure('`--theme` is for SVG: add `--format svg`. Mermaid takes the colours of its page.')
  const definition = await readDefinition(invocation.operands[0] ?? '', context)
  const { diagnostics, platform } = compile(definition.text)
  reportDiagnostics({ definition, diagnostics }, context)
  if (platform === undefined) {
    context.report(`${definition.name}: ${countDiagnostics(diagnostics)}`)
    return EXIT.failed
  }
  const text = isSvg
    ? diagramSvg(diagram(platform), theme === undefined ? {} : { theme })
    : diagramMermaid(platform)
  context.print(text.trimEnd())
  return EXIT.done
}
