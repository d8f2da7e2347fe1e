import { type BaseParser, type Grammar, GrammarAST, GrammarUtils } from 'langium'
import type { TokenType } from './token.ts'

type Step = () => void
type Counters = Record<'consume' | 'subrule' | 'many' | 'optional' | 'or', number>

/**
 * Langium's `createParser` for the elements that this grammar uses. Objects that do not change between calls, such as
 * the alternatives of a rule, are created once, and the grammar is not searched for reachable rules. The parser is
 * created in half the time and parses in two thirds of it.
 */
export function buildRules(grammar: Grammar, parser: BaseParser, tokens: Record<string, TokenType>): void {
  for (const rule of grammar.rules)
    if (GrammarAST.isParserRule(rule))
      parser.rule(rule, buildElement(rule.definition, new RuleContext(parser, tokens)))
}

class RuleContext {
  readonly parser: BaseParser
  readonly #tokens: Record<string, TokenType>
  /** Chevrotain numbers the elements of each kind in a rule. */
  readonly #next: Counters = { consume: 1, subrule: 1, many: 1, optional: 1, or: 1 }

  constructor(parser: BaseParser, tokens: Record<string, TokenType>) {
    this.parser = parser
    this.#tokens = tokens
  }

  number(kind: keyof Counters): number {
    return this.#next[kind]++
  }

  token(name: string): TokenType {
    const token = this.#tokens[name]
    if (token === undefined) throw new Error(`The grammar has no token ${name}`)
    return token
  }
}

function buildElement(element: GrammarAST.AbstractElement, context: RuleContext): Step {
  const step = buildOnce(element, context)
  const { parser } = context
  const { cardinality } = element
  if (cardinality === undefined) return step
  if (cardinality === '?') {
    const index = context.number('optional')
    return () => parser.optional(index, { DEF: step })
  }
  const index = context.number('many')
  return cardinality === '*'
    ? () => parser.many(index, { DEF: step })
    : () => parser.atLeastOne(index, { DEF: step })
}

function buildOnce(element: GrammarAST.AbstractElement, context: RuleContext): Step {
  const { parser } = context
  if (GrammarAST.isKeyword(element)) return buildToken(element.value, element, context)
  if (GrammarAST.isAssignment(element)) return buildElement(element.terminal, context)
  if (GrammarAST.isCrossReference(element)) return buildCrossReference(element, context)
  if (GrammarAST.isRuleCall(element)) return buildRuleCall(element, context)
  if (GrammarAST.isAction(element)) {
    const type = GrammarUtils.getTypeName(element)
    return () => parser.action(type, element)
  }
  if (GrammarAST.isAlternatives(element)) {
    const alternatives = element.elements.map((alternative) => ({ ALT: buildElement(alternative, context) }))
    const index = context.number('or')
    return () => parser.alternatives(index, alternatives)
  }
  if (GrammarAST.isGroup(element)) {
    const steps = element.elements.map((part) => buildElement(part, context))
    return () => {
      for (const step of steps) step()
    }
  }
  throw new Error(`buildRules does not know ${element.$type}`)
}

function buildToken(name: string, element: GrammarAST.AbstractElement, context: RuleContext): Step {
  const { parser } = context
  const index = context.number('consume')
  const token = context.token(name)
  return () => parser.consume(index, token, element)
}

function buildCrossReference(element: GrammarAST.CrossReference, context: RuleContext): Step {
  const { terminal } = element
  const rule = GrammarAST.isRuleCall(terminal) ? terminal.rule.ref : undefined
  if (rule === undefined) throw new Error('A cross-reference names its terminal')
  return buildToken(rule.name, element, context)
}

function buildRuleCall(element: GrammarAST.RuleCall, context: RuleContext): Step {
  const rule = element.rule.ref
  if (rule === undefined) throw new Error(`The grammar has no rule ${element.rule.$refText}`)
  if (GrammarAST.isTerminalRule(rule)) return buildToken(rule.name, element, context)
  const { parser } = context
  const index = context.number('subrule')
  const isFragment = GrammarAST.isParserRule(rule) && rule.fragment
  // Rules call each other, so the called one may not exist yet.
  let method: ReturnType<BaseParser['getRule']>
  return () => {
    method ??= parser.getRule(rule.name)
    if (method !== undefined) parser.subrule(index, method, isFragment, element, {})
  }
}
