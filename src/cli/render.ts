import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { renderDiagnostic as render } from '../diagnostics/render.ts'
import type { Colors } from './context.ts'

/** A diagnostic as a terminal shows it: `name` is what the definition is called. */
export function renderDiagnostic(diagnostic: Diagnostic, text: string, name: string, colors: Colors): string {
  const severities = { error: colors.red, warning: colors.yellow, hint: colors.cyan } as const
  return render(diagnostic, text, name, {
    severity: (severity, part) => colors.bold(severities[severity](part)),
    message: colors.bold,
    margin: colors.dim,
    related: colors.blue,
  })
}
