import type { Definition } from '../generated/ast.ts'
import { resolveType, type Scope, scopeOf } from '../scope.ts'
import { Cursor } from './cursor.ts'
import { Findings } from './findings.ts'
import { Lines } from './lines.ts'
import { Parser } from './parser.ts'
import { scan } from './scanner.ts'
import type { SyntaxTree } from './tree.ts'

/** A text that has been read, but not checked. */
export interface Read {
  readonly tree: SyntaxTree
  readonly definition: Definition
  readonly scope: Scope
  /** What does not follow the grammar; checks add theirs. */
  readonly findings: Findings
}

/** Reads a text. Total and linear: no text makes it fail. */
export function read(text: string): Read {
  const { tokens, comments, problems, unclosedBraces } = scan(text)
  let known: Scope | undefined
  const scope = (): Scope => {
    known ??= scopeOf(parser.definition)
    return known
  }
  const tree: SyntaxTree = {
    text,
    lines: new Lines(text),
    tokens,
    comments,
    resolve: (type) => resolveType(scope(), type),
  }
  const cursor = new Cursor(tree, problems, new Findings())
  const parser = new Parser(tree, cursor, unclosedBraces)
  parser.parse()
  return { tree, definition: parser.definition, scope: scope(), findings: cursor.findings }
}
