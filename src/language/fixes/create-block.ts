import { isBroken } from '../syntax/places.ts'
import { around, markedText, topBlock } from './around.ts'
import {
  appendingBlock,
  inserting,
  insertingMember,
  lineEndOf,
  removingDeclaration,
  removingList,
  unitText,
} from './edits.ts'
import { alternative, preferred, type QuickFix } from './fix.ts'

const BLOCK_NAME = /^[A-Z][A-Za-z0-9]*$/

/** A project block at the top of a definition without one. */
export const addProject: QuickFix = ({ read: { tree } }) => {
  const lineEnd = lineEndOf(tree.text)
  const mark = tree.text.startsWith('\uFEFF') ? 1 : 0
  const gap = tree.text.trim() === '' ? '' : lineEnd
  return [preferred('Add a project block', inserting(mark, `MyProject: project {}${lineEnd}${gap}`))]
}

/** A first service. */
export const addService: QuickFix = ({ read: { tree } }) => [
  preferred('Add a service', appendingBlock(tree, 'Item: service {\n  name: string;\n}')),
]

/** The service or struct that an attribute or `#uses` names and that is not there. */
export const createMissing: QuickFix = (problem) => {
  const { read } = problem
  const name = markedText(problem)
  if (!BLOCK_NAME.test(name) || read.scope.blocks.has(name)) return []
  const given = problem.diagnostic.code === 'unknown-type' && around(problem, 'Attribute')?.type.arguments
  // A reference takes none.
  const edits = given === undefined || given === false ? [] : [removingList(given)]
  const service = alternative(
    `Create the service \`${name}\``,
    appendingBlock(read.tree, `${name}: service {\n  name: string;\n}`),
    ...edits,
  )
  const holder = around(problem, 'Block')
  const parent = holder?.kind === 'struct' ? holder.$container : undefined
  if (problem.diagnostic.code !== 'unknown-type' || parent?.$type !== 'Block' || isBroken(parent))
    return [service]
  const struct = alternative(
    `Create the struct \`${name}\` in \`${parent.name}\``,
    ...insertingMember(parent, `${name}: struct {\n  name: string;\n}`),
    ...edits,
  )
  return [service, struct]
}

/** The metadata of a second project block moves into the first. */
export const mergeProjects: QuickFix = (problem) => {
  const second = around(problem, 'Block')
  const first = topBlock(problem.read.definition, 'project')
  if (second === undefined || first === undefined || second === first) return []
  const held = new Set(first.members.map(({ name }) => name))
  const moved = second.members.filter((member) => member.$type === 'Metadata' && !held.has(member.name))
  const isWhole = second.members.every((member) => member.$type === 'Metadata')
  if (!isWhole) return []
  const text = moved.map(unitText).join('\n')
  return [
    preferred(
      moved.length === 0 ? 'Remove this project block' : `Move its metadata into \`${first.name}\``,
      ...(moved.length === 0 ? [] : insertingMember(first, text)),
      removingDeclaration(second),
    ),
  ]
}
