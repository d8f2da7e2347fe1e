import { type Definition, isProject } from '../generated/ast.ts'
import { kindSpan, nameSpan, spanOf } from '../nodes.ts'
import type { Span } from '../raw-diagnostic.ts'
import { suggestedKind } from './block.ts'
import type { ValidationContext } from './context.ts'
import { isBeingWritten } from './head.ts'

/** A definition has exactly one project and at least one service. */
export function checkBlocksPresent(definition: Definition, context: ValidationContext): void {
  const { project, services, blocks } = context.index
  // For text without any block, the syntax errors are sufficient.
  if (context.hasSyntaxErrors && blocks.length === 0) return
  const start: Span = { start: 0, end: 0 }
  const file = project && context.result.fileAt(spanOf(project).start)
  if (project === undefined && !mayBe('project', context))
    context.report('missing-project', start, 'Missing `project` block', {
      help: 'add one, for example `MyProject: project {}`, or pass the file that imports this one',
    })
  else if (file !== undefined && file !== context.result.mainFile)
    context.report('missing-project', start, 'This file does not have the `project` block', {
      help: `it is in \`${file.path}\`; pass that file to commands`,
    })
  if (services.length === 0 && !context.hasFailedImport && !mayBe('service', context))
    context.report(
      'missing-service',
      project === undefined ? start : nameSpan(project),
      'Missing `service` block',
      { help: 'add one, for example `Item: service {}`' },
    )
  for (const second of definition.members.filter(isProject).filter((block) => block !== project)) {
    context.report('second-project', nameSpan(second), 'Only one `project` is allowed', {
      help: 'move its metadata into the first project and remove this one',
      ...(project === undefined
        ? {}
        : { related: [{ ...nameSpan(project), message: 'first declared here' }] }),
    })
  }
}

/** Whether a block of this kind may be misspelled, or lost to a syntax error. */
function mayBe(kind: string, context: ValidationContext): boolean {
  if (context.isLostWord(kind) || isBeingWritten(kind, context.definition, context)) return true
  return context.index.blocks.some(
    (block) =>
      kindSpan(block) === undefined ||
      (block.$type === 'UnknownBlock' && suggestedKind(block, context) === kind),
  )
}
