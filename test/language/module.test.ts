import { assert, oneof, property } from 'fast-check'
import {
  type AstNode,
  type CstNode,
  CstUtils,
  GrammarUtils,
  isCompositeCstNode,
  type LangiumDocument,
  URI,
} from 'langium'
import { describe, expect, test } from 'vitest'
import type { Block, Definition } from '../../src/language/generated/ast.ts'
import { createPorticoServices } from '../../src/language/module.ts'
import { scan } from '../../src/language/syntax/scanner.ts'
import { definitionText, mutatedDefinition } from './definitions.ts'

const { shared, portico } = createPorticoServices()

/** Opens texts as the documents of one workspace, built as an editor does it. */
async function open(...texts: readonly string[]): Promise<LangiumDocument<Definition>[]> {
  const documents = texts.map((text, index) =>
    shared.workspace.LangiumDocumentFactory.fromString<Definition>(
      text,
      URI.parse(`memory:/${Math.random()}/${index}.portico`),
    ),
  )
  for (const document of documents) shared.workspace.LangiumDocuments.addDocument(document)
  await shared.workspace.DocumentBuilder.build(documents, { validation: true })
  return documents
}

function blockOf(document: LangiumDocument<Definition> | undefined, name: string): Block {
  const found = document?.parseResult.value.blocks.find((block) => block.name === name)
  if (found === undefined) throw new Error(`There is no block ${name}.`)
  return found
}

const SHOP = `P: project {}
/// Who sells.
Host: service {}
Home: service {
  owner: Host;
  Photo: struct { image: data; }
  Tag: struct { photo: Photo; }
}
`

describe('the language as Langium services', () => {
  test('references are linked to services and sibling structs', async () => {
    const [document] = await open(SHOP)
    const home = blockOf(document, 'Home')
    const targets = document?.references.map((reference) => [
      reference.$refText,
      'ref' in reference ? (reference.ref as Block | undefined)?.name : undefined,
    ])
    expect(targets).toEqual([
      ['Host', 'Host'],
      ['data', undefined],
      ['Photo', 'Photo'],
    ])
    const [owner] = home.members
    if (owner?.$type !== 'Attribute') throw new Error('There is no attribute.')
    expect(owner.type.target.$refNode?.range).toEqual({
      start: { line: 4, character: 9 },
      end: { line: 4, character: 13 },
    })
    expect(owner.$cstNode?.text).toBe('owner: Host;')
    expect(owner.$cstNode?.root.fullText).toBe(SHOP)
  })

  test('references to a block are found', async () => {
    const [document] = await open(SHOP)
    const found = portico.references.References.findReferences(blockOf(document, 'Host'), {})
    expect(found.map(({ segment }) => segment.range.start).toArray()).toEqual([{ line: 4, character: 9 }])
  })

  test('what a reference may name', async () => {
    const [document] = await open(SHOP)
    const names = (index: number): string[] => {
      const reference = document?.references[index]
      const container = [...blockOf(document, 'Home').members]
      const attribute = index === 0 ? container[0] : (container[2] as Block).members[0]
      if (reference === undefined || attribute?.$type !== 'Attribute')
        throw new Error('There is no reference.')
      const scope = portico.references.ScopeProvider.getScope({
        reference,
        container: attribute.type,
        property: 'target',
      })
      return [...scope.getAllElements()].map(({ name }) => name)
    }
    expect(names(0)).toEqual(['Host', 'Home'])
    expect(names(2)).toEqual(['Host', 'Home', 'Photo', 'Tag'])
  })

  test('definitions in one workspace do not see each other', async () => {
    const [, second] = await open(SHOP, 'Q: project {}\nRoom: service { host: Host; }\nHome: service {}')
    expect(second?.diagnostics?.map(({ code }) => code)).toEqual(['unknown-type'])
    expect(shared.workspace.IndexManager.allElements().count()).toBe(0)
  })

  test('diagnostics are those of the command line, in the form of the protocol', async () => {
    const [document] = await open(`${SHOP}Host: service { a: «; }`)
    expect(document?.diagnostics).toMatchObject([
      {
        code: 'duplicate-block',
        severity: 1,
        source: 'portico',
        range: { start: { line: 8, character: 0 } },
      },
      { code: 'unexpected-character', data: { replacement: '' } },
    ])
    expect(document?.diagnostics?.[0]?.relatedInformation?.[0]?.location.range.start.line).toBe(2)
  })

  test('documentation and names', async () => {
    const [document] = await open(SHOP)
    const host = blockOf(document, 'Host')
    expect(portico.documentation.DocumentationProvider.getDocumentation(host)).toBe('Who sells.')
    expect(
      portico.documentation.DocumentationProvider.getDocumentation(blockOf(document, 'Home')),
    ).toBeUndefined()
    expect(portico.references.NameProvider.getNameNode(host)?.text).toBe('Host')
    expect(portico.references.NameProvider.getNameNode(host)?.range.start).toEqual({ line: 2, character: 0 })
  })

  test('declarations are found from their references and from their names', async () => {
    const [document] = await open(SHOP)
    const root = document?.parseResult.value.$cstNode
    const at = (text: string): { line: number; character: number } | undefined => {
      const leaf = root && CstUtils.findLeafNodeAtOffset(root, SHOP.indexOf(text))
      const [found] = leaf === undefined ? [] : portico.references.References.findDeclarationNodes(leaf)
      return found?.range.start
    }
    expect(at('Host;')).toEqual({ line: 2, character: 0 })
    expect(at('Photo;')).toEqual({ line: 5, character: 2 })
    expect(at('Home: service')).toEqual({ line: 3, character: 0 })
    expect(at('data;')).toBeUndefined()
  })

  test('properties and keywords are found', async () => {
    const text =
      'P: project { #language(language: ts); }\nS: service { a: int(5, [x]) @unique; #omit[delete] }'
    const [document] = await open(text)
    const find = (node: AstNode | undefined, name: string): string | undefined =>
      GrammarUtils.findNodeForProperty(node?.$cstNode, name)?.text
    const [project, service] = document?.parseResult.value.blocks ?? []
    const [language] = project?.members ?? []
    const [attribute, omit] = service?.members ?? []
    expect([find(project, 'name'), find(project, 'kind'), find(service, 'members')]).toEqual([
      'P',
      'project',
      'a: int(5, [x]) @unique;',
    ])
    expect([find(attribute, 'type'), find(attribute, 'annotations'), find(attribute, 'terminated')]).toEqual([
      'int(5, [x])',
      '@unique',
      ';',
    ])
    expect([find(omit, 'name'), find(omit, 'list'), find(omit, 'terminated')]).toEqual([
      'omit',
      '[delete]',
      undefined,
    ])
    const given = language?.$type === 'Metadata' ? language.arguments?.items[0] : undefined
    expect([find(given, 'name'), find(given, 'value'), find(given?.value, 'word')]).toEqual([
      'language',
      'ts',
      'ts',
    ])
    expect(GrammarUtils.findNodeForKeyword(omit?.$cstNode, '#')?.text).toBe('#')
  })

  test('tokens and comments of any text stand in order, and each in its parent', () => {
    assert(
      property(oneof(definitionText, mutatedDefinition), (text) => {
        const { value } = portico.parser.LangiumParser.parse(text)
        const leaves: CstNode[] = []
        const visit = (node: CstNode): void => {
          if (!isCompositeCstNode(node)) {
            leaves.push(node)
            return
          }
          for (const child of node.content) {
            expect(child.container).toBe(node)
            visit(child)
          }
        }
        if (value.$cstNode !== undefined) visit(value.$cstNode)
        const offsets = leaves.map(({ offset }) => offset)
        expect(offsets).toEqual(offsets.toSorted((a, b) => a - b))
        expect(new Set(offsets).size).toBe(offsets.length)
        const { tokens } = scan(text)
        expect(leaves.filter(({ hidden }) => !hidden)).toHaveLength(tokens.length)
      }),
      { numRuns: 300 },
    )
  })
})
