import posix from 'path-browserify'
import { listed } from '../../naming.ts'
import type { Definition } from '../generated/ast.ts'
import { DEFINITION_FILE, isRelative, type ResolvedImport, writtenPath } from '../imports.ts'
import { propertySpan, spanOf } from '../nodes.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { printable, quote } from '../quote.ts'
import type { Span } from '../raw-diagnostic.ts'
import { type ValidationContext, type DiagnosticDetails, withReplacement } from './context.ts'

/** Imports are at the top of their file, and each names another file of the folder, once. */
export function checkImports(_definition: Definition, context: ValidationContext): void {
  for (const found of context.result.imports) {
    checkPath(found, context)
    checkPlace(found, context)
  }
}

/** Longer cycles are truncated in the message. */
const LONGEST_CIRCLE = 8

/** The path of an import with its quotes. */
function pathSpan({ node }: ResolvedImport): Span {
  return propertySpan(node, 'path') ?? spanOf(node)
}

function checkPath(found: ResolvedImport, context: ValidationContext): void {
  const { node, path, failure, similar, circle, earlier } = found
  const span = pathSpan(found)
  const written = writtenPath(node)
  if (path === undefined) {
    const [message, extra] = invalidPath(written)
    context.report('invalid-import', span, message, extra)
  } else if (failure !== undefined && failure.reason === undefined) {
    context.report(
      'invalid-import',
      span,
      `${quote(written)} is a link to a file outside the folder of the definition`,
      {
        help: 'move the file that it links to into the folder',
      },
    )
  } else if (failure !== undefined) {
    const from = context.result.fileAt(span.start).path
    const meant = similar === undefined ? undefined : posix.relative(`/${posix.dirname(from)}`, `/${similar}`)
    context.report('unreadable-import', span, `Could not read ${quote(written)}: ${failure.reason}`, {
      help: 'the path is relative to the file with the import',
      ...(meant === undefined
        ? {}
        : { help: `did you mean ${quote(meant)}?`, ...withReplacement(JSON.stringify(meant)) }),
    })
  } else if (earlier !== undefined) {
    context.report('redundant-import', spanOf(node), `${quote(written)} is already imported`, {
      help: 'remove this import',
      related: [{ ...spanOf(earlier), message: 'first imported here' }],
    })
  } else if (circle.length === 1) {
    context.report('redundant-import', spanOf(node), 'A file does not need to import itself', {
      help: 'remove this import',
    })
  } else if (circle.length > 1) {
    const shown = circle.length > LONGEST_CIRCLE ? [...circle.slice(0, LONGEST_CIRCLE), '…'] : circle
    context.report(
      'redundant-import',
      spanOf(node),
      `Circular import: ${[...shown, path].map((file) => printable(posix.basename(file))).join(' → ')}`,
      { help: 'every file of a definition sees all others; remove this import' },
    )
  }
}

function invalidPath(written: string): [message: string, extra: DiagnosticDetails] {
  const path = quote(written)
  if (written.includes('\\')) {
    const slashes = written.replaceAll('\\', '/')
    return [
      `${path} contains a \`\\\``,
      { help: 'use `/`, on Windows too', ...withReplacement(JSON.stringify(slashes)) },
    ]
  }
  if (!isRelative(written))
    return [
      `${path} is not a relative path`,
      { help: 'write it relative to this file, as in `"hosts.portico"`' },
    ]
  if (!DEFINITION_FILE.test(written)) {
    const named = `${written}.portico`
    return [
      `${path} is not the name of a definition file`,
      /[\w-]$/.test(written) && posix.extname(written) === ''
        ? { help: `use \`${named}\``, ...withReplacement(JSON.stringify(named)) }
        : {
            help: `names of definition files end in ${listed(['.portico', '.temple', '.templefile'], 'or')}`,
          },
    ]
  }
  return [
    `${path} is outside the folder of the definition`,
    { help: 'move the file into the folder of the file with the project, or below it' },
  ]
}

function checkPlace({ node }: ResolvedImport, context: ValidationContext): void {
  const span = spanOf(node)
  const file = context.result.fileAt(span.start)
  // The first lines of a file may be an import that is not complete yet.
  const first = context.definition.members.find(
    (member) => spanOf(member).start >= file.start && !hasParseError(member),
  )
  if (first !== undefined && spanOf(first).start < span.start)
    context.report('misplaced-import', span, 'Imports belong at the top of the file', {
      help: 'move it before the first block',
    })
}
