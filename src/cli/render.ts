import type { Diagnostic, Range } from '../diagnostics/diagnostic.ts'
import type { Colors } from './context.ts'
export function renderDiagnostic(d: Diagnostic, _text: string, name: string, _colors: Colors): string {
  const at = (r: Range): string => `${name}:${r.start.line}:${r.start.column}`
  return `${d.severity}[${d.code}]: ${d.message}\n  ${at(d.range)}`
}
