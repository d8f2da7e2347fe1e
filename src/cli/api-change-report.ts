import type { ApiChange } from '../emit/api-changes/rules.ts'
import { counted } from '../naming.ts'
import type { Colors } from './colors.ts'

/** Several endpoints that change in the same way. */
type Group = readonly [ApiChange, ...ApiChange[]]

/**
 * Returns changes as lines of text: each change once, followed by its endpoints, and the number of changes. Returns
 * no lines if there are no changes.
 */
export function changeLines(changes: readonly ApiChange[], colors: Colors): string[] {
  if (changes.length === 0) return []
  return [
    ...groupsOf(changes).flatMap((group) => {
      const [{ rule, breaking, reason }] = group
      const kind = breaking ? colors.red(`breaking[${rule}]`) : colors.cyan(`compatible[${rule}]`)
      return [colors.bold(`${kind}: ${reason}`), ...group.map(({ endpoint }) => `  ${endpoint}`), '']
    }),
    countChanges(changes),
  ]
}

/** Returns changes as Markdown, for a comment on a pull request. */
export function changesMarkdown(changes: readonly ApiChange[]): string[] {
  return [
    ...section('Breaking changes', groupsOf(changes.filter(({ breaking }) => breaking))),
    ...section('Compatible changes', groupsOf(changes.filter(({ breaking }) => !breaking))),
  ].slice(0, -1)
}

function section(title: string, groups: readonly Group[]): string[] {
  return groups.length === 0 ? [] : [`## ${title}`, '', ...groups.flatMap(listItem), '']
}

function listItem(group: Group): string[] {
  const [{ rule, reason }] = group
  return [`- ${reason} (\`${rule}\`)`, ...group.map(({ endpoint }) => `  - \`${endpoint}\``)]
}

/** Groups changes with the same rule and reason, in the order in which they first occur. */
function groupsOf(changes: readonly ApiChange[]): Group[] {
  const groups = Map.groupBy(changes, ({ rule, reason }) => `${rule} ${reason}`)
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others]],
  )
}

/** Counts what is printed: `2 breaking changes, 1 compatible change`. */
function countChanges(changes: readonly ApiChange[]): string {
  const groups = groupsOf(changes)
  const breaking = groups.filter(([change]) => change.breaking).length
  return [
    ...(breaking === 0 ? [] : [counted(breaking, 'breaking change')]),
    ...(breaking === groups.length ? [] : [counted(groups.length - breaking, 'compatible change')]),
  ].join(', ')
}
