import { databaseDirectoryOf, kebabCase, SHARED_DATABASE_SERVER } from '../../naming.ts'
import { formerNameOf } from '../former-name.ts'
import type { Block, Definition } from '../generated/ast.ts'
import { hasName, isNamedInService, nameSpan } from '../nodes.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { quote } from '../quote.ts'
import { isValidBlockName } from './block.ts'
import type { ValidationContext } from './context.ts'
import { databaseServerOf } from './definition-index.ts'

/** Why a directory or host cannot be that of a service. */
const RESERVED: ReadonlyMap<string, string> = new Map([
  ['api', 'the directory `api` contains the OpenAPI specification'],
  // Some file systems ignore case.
  ['dockerfile', 'the file `Dockerfile` describes the images'],
  ['gateway', 'the directory `gateway` contains the gateway'],
  ['internal', 'the directory `internal` contains the code that services in Go share'],
  ['kube', 'the directory `kube` contains the Kubernetes manifests'],
  ['lib', 'the directory `lib` contains the code that services share'],
  ['localhost', 'the host `localhost` is always the machine itself'],
  ['prometheus', 'the directory `prometheus` contains the Prometheus configuration'],
  ['grafana', 'the directory `grafana` contains the Grafana dashboards'],
  ['shared', 'the directory `shared` contains your code that services share'],
  ['testdata', 'Go ignores directories named `testdata`'],
  ['vendor', 'Go takes the directory `vendor` for copies of modules'],
])
/** Directories of the authentication service. */
const AUTHENTICATION: ReadonlySet<string> = new Set(['auth', 'auth-db'])

/** Block names are unique, as written and in the forms that the output uses. */
export function checkBlockNames(_definition: Definition, context: ValidationContext): void {
  const byName = new Map<string, Block>()
  const byForm = new Map<string, Block>()
  for (const block of context.index.blocks) {
    const form = isNamedInService(block) ? undefined : formOf(block)
    if (form === undefined || isSecondProject(block, context)) continue
    const same = byName.get(block.name)
    if (same !== undefined) {
      reportClash('duplicate-block', block, same, context)
      continue
    }
    byName.set(block.name, block)
    if (form === '') continue
    const alike = byForm.get(form)
    if (alike !== undefined) reportClash('block-name-collision', block, alike, context)
    else byForm.set(form, block)
  }
  checkDirectories(byForm, context)
}

const forms = new WeakMap<Block, string>()

/**
 * The form of a block's name that paths use: `undefined` without a name, empty if the name is invalid. Cached, because
 * most blocks do not change with an edit.
 */
function formOf(block: Block): string | undefined {
  let form = forms.get(block)
  if (form === undefined && hasName(block)) {
    form = isValidBlockName(block.name) ? kebabCase(block.name) : ''
    forms.set(block, form)
  }
  return form
}

function isSecondProject(block: Block, context: ValidationContext): boolean {
  return block.$type === 'Project' && block !== context.index.project
}

function reportClash(
  code: 'duplicate-block' | 'block-name-collision',
  later: Block,
  earlier: Block,
  context: ValidationContext,
): void {
  if (code === 'duplicate-block')
    context.report(code, nameSpan(later), `${quote(later.name)} is already declared`, {
      related: [{ ...nameSpan(earlier), message: 'first declared here' }],
    })
  else
    context.report(
      code,
      nameSpan(later),
      `${quote(later.name)} and ${quote(earlier.name)} have the same path name \`${kebabCase(later.name)}\``,
      {
        help: 'rename one of them',
        related: [{ ...nameSpan(earlier), message: `${quote(earlier.name)} declared here` }],
      },
    )
}

/** The directory of a service is not taken by other files, nor by the schema of another service. */
function checkDirectories(byForm: ReadonlyMap<string, Block>, context: ValidationContext): void {
  const services = [...byForm].filter(([, block]) => block.$type === 'Service' && !hasParseError(block))
  const sharesServer = databaseServerOf(context.index.project) === 'shared'
  const directories = new Map<string, Block>()
  const schemas = new Map<string, Block>()
  for (const [form, block] of services) {
    const stored = schemaFormOf(block, form, byForm)
    const schema = databaseDirectoryOf(stored)
    const reason = RESERVED.get(form)
    if (reason !== undefined) reportReserved(block, reason, undefined, context)
    if ([form, stored].includes(SHARED_DATABASE_SERVER) && sharesServer)
      reportReserved(
        block,
        `the host \`${SHARED_DATABASE_SERVER}\` is the Postgres that all services share`,
        undefined,
        context,
      )
    const ofAuthentication = [form, schema].find((directory) => AUTHENTICATION.has(directory))
    if (ofAuthentication !== undefined && context.index.authMethod !== undefined)
      reportReserved(
        block,
        `the directory \`${ofAuthentication}\` contains the authentication service`,
        undefined,
        context,
      )
    const schemaOf = schemas.get(form)
    const inSchema = directories.get(schema)
    if (schemaOf !== undefined)
      reportReserved(
        block,
        `the directory \`${form}\` contains the schema of ${quote(schemaOf.name)}`,
        schemaOf,
        context,
      )
    else if (inSchema !== undefined)
      reportReserved(
        block,
        `its schema directory \`${schema}\` contains ${quote(inSchema.name)}`,
        inSchema,
        context,
      )
    schemas.set(schema, block)
    directories.set(form, block)
  }
}

/** The first part of the name of a service's schema, which a renamed service keeps. */
function schemaFormOf(block: Block, form: string, byForm: ReadonlyMap<string, Block>): string {
  const formerName = formerNameOf(block)
  if (formerName === undefined || !isValidBlockName(formerName)) return form
  const former = kebabCase(formerName)
  return byForm.has(former) ? form : former
}

function reportReserved(
  block: Block,
  reason: string,
  earlier: Block | undefined,
  context: ValidationContext,
): void {
  context.report('reserved-service-name', nameSpan(block), `A service cannot be named ${quote(block.name)}`, {
    help: `${reason}; rename the service`,
    ...(earlier === undefined
      ? {}
      : { related: [{ ...nameSpan(earlier), message: `${quote(earlier.name)} declared here` }] }),
  })
}
