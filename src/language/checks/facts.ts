import { canonicalWords } from '../calls.ts'
import type { Block, Definition, Metadata } from '../generated/ast.ts'
import type { MetadataName } from '../vocabulary.ts'

/** What a definition says as a whole. */
export interface Facts {
  /** The first project block. */
  readonly project: Block | undefined
  readonly authMethod: Metadata | undefined
  /** Every `#auth` of a service, in the order of the text. */
  readonly auths: readonly Metadata[]
  /** There is a block of kind `service`, wherever it stands. */
  readonly hasService: boolean
  /** Every block, the ones in blocks too, in the order of the text. */
  readonly blocks: readonly Block[]
}

/** Collects the facts in one walk. Blocks nest no deeper than the parser lets them. */
export function factsOf(definition: Definition): Facts {
  const blocks: Block[] = []
  const add = (block: Block): void => {
    blocks.push(block)
    for (const member of block.members) if (member.$type === 'Block') add(member)
  }
  for (const block of definition.blocks) add(block)
  const projects = blocks.filter((block) => block.kind === 'project')
  const services = blocks.filter((block) => block.kind === 'service')
  return {
    project: projects[0],
    authMethod: projects.map((block) => metadataOf(block, 'authMethod')).find((found) => found !== undefined),
    auths: services.flatMap((block) => metadataOf(block, 'auth') ?? []),
    hasService: services.length > 0,
    blocks,
  }
}

const metadataOfBlocks = new WeakMap<Block, ReadonlyMap<string, Metadata>>()

/** The first metadata of this name in a block. Asked for often, so the members are gone through once. */
export function metadataOf(block: Block, name: MetadataName): Metadata | undefined {
  let byName = metadataOfBlocks.get(block)
  if (byName === undefined) {
    byName = firstByName(block)
    metadataOfBlocks.set(block, byName)
  }
  return byName.get(name)
}

function firstByName(block: Block): ReadonlyMap<string, Metadata> {
  const byName = new Map<string, Metadata>()
  for (const member of block.members) {
    if (member.$type === 'Metadata' && !byName.has(member.name)) byName.set(member.name, member)
  }
  return byName
}

/** The one word of a metadata item in its canonical spelling; `undefined` where it is absent or wrong. */
export function wordOf(block: Block | undefined, name: MetadataName): string | undefined {
  const metadata = block === undefined ? undefined : metadataOf(block, name)
  return metadata === undefined ? undefined : canonicalWords(metadata)[0]
}
