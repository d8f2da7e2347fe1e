import { isObject, type Json, type JsonObject } from '../json.ts'
import { SpellingSuggester } from '../language/spelling.ts'
import type { Attribute, Platform } from '../model/platform.ts'
import { describeType } from '../model/type-description.ts'
import { listed } from '../naming.ts'
import { requestAttributes } from './body.ts'
import { type Resource, resourcesOf } from './resource.ts'
import { SAMPLED_OPERATIONS, type SampledOperation, type Samples } from './samples.ts'
import { givenValue } from './values/given.ts'
import { creatableWords } from './values/sample.ts'
import type { Value } from './values/value.ts'

/** Samples that do not fit the definition. */
export class SamplesError extends Error {
  readonly help: string | undefined

  constructor(message: string, help?: string) {
    super(message)
    this.help = help
  }
}

/** The longest value that a message shows, in UTF-16 units. */
const SHOWN = 60

/**
 * Adds samples in the form `{"Home": {"beds": [2, 3], "name": {"create": "a", "update": "b"}}}`: by the name of a
 * service or struct (`Home.Photo`), then by attribute, a value, a list of values, or those for each operation. The
 * authentication service has `email` and `password`.
 *
 * @throws a `SamplesError` for whatever the definition does not have.
 */
export function readSamples(json: Json, platform: Platform, samples: Samples): void {
  const resources = platform.services.flatMap((service) => resourcesOf({ platform, service, samples }))
  const byLabel = new Map(resources.map((resource) => [resource.label, resource]))
  const { authentication } = platform
  const known = [...(authentication === undefined ? [] : [authentication.names.declared]), ...byLabel.keys()]
  for (const [label, attributes] of membersOf(json, 'Samples must be an object of services')) {
    const members = membersOf(attributes, `The samples of \`${label}\` must be an object of attributes`)
    const resource = byLabel.get(label)
    if (resource !== undefined) readResource(members, resource, samples)
    else if (label === authentication?.names.declared) readUsers(members, label, samples)
    else throw unknown('service', `\`${label}\``, label, known)
  }
}

function readResource(members: [string, Json][], resource: Resource, samples: Samples): void {
  const attributes = requestAttributes(resource)
  const { label } = resource
  for (const [name, given] of members) {
    const attribute = attributes.find(({ names }) => names.declared === name)
    if (attribute === undefined) {
      const names = attributes.map(({ names: { declared } }) => declared)
      throw unknown('attribute', `\`${name}\` of \`${label}\` in requests`, name, names)
    }
    for (const [operation, list] of byOperation(given, `\`${name}\` of \`${label}\``))
      samples.add(label, attribute, operation, valuesOf(list, attribute, label))
  }
}

function byOperation(given: Json, of: string): [SampledOperation, Json][] {
  if (!isObject(given)) return SAMPLED_OPERATIONS.map((operation) => [operation, given])
  return Object.entries(given).map(([name, list]) => {
    const operation = SAMPLED_OPERATIONS.find((known) => known === name)
    if (operation === undefined) throw unknown('operation', `\`${name}\` of ${of}`, name, SAMPLED_OPERATIONS)
    return [operation, list]
  })
}

function valuesOf(given: Json, { names, type, optional }: Attribute, label: string): Value[] {
  const of = `\`${names.declared}\` of \`${label}\``
  // The other values of an enum can follow only a transition.
  const expected = type.kind === 'enum' ? listed(creatableWords(type), 'or') : describeType(type)
  return listOf(given, of).map((json) => {
    const value = json === null && optional ? { json: 'null', expected: null } : givenValue(type, json)
    if (value !== undefined) return value
    throw new SamplesError(
      `Invalid value ${shown(json)} of ${of}`,
      type.kind === 'sibling'
        ? 'the checks create the entries that it refers to'
        : `expected: ${expected}${optional ? ', or null' : ''}`,
    )
  })
}

function readUsers(members: [string, Json][], label: string, samples: Samples): void {
  for (const [name, given] of members) {
    const of = `\`${name}\` of \`${label}\``
    if (name === 'email') samples.addEmails(listOf(given, of).map((json) => textOf(json, of, isEmail)))
    else if (name === 'password') samples.password = textOf(given, of, isPassword)
    else throw unknown('attribute', of, name, ['email', 'password'])
  }
}

function textOf(json: Json, of: string, isValid: (text: string) => boolean): string {
  if (typeof json === 'string' && isValid(json)) return json
  throw new SamplesError(
    `Invalid value ${shown(json)} of ${of}`,
    isValid === isEmail
      ? 'expected: email address, in which `*` stands for random letters and digits'
      : 'expected: one string of at least 8 characters and at most 71 bytes',
  )
}

const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text)

/** Checks append a character, and services take at most 72 bytes. */
const isPassword = (text: string): boolean => Array.from(text).length >= 8 && Buffer.byteLength(text) <= 71

function listOf(given: Json, of: string): readonly Json[] {
  const list: readonly Json[] = Array.isArray(given) ? given : [given]
  if (list.length === 0) throw new SamplesError(`Expected at least one value of ${of}`)
  return list
}

function membersOf(json: Json, problem: string): [string, Json][] {
  if (!isObject(json)) throw new SamplesError(problem, 'for example {"Home": {"beds": [2, 3]}}')
  return Object.entries(json satisfies JsonObject)
}

function unknown(kind: string, what: string, name: string, known: readonly string[]): SamplesError {
  const meant = new SpellingSuggester().suggest(name, known)
  const help = meant === undefined ? `expected ${listed(known, 'or')}` : `did you mean \`${meant}\`?`
  return new SamplesError(`Unknown ${kind} ${what}`, known.length === 0 ? undefined : help)
}

function shown(json: Json): string {
  const text = JSON.stringify(json)
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text
}
