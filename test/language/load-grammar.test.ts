import { readFileSync } from 'node:fs'
import {
  type AstNode,
  DefaultAstNodeLocator,
  type Grammar,
  loadGrammarFromJson,
  type Reference,
} from 'langium'
import { expect, test } from 'vitest'
import { PorticoGrammar } from '../../src/language/generated/grammar.ts'
import { loadGrammar } from '../../src/language/load-grammar.ts'

const locator = new DefaultAstNodeLocator()

/** The JSON that langium-cli writes into the generated file, as a literal in single quotes. */
function grammarJson(): string {
  const generated = readFileSync('src/language/generated/grammar.ts', 'utf8')
  const literal = /loadGrammar\('(.*)'\)/.exec(generated)?.[1] ?? ''
  return literal.replaceAll(/\\(.)/g, '$1')
}

/** The nodes below a node, with their containers and the nodes that they refer to. */
function described(node: AstNode): unknown {
  const { $container, $containerProperty, $containerIndex } = node
  const own = Object.entries(node)
    .filter(([key, value]) => !key.startsWith('$') && value !== undefined)
    .map(([key, value]) => [key, describedValue(value)])
  return {
    $type: node.$type,
    $container: $container && locator.getAstNodePath($container),
    $containerProperty,
    $containerIndex,
    ...Object.fromEntries(own),
  }
}

function describedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(describedValue)
  if (typeof value !== 'object' || value === null) return value
  if ('$type' in value) return described(value as AstNode)
  const { ref } = value as Reference
  return ref && locator.getAstNodePath(ref)
}

test("the grammar is the same as from Langium's loader", () => {
  const json = grammarJson()
  const expected: Grammar = loadGrammarFromJson(json)
  expect(JSON.stringify(described(expected))).toContain('"rule":"/rules@1"')
  expect(described(loadGrammar(json))).toEqual(described(expected))
  expect(described(PorticoGrammar())).toEqual(described(expected))
})
