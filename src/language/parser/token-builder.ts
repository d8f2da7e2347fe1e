import { AstUtils, type Grammar, GrammarAST, type TokenBuilder } from 'langium'
import type { TokenType } from './token.ts'

/**
 * The keywords and terminals of the grammar as token types. The language has no reserved words: an attribute may be
 * called `project` or `string`, so every keyword of letters is also an `ID`. Langium's builder also analyzes each
 * expression for Chevrotain's lexer, which is not used here; that takes longer than parsing a small definition.
 */
export class PorticoTokenBuilder implements TokenBuilder {
  buildTokens(grammar: Grammar): TokenType[] {
    const terminals = grammar.rules.filter(GrammarAST.isTerminalRule).map(
      (rule): TokenType => ({
        name: rule.name,
        PATTERN: expressionOf(rule),
        ...(rule.hidden ? { GROUP: rule.name === 'WS' ? 'skipped' : 'hidden' } : {}),
      }),
    )
    const identifier = terminals.find(({ name }) => name === 'ID')
    const keywords = new Map<string, TokenType>()
    for (const rule of grammar.rules)
      for (const node of GrammarAST.isTerminalRule(rule) ? [] : AstUtils.streamAllContents(rule))
        if (GrammarAST.isKeyword(node) && !keywords.has(node.value))
          keywords.set(node.value, {
            name: node.value,
            PATTERN: node.value,
            ...(identifier !== undefined && /^\w/.test(node.value) ? { CATEGORIES: [identifier] } : {}),
          })
    return [...keywords.values(), ...terminals]
  }
}

function expressionOf({ name, definition }: GrammarAST.TerminalRule): RegExp {
  if (!GrammarAST.isRegexToken(definition))
    throw new Error(`The terminal ${name} is not a regular expression`)
  const { regex } = definition
  return new RegExp(regex.slice(1, regex.lastIndexOf('/')), 'u')
}
