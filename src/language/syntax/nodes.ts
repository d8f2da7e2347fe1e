import type { Reference } from 'langium'
import type * as Ast from '../generated/ast.ts'
import type { SyntaxTree } from './tree.ts'

/**
 * A node of a syntax tree. Beside the properties that the grammar declares, it knows its text and its
 * tokens.
 */
export abstract class SyntaxNode {
  abstract readonly $type: string
  declare $containerProperty?: string
  declare $containerIndex?: number
  readonly $tree: SyntaxTree
  /** Index of its first token. */
  readonly $first: number
  /** Index of its last token. */
  $last: number
  /** There is a syntax error in it: what it lacks or repeats is no mistake of its own. */
  $broken = false

  constructor(tree: SyntaxTree, first: number) {
    this.$tree = tree
    this.$first = first
    this.$last = first
  }
}

/** A node of which the name is a token of its own. */
export interface Named {
  /** Index of the token that is the name; -1 where a syntax error left none. */
  readonly $name: number
}

export class DefinitionNode extends SyntaxNode implements Ast.Definition {
  readonly $type = 'Definition'
  readonly blocks: BlockNode[] = []
  readonly strays: (AttributeNode | MetadataNode)[] = []
}

export class BlockNode extends SyntaxNode implements Ast.Block, Named {
  readonly $type = 'Block'
  readonly $container: DefinitionNode | BlockNode
  readonly $name: number
  /** Index of the token that is the kind; -1 where a syntax error left none. */
  readonly $kind: number
  name: string
  kind: string
  readonly members: (BlockNode | AttributeNode | MetadataNode)[] = []

  constructor(
    tree: SyntaxTree,
    container: DefinitionNode | BlockNode,
    tokens: { first: number; name: number; kind: number },
  ) {
    super(tree, tokens.first)
    this.$container = container
    this.$name = tokens.name
    this.$kind = tokens.kind
    this.name = tokens.name < 0 ? '' : tree.tokens.textOf(tokens.name)
    this.kind = tokens.kind < 0 ? '' : tree.tokens.textOf(tokens.kind)
  }
}

export class AttributeNode extends SyntaxNode implements Ast.Attribute, Named {
  readonly $type = 'Attribute'
  readonly $container: DefinitionNode | BlockNode
  readonly $name: number
  name: string
  readonly type: AttributeTypeNode
  readonly annotations: AnnotationNode[] = []
  terminated = false

  /** @param type index of the token that is the type; -1 where a syntax error left none */
  constructor(tree: SyntaxTree, container: DefinitionNode | BlockNode, name: number, type: number) {
    super(tree, name)
    this.$container = container
    this.$name = name
    this.name = tree.tokens.textOf(name)
    this.type = new AttributeTypeNode(tree, this, type)
  }
}

export class AttributeTypeNode extends SyntaxNode implements Ast.AttributeType, Named {
  readonly $type = 'AttributeType'
  readonly $container: AttributeNode
  readonly $name: number
  readonly target: Reference<Ast.Block>
  arguments?: ArgumentListNode

  constructor(tree: SyntaxTree, container: AttributeNode, name: number) {
    super(tree, name < 0 ? container.$first : name)
    this.$container = container
    this.$name = name
    this.target = new TypeReference(this)
  }
}

/** The name of a type. It is looked up when it is asked for, in the definition that it stands in alone. */
class TypeReference implements Reference<Ast.Block> {
  readonly $refText: string
  readonly #type: AttributeTypeNode
  #found: Ast.Block | null | undefined

  constructor(type: AttributeTypeNode) {
    this.#type = type
    this.$refText = type.$name < 0 ? '' : type.$tree.tokens.textOf(type.$name)
  }

  get ref(): Ast.Block | undefined {
    if (this.#found === undefined) this.#found = this.#type.$tree.resolve(this.#type) ?? null
    return this.#found ?? undefined
  }
}

export class AnnotationNode extends SyntaxNode implements Ast.Annotation, Named {
  readonly $type = 'Annotation'
  readonly $container: AttributeNode
  readonly $name: number
  name: string

  constructor(tree: SyntaxTree, container: AttributeNode, first: number) {
    super(tree, first)
    this.$container = container
    this.$name = first + 1
    this.$last = first + 1
    this.name = tree.tokens.textOf(first + 1)
  }
}

export class MetadataNode extends SyntaxNode implements Ast.Metadata, Named {
  readonly $type = 'Metadata'
  readonly $container: DefinitionNode | BlockNode
  readonly $name: number
  name: string
  arguments?: ArgumentListNode
  list?: ListValueNode
  terminated = false

  constructor(tree: SyntaxTree, container: DefinitionNode | BlockNode, first: number) {
    super(tree, first)
    this.$container = container
    this.$name = first + 1
    this.$last = first + 1
    this.name = tree.tokens.textOf(first + 1)
  }
}

export class ArgumentListNode extends SyntaxNode implements Ast.ArgumentList {
  readonly $type = 'ArgumentList'
  readonly $container: AttributeTypeNode | MetadataNode
  readonly items: ArgumentNode[] = []

  constructor(tree: SyntaxTree, container: AttributeTypeNode | MetadataNode, first: number) {
    super(tree, first)
    this.$container = container
  }
}

export class ArgumentNode extends SyntaxNode implements Ast.Argument {
  readonly $type = 'Argument'
  readonly $container: ArgumentListNode
  name?: string
  declare value: ValueNode

  constructor(tree: SyntaxTree, container: ArgumentListNode, first: number) {
    super(tree, first)
    this.$container = container
  }
}

export type ValueNode = WordValueNode | NumberValueNode | ListValueNode
type ValueContainer = ArgumentNode | ListValueNode

export class WordValueNode extends SyntaxNode implements Ast.WordValue {
  readonly $type = 'WordValue'
  readonly $container: ValueContainer
  word: string

  constructor(tree: SyntaxTree, container: ValueContainer, first: number) {
    super(tree, first)
    this.$container = container
    this.word = tree.tokens.textOf(first)
  }
}

export class NumberValueNode extends SyntaxNode implements Ast.NumberValue {
  readonly $type = 'NumberValue'
  readonly $container: ValueContainer
  text: string

  constructor(tree: SyntaxTree, container: ValueContainer, first: number) {
    super(tree, first)
    this.$container = container
    this.text = tree.tokens.textOf(first)
  }
}

export class ListValueNode extends SyntaxNode implements Ast.ListValue {
  readonly $type = 'ListValue'
  readonly $container: ValueContainer | MetadataNode
  readonly items: ValueNode[] = []

  constructor(tree: SyntaxTree, container: ValueContainer | MetadataNode, first: number) {
    super(tree, first)
    this.$container = container
  }
}
