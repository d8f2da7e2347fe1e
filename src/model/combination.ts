import type { Combination } from './platform.ts'

/** The names of a combination: `parent`, `name` and `city`, each in backticks. */
export function describeCombination(combination: Combination): string {
  const names = combination.map((member) => `\`${memberName(member)}\``)
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** A member of a combination as declared. */
export function memberName(member: Combination[number]): string {
  return member === 'parent' ? member : member.names.declared
}
