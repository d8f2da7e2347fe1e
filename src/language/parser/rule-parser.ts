import {
  AbstractLangiumParser,
  AbstractParserErrorMessageProvider,
  type AstNode,
  AstUtils,
  type GrammarAST,
  GrammarUtils,
  type LangiumCoreServices,
  type Linker,
  isAstNode,
} from 'langium'
import { GrammarAST as ast } from 'langium'
import { buildRules } from './build-rules.ts'
import { appendCst, asCstNode, MovingCstNode, TokenNode } from './cst.ts'
import type { Segment } from './segment.ts'
import type { IToken, TokenType } from './token.ts'

/** The result of parsing tokens with a grammar rule: a node, or the first token that the rule rejects. */
export type RuleResult<Node extends AstNode> =
  | { readonly node: Node }
  | {
      readonly node: undefined
      /** Index of that token; the number of tokens if the rule expects another one. */
      readonly errorIndex: number
      /** Name of the only token type that the rule accepts there; `undefined` if it accepts several. */
      readonly expected: string | undefined
    }

/** Makes parser errors contain the expected token type, from which `syntax-errors.ts` creates messages. */
export class ExpectedTokenNames extends AbstractParserErrorMessageProvider {
  override buildMismatchTokenMessage({ expected }: { readonly expected: TokenType }): string {
    return expected.name
  }
}

type Args = Record<string, boolean>
type Rule = Parameters<AbstractLangiumParser['rule']>[0]
type RuleMethod = ReturnType<AbstractLangiumParser['rule']>

/** How a grammar element is assigned to a property. */
interface Assignment {
  readonly feature: string
  readonly operator: GrammarAST.Assignment['operator']
  readonly isReference: boolean
}

/** A node that is being parsed. */
interface Frame {
  node: Fields
  readonly cst: MovingCstNode
}

type Fields = { $type: string; $cstNode?: MovingCstNode } & Record<string, unknown>

/**
 * Langium's parser for the grammar, for one rule at a time, because a segment with an error is parsed declaration by
 * declaration. It parses 1,000 services in half the time of `LangiumParser`, because the concrete syntax tree has no
 * comments, values are the text of their token (the language has no escapes), containers are set when nodes are
 * assigned, and parsing stops at the first error instead of recovering.
 */
export class RuleParser extends AbstractLangiumParser {
  readonly #linker: Linker
  readonly #assignments = new Map<GrammarAST.AbstractElement, Assignment | undefined>()
  readonly #arrays = new Map<string, readonly (readonly [name: string, value: unknown])[]>()
  readonly #services: LangiumCoreServices
  readonly #frames: Frame[] = []
  #segment: Segment | undefined

  constructor(services: LangiumCoreServices) {
    super(services, false)
    this.#services = services
    this.#linker = services.references.Linker
    buildRules(services.Grammar, this, this.lexer.definition)
    this.finalize()
  }

  /** Parses all tokens with a grammar rule. */
  read<Node extends AstNode>(rule: string, tokens: IToken[], segment: Segment): RuleResult<Node> {
    const method = this.getRule(rule)
    if (method === undefined) throw new Error(`The grammar has no rule ${rule}`)
    this.#segment = segment
    this.#frames.length = 0
    this.wrapper.input = tokens
    const node = this.wrapper.rule(method) as Node
    const [error] = this.wrapper.errors
    if (error === undefined) return { node }
    const index = tokens.indexOf(error.token)
    return {
      node: undefined,
      errorIndex: index < 0 ? tokens.length : index,
      expected: error.name === 'MismatchedTokenException' ? error.message : undefined,
    }
  }

  override rule(rule: Rule, implementation: (args: Args) => unknown): RuleMethod {
    const type = ast.isParserRule(rule) && rule.fragment ? undefined : GrammarUtils.getTypeName(rule)
    const method = this.wrapper.DEFINE_RULE(rule.name, (args: Args) => {
      if (type === undefined || this.isRecording()) {
        implementation(args)
        return undefined
      }
      const cst = new MovingCstNode()
      const frame: Frame = { node: { $type: type }, cst }
      this.#frames.push(frame)
      implementation(args)
      this.#frames.pop()
      return this.#finished(frame)
    })
    this.allRules.set(rule.name, method)
    return method
  }

  override consume(index: number, type: TokenType, feature: GrammarAST.AbstractElement): void {
    const token = this.wrapper.wrapConsume(index, type)
    if (this.isRecording()) return
    const { node, cst } = this.#current
    let leaf: TokenNode | undefined
    if (token.isInsertedInRecovery !== true && this.#segment !== undefined) {
      leaf = new TokenNode(token, this.#segment)
      leaf.grammarSource = feature
      appendCst(cst, leaf)
    }
    const assignment = this.#assignmentOf(feature)
    if (assignment === undefined) return
    const value = assignment.isReference
      ? this.#linker.buildReference(
          node as unknown as AstNode,
          assignment.feature,
          leaf && asCstNode(leaf),
          token.image,
        )
      : token.image
    assign(node, assignment, value)
  }

  override subrule(
    index: number,
    rule: RuleMethod,
    fragment: boolean,
    feature: GrammarAST.AbstractElement,
    args: Args,
  ): void {
    const result = this.wrapper.wrapSubrule(index, rule, args) as Fields | undefined
    if (fragment || result === undefined || this.isRecording()) return
    const frame = this.#current
    const cst = result.$cstNode
    if (cst !== undefined) {
      cst.grammarSource = feature
      // A node whose only token is missing has no place in the text.
      if (cst.content.length > 0) appendCst(frame.cst, cst)
    }
    const assignment = this.#assignmentOf(feature)
    // A rule that only calls another one returns the node of that rule.
    if (assignment === undefined) frame.node = result
    else assign(frame.node, assignment, result)
  }

  override action($type: string): void {
    if (!this.isRecording()) this.#current.node.$type = $type
  }

  get #current(): Frame {
    const frame = this.#frames.at(-1)
    if (frame === undefined) throw new Error('The token is outside any rule')
    return frame
  }

  #finished({ node, cst }: Frame): Fields {
    for (const [name, value] of this.#defaultsOf(node.$type)) node[name] ??= Array.isArray(value) ? [] : value
    node.$cstNode = cst
    // A list that grew one by one has room for up to 17 elements.
    cst.content = cst.content.slice()
    cst.astNode = node as unknown as AstNode
    return node
  }

  #defaultsOf(type: string): readonly (readonly [name: string, value: unknown])[] {
    let defaults = this.#arrays.get(type)
    if (defaults === undefined) {
      const { properties } = this.#services.shared.AstReflection.getTypeMetaData(type)
      defaults = Object.values(properties)
        .filter(({ defaultValue }) => defaultValue !== undefined)
        .map(({ name, defaultValue }) => [name, defaultValue])
      this.#arrays.set(type, defaults)
    }
    return defaults
  }

  #assignmentOf(element: GrammarAST.AbstractElement): Assignment | undefined {
    if (!this.#assignments.has(element)) {
      const found = AstUtils.getContainerOfType(element, ast.isAssignment)
      this.#assignments.set(
        element,
        found && {
          feature: found.feature,
          operator: found.operator,
          isReference: ast.isCrossReference(found.terminal),
        },
      )
    }
    return this.#assignments.get(element)
  }
}

function assign(node: Fields, { feature, operator }: Assignment, value: unknown): void {
  let index: number | undefined
  if (operator === '+=') {
    const values = (node[feature] ??= []) as unknown[]
    index = values.push(value) - 1
  } else node[feature] = operator === '?=' ? true : value
  if (isAstNode(value)) setContainer(value, node as unknown as AstNode, feature, index)
}

/** Sets the container of a node. Langium's types declare these properties as readonly. */
export function setContainer(node: AstNode, container: AstNode, property: string, index?: number): void {
  const writable = node as { -readonly [Key in keyof AstNode]: AstNode[Key] }
  writable.$container = container
  writable.$containerProperty = property
  if (index !== undefined) writable.$containerIndex = index
}
