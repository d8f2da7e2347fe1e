import type { AstNode, Grammar } from 'langium'

type Fields = Record<string, unknown> & { readonly $ref?: string }

/**
 * Loads the grammar from the JSON that langium-cli writes, with containers and references. The result is that of
 * Langium's `loadGrammarFromJson`, without the services of Langium's grammar language, which take most of its time.
 */
export function loadGrammar(json: string): Grammar {
  const grammar = JSON.parse(json) as Grammar
  connect(grammar as unknown as Fields, grammar)
  return grammar
}

function connect(node: Fields, root: Grammar): void {
  for (const [property, value] of Object.entries(node)) {
    if (property.startsWith('$')) continue
    if (Array.isArray(value))
      node[property] = value.map((item: unknown, index) => child(item, node, property, index, root))
    else node[property] = child(value, node, property, undefined, root)
  }
}

function child(
  value: unknown,
  $container: Fields,
  $containerProperty: string,
  $containerIndex: number | undefined,
  root: Grammar,
): unknown {
  if (typeof value !== 'object' || value === null) return value
  const fields = value as Fields
  if (fields.$ref !== undefined) return referenceTo(fields.$ref, root)
  Object.assign(fields, { $container, $containerProperty, $containerIndex })
  connect(fields, root)
  return fields
}

/** A reference that is resolved on first access. */
function referenceTo(path: string, root: Grammar): { readonly $refText: string; readonly ref: AstNode } {
  let target: AstNode | undefined
  return {
    $refText: '',
    get ref() {
      return (target ??= follow(path, root))
    },
  }
}

/** The node at a path such as `#/rules@3/definition`. */
function follow(path: string, root: Grammar): AstNode {
  let node: unknown = root
  for (const step of path.slice(2).split('/')) {
    const [property = '', index] = step.split('@')
    node = (node as Fields)[property]
    if (index !== undefined) node = (node as unknown[])[Number(index)]
  }
  return node as AstNode
}
