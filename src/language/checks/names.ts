import { kebabCase } from '../../model/names.ts'
import type { Block, Definition } from '../generated/ast.ts'
import { hasName, isBroken, nameSpan } from '../syntax/places.ts'
import { quote } from '../syntax/quote.ts'
import { isValidBlockName } from './block.ts'
import type { CheckContext } from './context.ts'

/** Directories that hold something else than a service. */
const RESERVED: ReadonlyMap<string, string> = new Map([
  ['api', 'the OpenAPI specification'],
  ['gateway', 'the gateway'],
  ['kube', 'the Kubernetes manifests'],
  ['prometheus', 'the Prometheus configuration'],
  ['grafana', 'the Grafana dashboards'],
])
/** Directories of the authentication service. */
const AUTHENTICATION: ReadonlySet<string> = new Set(['auth', 'auth-db'])

/** Names of blocks are unique as they are written and in the forms that the output uses. */
export function checkBlockNames(_definition: Definition, context: CheckContext): void {
  const byName = new Map<string, Block>()
  const byForm = new Map<string, Block>()
  for (const block of context.facts.blocks) {
    if (!hasName(block) || isSecondProject(block, context)) continue
    const same = byName.get(block.name)
    if (same !== undefined) {
      reportClash('duplicate-block', block, same, context)
      continue
    }
    byName.set(block.name, block)
    if (!isValidBlockName(block.name)) continue
    const form = kebabCase(block.name)
    const alike = byForm.get(form)
    if (alike !== undefined) reportClash('block-name-collision', block, alike, context)
    else byForm.set(form, block)
  }
  checkDirectories(byForm, context)
}

function isSecondProject(block: Block, context: CheckContext): boolean {
  return block.kind === 'project' && block !== context.facts.project
}

function reportClash(
  code: 'duplicate-block' | 'block-name-collision',
  later: Block,
  earlier: Block,
  context: CheckContext,
): void {
  const message =
    code === 'duplicate-block'
      ? `There is a block ${quote(later.name)} already. Rename one of them.`
      : `${quote(later.name)} and ${quote(earlier.name)} are both \`${kebabCase(later.name)}\` in paths, directories and tables. Rename one of them.`
  context.report(code, nameSpan(later), message, {
    related: [{ ...nameSpan(earlier), message: `${quote(earlier.name)} is declared here.` }],
  })
}

/** No service's directory is one that holds something else, nor the schema of another service. */
function checkDirectories(byForm: ReadonlyMap<string, Block>, context: CheckContext): void {
  const services = [...byForm].filter(([, block]) => block.kind === 'service' && !isBroken(block))
  const directories = new Map<string, Block>()
  for (const [form, block] of services) {
    const content = RESERVED.get(form)
    if (content !== undefined)
      reportReserved(block, `the directory \`${form}\` holds ${content}`, undefined, context)
    else if (AUTHENTICATION.has(form) && context.facts.authMethod !== undefined)
      reportReserved(
        block,
        `the directory \`${form}\` is that of the authentication service`,
        undefined,
        context,
      )
    const schemaOf = directories.get(form)
    const inSchema = directories.get(`${form}-db`)
    if (schemaOf !== undefined)
      reportReserved(
        block,
        `the directory \`${form}\` holds the schema of ${quote(schemaOf.name)}`,
        schemaOf,
        context,
      )
    else if (inSchema !== undefined)
      reportReserved(
        block,
        `its schema's directory \`${form}-db\` is that of ${quote(inSchema.name)}`,
        inSchema,
        context,
      )
    directories.set(`${form}-db`, block)
    directories.set(form, block)
  }
}

function reportReserved(
  block: Block,
  reason: string,
  earlier: Block | undefined,
  context: CheckContext,
): void {
  context.report(
    'reserved-service-name',
    nameSpan(block),
    `A service cannot be called ${quote(block.name)}: ${reason}. Rename it.`,
    earlier === undefined
      ? {}
      : { related: [{ ...nameSpan(earlier), message: `${quote(earlier.name)} is declared here.` }] },
  )
}
