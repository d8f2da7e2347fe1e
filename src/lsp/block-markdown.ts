import { documentationOf } from '../language/documentation.ts'
import {
  type Block,
  type Endpoint as EndpointNode,
  isBlock,
  isEndpoint,
  isService,
  isStruct,
} from '../language/generated/ast.ts'
import { kindOf, spanOf } from '../language/nodes.ts'
import type { DefinitionParseResult } from '../language/parse-result.ts'
import { effectiveAccess } from '../language/validation/access-rules.ts'
import { definitionIndex, metadataOf } from '../language/validation/definition-index.ts'
import { endpointHead } from '../model/custom-endpoints.ts'
import { describeAccess, describeCustomAccess, type AccessRules } from '../model/describe-access.ts'
import { entityEndpoints, structEndpoints } from '../model/endpoints.ts'
import type { Endpoint } from '../model/platform.ts'
import { operationsOf } from '../model/resolve.ts'
import { counted, kebabCase, namesOf } from '../naming.ts'

/** The number of endpoints of a service or struct, those that are declared included. */
export function countEndpoints(block: Block): number {
  return endpointsOf(block).length + block.members.filter(isEndpoint).length
}

/** The generated endpoints of a service or struct in the order of the output; none of other blocks. */
function endpointsOf(block: Block): Endpoint[] {
  const path = `/api/${kebabCase(block.name)}`
  if (isService(block)) return entityEndpoints(path, operationsOf(block))
  const parent = block.$container
  if (!isStruct(block) || !isBlock(parent)) return []
  const parentPath = `/api/${kebabCase(parent.name)}`
  return structEndpoints(`${parentPath}/{parent-id}/${kebabCase(block.name)}`, operationsOf(block))
}

/** A block as Markdown: its head, its documentation, its endpoints and who can call them. */
export function blockMarkdown(result: DefinitionParseResult, block: Block): string {
  const documentation = documentationOf(block)
  const parts = [fenced(declarationText(result, block))]
  if (documentation !== '') parts.push(documentation)
  if (block.$type === 'Project') parts.push(projectSummary(result))
  const endpoints = [
    ...endpointsOf(block).map((endpoint) => endpointLine(result, block, endpoint)),
    ...[block, ...block.members].filter(isEndpoint).flatMap((endpoint) => customLine(result, endpoint)),
  ]
  if (endpoints.length > 0) parts.push(endpoints.join('\n'))
  return parts.join('\n\n')
}

/** How many attributes of a block are shown. */
const MAX_ATTRIBUTES = 20

/** The head of a block with its attributes, each as it is written. */
function declarationText({ text }: DefinitionParseResult, block: Block): string {
  const head = `${block.name}: ${kindOf(block)}`
  const attributes = block.members.filter((member) => member.$type === 'Attribute')
  if (attributes.length === 0) return head
  const lines = attributes.slice(0, MAX_ATTRIBUTES).map((attribute) => {
    const { start, end } = spanOf(attribute)
    return `  ${text.slice(start, end).replace(/\s+/g, ' ')};`
  })
  const more = attributes.length > MAX_ATTRIBUTES ? [`  // ${attributes.length - MAX_ATTRIBUTES} more`] : []
  return [`${head} {`, ...lines, ...more, '}'].join('\n')
}

/** A code block in the language of definitions. */
export function fenced(code: string): string {
  return `\`\`\`portico\n${code}\n\`\`\``
}

function projectSummary(result: DefinitionParseResult): string {
  const { blocks, services } = definitionIndex(result.value)
  const structs = blocks.filter(isStruct).length
  const endpoints = blocks.reduce((sum, block) => sum + countEndpoints(block), 0)
  return [
    counted(services.length, 'service'),
    counted(structs, 'struct'),
    counted(endpoints, 'endpoint'),
    hasAuthentication(result) ? 'authentication by email' : 'no authentication',
  ].join(', ')
}

/** Who can read and write the entities of a service, or of the service that contains a struct. */
export function accessRulesOf(result: DefinitionParseResult, block: Block): AccessRules {
  const service = isBlock(block.$container) ? block.$container : block
  const access = effectiveAccess(service, { index: definitionIndex(result.value) })
  return { storesUsers: metadataOf(service, 'auth') !== undefined, ...access }
}

/** The definition has users. */
export function hasAuthentication(result: DefinitionParseResult): boolean {
  return definitionIndex(result.value).authMethod !== undefined
}

/** The line of an endpoint that is declared; none without a path. */
function customLine(result: DefinitionParseResult, endpoint: EndpointNode): string[] {
  const { $container: service } = endpoint
  const head = endpointHead(endpoint)
  if (head === undefined || !isService(service)) return []
  const access = accessRulesOf(result, service)
  const who = describeCustomAccess(head, access, service.name, hasAuthentication(result))
  return [
    `- ${namesOf(endpoint.name).camel}: \`${head.method} /api/${kebabCase(service.name)}/${head.path}\` (${who})`,
  ]
}

function endpointLine(
  result: DefinitionParseResult,
  block: Block,
  { operation, method, paths }: Endpoint,
): string {
  const who = describeAccess(
    operation,
    isStruct(block),
    accessRulesOf(result, block),
    hasAuthentication(result),
  )
  return `- ${operation}: \`${method} ${paths[0]}\` (${who})`
}
