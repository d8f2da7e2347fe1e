import type { Attribute, Block, Definition } from '../generated/ast.ts'
import { isBroken, nameSpan } from '../syntax/places.ts'
import { printable } from '../syntax/quote.ts'
import type { CheckContext } from './context.ts'

interface Edge {
  readonly attribute: Attribute
  readonly target: Block
}

/** A block that is being gone through: `next` is the index of the edge behind the one that was taken. */
interface Step {
  readonly block: Block
  readonly edges: readonly Edge[]
  next: number
}

/** Longer paths are cut in the message. */
const LONGEST_PATH = 8

/**
 * References that clients must supply form no cycle, or nothing in it could ever be created. One finding for
 * each reference that closes a cycle, going through the text from the top.
 */
export function checkCycles(_definition: Definition, context: CheckContext): void {
  const done = new Set<Block>()
  for (const block of context.facts.blocks) if (!done.has(block)) walk(block, done, context)
}

/** Depth first, without recursion. */
function walk(root: Block, done: Set<Block>, context: CheckContext): void {
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
  return block.members.flatMap((member) => {
    if (member.$type !== 'Attribute' || isBroken(member) || !isRequested(member)) return []
    const target = member.type.target.ref
    // An entry of a struct may refer to the service that it stands in: the parent exists first.
    return target === undefined ? [] : [{ attribute: member, target }]
  })
}

function isRequested(attribute: Attribute): boolean {
  return !attribute.annotations.some(({ name }) => name === 'server' || name === 'serverSet')
}

/** `path` from the index `from` on, and then `closing`, form the cycle. */
function report(path: readonly Step[], from: number, closing: Edge, context: CheckContext): void {
  const shown = path.slice(from, from + LONGEST_PATH)
  const isCut = from + shown.length < path.length
  const names = shown.map(({ block }) => printable(block.name))
  const way = [...names, ...(isCut ? ['…'] : []), printable(closing.target.name)].join(' -> ')
  const related = path
    .slice(from, Math.min(path.length - 1, from + LONGEST_PATH))
    .flatMap(({ edges, next }) => {
      const edge = edges[next - 1]
      if (edge === undefined) return []
      const message = `\`${printable(edge.attribute.name)}\` must be supplied too.`
      return [{ ...nameSpan(edge.attribute.type), message }]
    })
  const consequence =
    path.length - from === 1
      ? `An entity of \`${names[0]}\` would have to exist before the first one`
      : 'None of these could ever be created'
  context.report(
    'reference-cycle',
    nameSpan(closing.attribute.type),
    `References that clients must supply form a cycle: \`${way}\`. ${consequence}. Make one \`@serverSet\`, or remove it.`,
    { related },
  )
}
