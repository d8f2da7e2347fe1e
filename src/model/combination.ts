import { listed } from '../naming.ts'
import type { Combination } from './platform.ts'

/** The names of a combination: `parent`, `name` and `city`, each in backticks. */
export function describeCombination(combination: Combination): string {
  return listed(combination.map(memberName), 'and')
}

/** A member of a combination as declared. */
export function memberName(member: Combination[number]): string {
  return member === 'parent' ? member : member.names.declared
}
