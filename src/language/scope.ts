import {
  type AstNode,
  type AstNodeDescription,
  AstUtils,
  type ReferenceInfo,
  type Scope,
  type ScopeProvider,
  type Stream,
  stream,
  URI,
} from 'langium'
import {
  type Attribute,
  type Block,
  type Definition,
  isAttribute,
  isBlock,
  isService,
  isStruct,
  type Service,
  type Setting,
  type Struct,
} from './generated/ast.ts'
import { AUTHENTICATION } from '../naming.ts'
import { definitionIndex } from './validation/definition-index.ts'

/** Descriptions of nodes by name. If several nodes have the same name, the first one counts. */
type Names = ReadonlyMap<string, AstNodeDescription>

const NO_NAMES: Names = new Map()

/**
 * What a reference can name: a service of the definition, in a struct and in `#returns` also a struct of the same
 * service, in `#uses` of a service also the authentication service, which `#authMethod` declares, and in other metadata
 * an attribute of the same block. Definitions are independent of each other.
 *
 * Langium's provider would also let an attribute of a service refer to the structs of the service. It reads the symbols
 * of the whole document, which take 60 ms for 1,000 services after each edit. Here the names are collected when one is
 * first looked up, in 0.4 ms, because those of unchanged services are kept.
 */
export class PorticoScopeProvider implements ScopeProvider {
  getScope({ container, property }: ReferenceInfo): Scope {
    if (property === 'attribute') {
      const block = AstUtils.getContainerOfType(container, isBlock)
      return new NameScope(block === undefined ? NO_NAMES : attributesOf(block), NO_NAMES)
    }
    const root = AstUtils.findRootNode(container)
    const services = root.$type === 'Definition' ? servicesOf(root as Definition) : NO_NAMES
    if (property === 'service') {
      const caller = AstUtils.getContainerOfType(container, isBlock)
      const { authMethod } = root.$type === 'Definition' ? definitionIndex(root as Definition) : {}
      const isCallee = authMethod !== undefined && caller?.$type === 'Service'
      return new NameScope(
        services,
        isCallee ? new Map([[AUTHENTICATION, describe(authMethod, AUTHENTICATION)]]) : NO_NAMES,
      )
    }
    const block = property === 'entity' ? AstUtils.getContainerOfType(container, isBlock) : undefined
    // Also what the endpoint returns, but not the type of an attribute of it.
    const reachesStructs =
      block?.$type === 'Struct' || (block?.$type === 'Endpoint' && container.$type === 'EntityValue')
    const siblings = reachesStructs ? block.$container : undefined
    return new NameScope(siblings?.$type === 'Service' ? structsOf(siblings) : NO_NAMES, services)
  }
}

class NameScope implements Scope {
  readonly #inner: Names
  readonly #outer: Names

  constructor(inner: Names, outer: Names) {
    this.#inner = inner
    this.#outer = outer
  }

  getElement(name: string): AstNodeDescription | undefined {
    return this.#inner.get(name) ?? this.#outer.get(name)
  }

  getElements(name: string): Stream<AstNodeDescription> {
    const found = this.getElement(name)
    return stream(found === undefined ? [] : [found])
  }

  getAllElements(): Stream<AstNodeDescription> {
    return stream([...this.#inner.values(), ...this.#outer.values()])
  }
}

const servicesByDefinition = new WeakMap<AstNode, Names>()
const structsByService = new WeakMap<AstNode, Names>()
const attributesByBlock = new WeakMap<AstNode, Names>()

function servicesOf(definition: Definition): Names {
  return remembered(servicesByDefinition, definition, () => definition.members.filter(isService))
}

function structsOf(service: Service): Names {
  return remembered(structsByService, service, () => service.members.filter(isStruct))
}

function attributesOf(block: Block): Names {
  return remembered(attributesByBlock, block, () => block.members.filter(isAttribute))
}

function remembered(
  known: WeakMap<AstNode, Names>,
  node: AstNode,
  find: () => readonly (Service | Struct | Attribute)[],
): Names {
  let names = known.get(node)
  if (names === undefined) {
    const found = new Map<string, AstNodeDescription>()
    for (const named of find()) if (!found.has(named.name)) found.set(named.name, describe(named))
    known.set(node, (names = found))
  }
  return names
}

function describe(node: Service | Struct | Attribute | Setting, name = node.name): AstNodeDescription {
  const document = AstUtils.findRootNode(node).$document
  return { node, name, type: node.$type, documentUri: document?.uri ?? NOWHERE, path: '' }
}

/** The scope of a definition without a document. */
const NOWHERE = URI.parse('portico:/definition')
