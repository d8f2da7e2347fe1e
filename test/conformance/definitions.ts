import * as fc from 'fast-check'

const REFERENCE = 'reference'
const SIBLING = 'sibling'

/** Texts of valid definitions: services that refer to earlier ones, structs, annotations and metadata of all kinds. */
export const definitions: fc.Arbitrary<string> = fc
  .record({
    authenticated: fc.boolean(),
    services: fc.array(serviceShape(), { minLength: 1, maxLength: 4 }),
  })
  .map(({ authenticated, services }) => projectText(authenticated, services))

interface AttributeShape {
  readonly type: string
  readonly annotations: readonly string[]
  /** Picks one of the services before this one where the type is a reference. */
  readonly pick: number
}

interface BlockShape {
  readonly attributes: readonly AttributeShape[]
  readonly enumerable: boolean
  readonly omit: readonly string[]
}

interface ServiceShape extends BlockShape {
  readonly auth: boolean
  readonly access: string
  readonly structs: readonly BlockShape[]
}

function serviceShape(): fc.Arbitrary<ServiceShape> {
  return fc.record({
    ...blockShape(),
    auth: fc.boolean(),
    access: fc.constantFrom('', '#readable(by: all);', '#readable(by: all); #writable(by: all);'),
    structs: fc.array(fc.record(blockShape()), { maxLength: 2 }),
  })
}

function blockShape(): { [Key in keyof BlockShape]: fc.Arbitrary<BlockShape[Key]> } {
  return {
    attributes: fc.array(attributeShape(), { maxLength: 4 }),
    enumerable: fc.boolean(),
    omit: fc.subarray(['read', 'update', 'delete'], { maxLength: 2 }),
  }
}

function attributeShape(): fc.Arbitrary<AttributeShape> {
  const types = [
    'bool',
    'string',
    'string(5)',
    'string(200, 3)',
    'string(1)',
    'int',
    'int(100, 1)',
    'int(precision: 8)',
    'int(7)',
    'float',
    'float(min: 0.0)',
    'float(10, -10, 4)',
    'date',
    'time',
    'datetime',
    'data',
    'data(300)',
    'enum(one)',
    'decimal',
    'decimal(max: 99.9, min: -0.5, scale: 1)',
    'decimal(max: 0.02, min: 0)',
    'enum(open, in-progress, 2xl)',
    REFERENCE,
    SIBLING,
  ]
  const annotations = [
    [],
    [],
    ['@unique'],
    ['@server'],
    ['@serverSet'],
    ['@client'],
    ['@serverSet', '@unique'],
  ]
  return fc.record({
    type: fc.constantFrom(...types),
    annotations: fc.constantFrom(...annotations),
    pick: fc.nat(),
  })
}

function projectText(authenticated: boolean, services: readonly ServiceShape[]): string {
  const names = services.map((_, index) => `Thing${index}`)
  const auth = (index: number): boolean => authenticated && (index === 0 || services[index]?.auth === true)
  const blocks = services.map((service, index) => {
    const access = service.access.includes('writable') || authenticated ? service.access : ''
    const structs = service.structs.map((struct, position) => {
      const siblings = service.structs.slice(0, position).map((_, earlier) => `${names[index]}Part${earlier}`)
      return `  ${names[index]}Part${position}: struct {\n${blockText(struct, names.slice(0, index + 1), siblings)}  }\n`
    })
    const metadata = [auth(index) ? '#auth;' : '', access]
      .filter((text) => text !== '')
      .map((text) => `  ${text}\n`)
    const body = blockText(service, names.slice(0, index), [])
    return `${names[index]}: service {\n${body}${structs.join('')}${metadata.join('')}}\n`
  })
  return `Random: project {${authenticated ? ' #authMethod(email); ' : ''}}\n${blocks.join('')}`
}

function blockText(block: BlockShape, targets: readonly string[], siblings: readonly string[]): string {
  const attributes = block.attributes.map(({ type, annotations, pick }, index) => {
    const choices = type === REFERENCE ? targets : type === SIBLING ? siblings : []
    const named = type === REFERENCE || type === SIBLING ? (choices[pick % choices.length] ?? 'int') : type
    return `    value${index}: ${[named, ...annotations].join(' ')};\n`
  })
  const enumerable = block.enumerable ? '    #enumerable;\n' : ''
  const omit = block.omit.length > 0 ? `    #omit[${block.omit.join(', ')}];\n` : ''
  return attributes.join('') + enumerable + omit
}
