import type { Attribute, Block, Definition, ReferenceType } from '../generated/ast.ts'
import { nameSpan } from '../nodes.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { printable } from '../quote.ts'
import { isRequired } from '../required-references.ts'
import type { ValidationContext } from './context.ts'

interface Edge {
  readonly attribute: Attribute
  readonly target: Block
}

/** A block on the current path: `next` is the index of the edge after the one that was followed. */
interface Step {
  readonly block: Block
  readonly edges: readonly Edge[]
  next: number
}

/** Longer paths are truncated in the message. */
const LONGEST_PATH = 8

/**
 * Required references form no cycle, because nothing in it could ever be created. Reports each reference that
 * closes a cycle, in the order of the text.
 */
export function checkCycles(_definition: Definition, context: ValidationContext): void {
  const done = new Set<Block>()
  for (const block of context.index.blocks) if (!done.has(block)) walk(block, done, context)
}

/** Depth first, without recursion. */
function walk(root: Block, done: Set<Block>, context: ValidationContext): void {
  const path: Step[] = []
  const depth = new Map<Block, number>()
  const enter = (block: Block): void => {
    depth.set(block, path.length)
    path.push({ block, edges: edgesOf(block), next: 0 })
  }
  enter(root)
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const edge = top.edges[top.next++]
    if (edge === undefined) {
      done.add(top.block)
      depth.delete(top.block)
      path.pop()
      continue
    }
    if (done.has(edge.target)) continue
    const from = depth.get(edge.target)
    if (from === undefined) enter(edge.target)
    else report(path, from, edge, context)
  }
}

function edgesOf(block: Block): Edge[] {
  return requiredReferencesOf(block).flatMap(({ attribute, type }) => {
    const target = type.entity.ref
    // An entry of a struct can refer to its own service: the parent exists first.
    return target === undefined ? [] : [{ attribute, target }]
  })
}

interface RequiredReference {
  readonly attribute: Attribute
  readonly type: ReferenceType
}

const requiredReferences = new WeakMap<Block, readonly RequiredReference[]>()

/** The references that clients must supply. Cached, because most blocks do not change with an edit. */
function requiredReferencesOf(block: Block): readonly RequiredReference[] {
  let found = requiredReferences.get(block)
  if (found === undefined) {
    found = block.members.flatMap((member) =>
      member.$type === 'Attribute' &&
      member.type.$type === 'ReferenceType' &&
      !hasParseError(member) &&
      isRequired(member)
        ? [{ attribute: member, type: member.type }]
        : [],
    )
    requiredReferences.set(block, found)
  }
  return found
}

/** The cycle is `path` from the index `from` on, and then `closing`. */
function report(path: readonly Step[], from: number, closing: Edge, context: ValidationContext): void {
  const shown = path.slice(from, from + LONGEST_PATH)
  const isCut = from + shown.length < path.length
  const names = shown.map(({ block }) => printable(block.name))
  const way = [...names, ...(isCut ? ['…'] : []), printable(closing.target.name)].join(' → ')
  const related = path
    .slice(from, Math.min(path.length - 1, from + LONGEST_PATH))
    .flatMap(({ edges, next }) => {
      const edge = edges[next - 1]
      if (edge === undefined) return []
      return [{ ...nameSpan(edge.attribute.type), message: 'required here too' }]
    })
  context.report(
    'reference-cycle',
    nameSpan(closing.attribute.type),
    `Circular required references: ${way}`,
    {
      help: 'no entity could be created first; make one reference optional with `?`, or `@serverSet` so that a hook sets it later',
      related,
    },
  )
}
