import { AstUtils } from 'langium'
import type { MetadataName } from '../builtins.ts'
import { type Definition, isAttribute } from '../generated/ast.ts'
import { spanOf } from '../nodes.ts'
import type { DefinitionParseResult } from '../parse-result.ts'
import { readText } from '../parse.ts'
import type { Segment } from '../parser/segment.ts'
import { quote } from '../quote.ts'
import { applyEdits, type Edit } from './edits.ts'
import { nodeAt } from './enclosing.ts'
import { alternative, type Fix } from './fix.ts'
import {
  admitsAll,
  hasProject,
  isIntact,
  type Permission,
  type PermissionSegment,
  permissionsOf,
} from './permissions.ts'

/** The metadata that decides who may do what. */
const ACCESS_METADATA: ReadonlySet<string> = new Set<MetadataName>([
  'readable',
  'writable',
  'roles',
  'public',
  'auth',
  'authMethod',
  'omit',
])
const ACCESS_NAME = new RegExp(`#(?:${[...ACCESS_METADATA].join('|')})\\b`)

/**
 * A fix as it is offered: if it changes who may do what, its title says so, and it is not preferred. Nor is a fix that
 * changes the text of access metadata.
 */
export function withPermissionChange(fix: Fix, result: DefinitionParseResult): Fix {
  const change = permissionChange(result, fix.edits)
  if (change !== undefined) return alternative(`${fix.title}, which ${change}`, ...fix.edits)
  const isOfAccess = fix.edits.some((edit) => changesAccessMetadata(result, edit))
  return isOfAccess ? alternative(fix.title, ...fix.edits) : fix
}

/** How edits change who may do what, in a few words; `undefined` if it stays, as far as that is certain. */
function permissionChange(result: DefinitionParseResult, edits: readonly Edit[]): string | undefined {
  const edited = result.segments.filter((segment) => edits.some((edit) => isIn(edit, segment)))
  // What a segment with a syntax error permits is uncertain.
  if (!edited.some(isIntact) || edits.every((edit) => isNeutral(result, edit))) return undefined
  const replaced = segmentsAfter(edited, edits)
  const segments = result.segments.flatMap((segment): readonly PermissionSegment[] =>
    segment === edited[0] ? replaced : edited.includes(segment) ? [] : [segment],
  )
  // The rest depends on the project only.
  const isLocal = ![...edited, ...replaced].some(hasProject)
  const value: Definition = isLocal
    ? result.value
    : { $type: 'Definition', imports: [], members: segments.flatMap(({ members }) => members) }
  const before = permissionsOf(result, isLocal ? edited : undefined).byEntity
  const after = permissionsOf({ segments, value }, isLocal ? replaced : undefined).byEntity
  return changeText(before, after)
}

function changeText(
  before: ReadonlyMap<string, Permission>,
  after: ReadonlyMap<string, Permission>,
): string | undefined {
  const changes = [...before].flatMap(([key, permission]) => {
    const now = after.get(key) ?? permission
    const [isLimited, isWidened] = [!admitsAll(now, permission), !admitsAll(permission, now)]
    return isLimited || isWidened ? [{ key, name: permission.name, isLimited, isWidened }] : []
  })
  if (changes.length === 0) return undefined
  const isLimited = changes.some((change) => change.isLimited)
  const verb = !isLimited ? 'widens' : changes.some(({ isWidened }) => isWidened) ? 'changes' : 'limits'
  // A struct follows its service.
  const [first = '', second, ...others] = changes
    .filter(({ key }) => !changes.some((change) => key.startsWith(`${change.key}.`)))
    .map(({ name }) => quote(name))
  if (second === undefined) return `${verb} access to ${first}`
  return others.length === 0
    ? `${verb} access to ${first} and ${second}`
    : `${verb} access to ${first}, ${second} and ${others.length} more`
}

/** The text of segments, one after the other, parsed after edits. */
function segmentsAfter(segments: readonly Segment[], edits: readonly Edit[]): readonly Segment[] {
  let text = ''
  const moved: Edit[] = []
  const pending = new Set(edits)
  for (const segment of segments) {
    const distance = text.length - segment.offset
    for (const edit of pending) {
      if (!isIn(edit, segment)) continue
      pending.delete(edit)
      moved.push({ ...edit, start: edit.start + distance, end: edit.end + distance })
    }
    text += segment.text
  }
  return readText(applyEdits(text, moved)).segments
}

/** Whether an edit changes a segment, or the boundary before or after it. */
function isIn({ start, end }: Edit, { offset, text }: Segment): boolean {
  return start <= offset + text.length && end >= offset
}

/** Whether an edit only ends a declaration, or stays inside an attribute. */
function isNeutral(result: DefinitionParseResult, { start, end, text }: Edit): boolean {
  if (start === end && text === ';') return true
  const attribute = AstUtils.getContainerOfType(nodeAt(result, start), isAttribute)
  return attribute !== undefined && end <= spanOf(attribute).end && !/[#{};]/.test(text)
}

/** Whether an edit adds, removes or changes access metadata. */
function changesAccessMetadata(result: DefinitionParseResult, edit: Edit): boolean {
  const { start, end } = edit
  const { text, tokens } = result
  if (isNeutral(result, edit)) return false
  const [removed, added] = [text.slice(start, end), text.slice(start - 1, start) + edit.text]
  if (ACCESS_NAME.test(removed) || ACCESS_NAME.test(added)) return true
  let sign = tokens.firstFrom(start) - 1
  while (sign >= 0 && !/^[#;{}]$/.test(tokens.image(sign))) sign--
  return tokens.image(sign) === '#' && ACCESS_METADATA.has(tokens.image(sign + 1))
}
