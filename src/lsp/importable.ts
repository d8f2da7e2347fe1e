import posix from 'path-browserify'
import { type LangiumDocument, type LangiumDocuments, UriUtils } from 'langium'
import { declarationSpan, type Edit, inserting, lineEndOf } from '../language/fixes/edits.ts'
import { isService } from '../language/generated/ast.ts'
import { spanOf } from '../language/nodes.ts'
import { DefinitionParseResult } from '../language/parse-result.ts'
import { definitionIndex } from '../language/validation/definition-index.ts'
import type { DocumentView } from './definition-view.ts'
import { parseResultOf } from './parsed-document.ts'

/** A file that a document can import. */
export interface ImportableFile {
  readonly document: LangiumDocument
  /** Its path, relative to the document. */
  readonly path: string
}

/** The files in the folder of a definition and below that the definition does not have yet, in the order of paths. */
export function importableFiles(
  { definition, document }: DocumentView,
  documents: LangiumDocuments,
): readonly ImportableFile[] {
  const folder = UriUtils.dirname(document.uri)
  const root = UriUtils.dirname(definition.main.uri)
  return documents.all
    .filter(({ uri, parseResult }) => {
      if (definition.fileOf(uri.toString()) !== undefined) return false
      if (!(parseResult instanceof DefinitionParseResult)) return false
      if (!isBelow(posix.relative(root.path, uri.path))) return false
      return definitionIndex(parseResult.value).project === undefined
    })
    .map((other) => ({ document: other, path: posix.relative(folder.path, other.uri.path) }))
    .toArray()
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** The services that a document can refer to after an import, each with the path of its file. */
export function importableServices(
  view: DocumentView,
  documents: LangiumDocuments,
): readonly { readonly name: string; readonly path: string }[] {
  return importableFiles(view, documents).flatMap(({ document, path }) =>
    parseResultOf(document)
      .value.members.filter(isService)
      .map(({ name }) => ({ name, path })),
  )
}

/** Adds an import to a document, after those that it has. */
export function addingImport({ document, file }: DocumentView, path: string): Edit {
  const own = parseResultOf(document)
  const { imports, members } = own.value
  const [first] = members
  const last = imports.findLast((node) => first === undefined || spanOf(node).start < spanOf(first).start)
  const line = `import ${JSON.stringify(path)};`
  const lineEnd = lineEndOf(file.text)
  if (last !== undefined) return inserting(file.start + declarationSpan(own, last).end, `${lineEnd}${line}`)
  const mark = file.text.startsWith('\uFEFF') ? 1 : 0
  const gap = imports.length > 0 || file.text.length === mark ? lineEnd : `${lineEnd}${lineEnd}`
  return inserting(file.start + mark, `${line}${gap}`)
}

/** Whether a path, relative to a folder, leads to something in it. */
export function isBelow(path: string): boolean {
  return path !== '' && path !== '..' && !path.startsWith('../') && !posix.isAbsolute(path)
}
