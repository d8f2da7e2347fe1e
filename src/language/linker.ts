import {
  type AstNode,
  type AstNodeDescription,
  AstUtils,
  type CstNode,
  DefaultLinker,
  type LinkingError,
  type Reference,
  type ReferenceInfo,
} from 'langium'

/**
 * Links references when they are followed. A reference that is kept from one version of a text to the next is looked
 * up again in the new one, so the tree never has to be walked to link or unlink it. For 1,000 services, Langium's linker
 * does that for 40 ms after each edit.
 */
export class PorticoLinker extends DefaultLinker {
  override buildReference(
    container: AstNode,
    property: string,
    $refNode: CstNode | undefined,
    $refText: string,
  ): Reference {
    // Langium's interface does not distinguish an absent property from `undefined`.
    return new LazyReference(this, container, property, $refNode, $refText) as Reference
  }

  protected override createLinkingError(info: ReferenceInfo): LinkingError {
    return { info, message: `Unknown name \`${info.reference.$refText}\`` }
  }

  override async link(): Promise<void> {
    // References link themselves.
  }
}

/** A Langium `Reference`. */
class LazyReference {
  readonly $refNode: CstNode | undefined
  readonly $refText: string
  readonly #linker: PorticoLinker
  readonly #container: AstNode
  readonly #property: string
  /** The definition that it was looked up in. */
  #root: AstNode | undefined
  #found: AstNodeDescription | LinkingError | undefined

  constructor(
    linker: PorticoLinker,
    container: AstNode,
    property: string,
    $refNode: CstNode | undefined,
    $refText: string,
  ) {
    this.#linker = linker
    this.#container = container
    this.#property = property
    this.$refNode = $refNode
    this.$refText = $refText
  }

  get ref(): AstNode | undefined {
    return this.$nodeDescription?.node
  }

  get $nodeDescription(): AstNodeDescription | undefined {
    const found = this.#lookUp()
    return found !== undefined && 'name' in found ? found : undefined
  }

  get error(): LinkingError | undefined {
    const found = this.#lookUp()
    return found !== undefined && 'info' in found ? found : undefined
  }

  #lookUp(): AstNodeDescription | LinkingError | undefined {
    const root = AstUtils.findRootNode(this.#container)
    if (root !== this.#root) {
      this.#root = root
      this.#found = this.#linker.getCandidate({
        reference: this as Reference,
        container: this.#container,
        property: this.#property,
      })
    }
    return this.#found
  }
}
