import { listed } from '../../naming.ts'
import {
  type EnumValue,
  enumValueOf,
  enumValues,
  enumWordOf,
  initialValue,
  type NamedArgument,
  transitionArguments,
} from '../enum-values.ts'
import type { Annotation, Attribute, Value } from '../generated/ast.ts'
import { argumentSpan, nameSpan, propertySpan, spanOf } from '../nodes.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { quote } from '../quote.ts'
import type { Span } from '../raw-diagnostic.ts'
import { type ValidationContext, withSuggestion } from './context.ts'

/** `@transitions(draft: [sent, void])` is on an `enum` that has these values, each of them once, and leads to all of them. */
export function checkTransitions(attribute: Attribute, context: ValidationContext): void {
  const { type } = attribute
  const transitions = attribute.annotations.find(({ name }) => name === 'transitions')
  if (transitions === undefined || hasParseError(attribute)) return
  // An unknown type is reported as such.
  if (type.$type === 'ReferenceType' && type.entity.ref === undefined) return
  if (type.$type === 'ReferenceType' || type.name !== 'enum') {
    context.report('transitions-without-enum', nameSpan(transitions), '`@transitions` requires an `enum`', {
      help: 'declare the values, for example `enum(draft, sent, paid)`',
    })
    return
  }
  const mark = propertySpan(attribute, 'optional')
  if (mark !== undefined)
    context.report('optional-transitions', mark, 'An attribute with `@transitions` cannot be optional', {
      help: 'declare a value for the entities that have none yet',
      data: { replacement: '' },
    })
  const values = enumValues(type.arguments)
  // What is missing is reported as such.
  if (values.length === 0 || (transitions.arguments?.items ?? []).length === 0) return
  checkPairs(transitions, values, context)
  checkReachable(attribute, transitions, context)
}

function checkPairs(transitions: Annotation, values: readonly string[], context: ValidationContext): void {
  for (const argument of transitions.arguments?.items ?? [])
    if (argument.name === undefined)
      context.report('wrong-argument-kind', spanOf(argument), '`@transitions` takes pairs', {
        help: 'write a value and those that it can become, such as `draft: [sent, void]`',
      })
  const seen = new Map<string, NamedArgument>()
  for (const { argument, targets } of transitionArguments(transitions)) {
    const { name } = argument
    const earlier = seen.get(name)
    if (!values.includes(name)) reportUnknown(name, argumentSpan(argument), values, context)
    else if (earlier !== undefined)
      context.report('duplicate-argument', argumentSpan(argument), `Duplicate value ${quote(name)}`, {
        help: 'list everything that it can become in one place',
        related: [{ ...argumentSpan(earlier), message: 'first given here' }],
      })
    else seen.set(name, argument)
    checkTargets(name, targets, values, context)
  }
}

function checkTargets(
  name: string,
  targets: readonly Value[],
  values: readonly string[],
  context: ValidationContext,
): void {
  const seen = new Map<string, Value>()
  for (const target of targets) {
    const word = enumWordOf(target)
    const { start, end } = spanOf(target)
    const earlier = word === undefined ? undefined : seen.get(word)
    if (word === undefined || !values.includes(word))
      reportUnknown(
        context.text.slice(start, Math.min(end, start + 100)),
        { start, end },
        values,
        context,
        name,
      )
    else if (word === name)
      context.report('redundant-transition', { start, end }, `${quote(word)} can always stay as it is`, {
        help: 'list only what it can change to',
      })
    else if (earlier !== undefined)
      context.report('duplicate-value', { start, end }, `Duplicate value ${quote(word)}`, {
        related: [{ ...spanOf(earlier), message: 'first listed here' }],
      })
    else seen.set(word, target)
  }
}

function reportUnknown(
  name: string,
  span: Span,
  values: readonly string[],
  context: ValidationContext,
  from?: string,
): void {
  const candidates = values.filter((value) => value !== from)
  context.report('unknown-value', span, `The \`enum\` has no value ${quote(name)}`, {
    help: `its values are ${listed(values, 'and')}`,
    ...withSuggestion(context.spelling.suggest(name, candidates)),
  })
}

/** The default, or else the first value, is what a new entity has. Something leads to each other one. */
function checkReachable(attribute: Attribute, transitions: Annotation, context: ValidationContext): void {
  const declared = (attribute.type.arguments?.items ?? []).flatMap((item) => {
    const word = enumValueOf(item)
    return word === undefined ? [] : [[word, item.value as EnumValue] as const]
  })
  const reached = new Set([initialValue(attribute)])
  for (const { argument, targets } of transitionArguments(transitions))
    for (const target of targets) {
      const word = enumWordOf(target)
      if (word !== argument.name) reached.add(word)
    }
  // One that is misspelled may be the missing one.
  const names = new Set<string | undefined>(declared.map(([word]) => word))
  if (![...reached].every((word) => names.has(word))) return
  for (const [word, node] of declared)
    if (!reached.has(word)) {
      reached.add(word)
      context.report('unreachable-value', spanOf(node), `No transition leads to ${quote(word)}`, {
        help: 'list it in `@transitions`, or remove it',
      })
    }
}
