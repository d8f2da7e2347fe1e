import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { JsonObject } from '../../../src/json.ts'
import { openApiDocument } from '../../../src/emit/openapi/document.ts'
import { emitOpenApi } from '../../../src/emit/openapi/emit.ts'
import { platformOf } from '../platform.ts'

const SHOP = `/// Sells things.
Shop: project { #authMethod(email); }
/// Who sells.
Owner: service { name: string(80, 1) @unique; #auth; }
Thing: service {
  /// In grams.
  weight: int(40, 1); owner: Owner;
  any: int; tiny: int(precision: 1); big: int(precision: 8);
  rate: float(2.5, 0.1, 4); real: float(precision: 4); double: float; free: string;
  day: date; at: time; when: datetime; picture: data(5); exact: data(6); flag: bool;
  secret: string(8) @client; seen: datetime @serverSet; inner: int @server;
  Part: struct { name: string(9) @unique; #enumerable; }
  Joint: struct { part: Part; #omit[update]; }
  #enumerable; #readable(by: all);
}`

/** Endpoints of every form. */
const ENDPOINTS = `Stays: project { #authMethod(email); #roles[agent]; }
User: service { name: string; #auth; }
Home: service {
  title: string(80);
  Photo: struct { image: data(1M); #omit[read]; }
  /// What a stay costs. In euros.
  Quote: endpoint {
    #get("{id}/quote/{year}");
    year: int(2100, 2000) @client;
    nights: int(30, 1);
    coupon: string(20)? @client;
    guests: int = 2 @client;
    total: decimal @serverSet;
  }
  Nearby: endpoint { #get("nearby"); #returns(list: Home); }
  Find: endpoint { #post("find"); words: string @client; #returns(list: Photo); }
  SetOwner: endpoint { #put("{id}/owner"); owner: User; #access(by: agent); }
  Webhook: endpoint { #post("webhook"); note: string? @client; #public; #status(202); }
  Cover: endpoint { #get("{id}/cover"); #returns(Photo); #access(none); }
  #readable(by: all);
}`

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly security?: readonly object[]
  readonly description: string
  readonly parameters?: readonly JsonObject[]
  readonly requestBody?: JsonObject
  readonly responses: Readonly<Record<string, JsonObject>>
}

/** `DELETE /api/thing/{id}` of a definition. */
function operationOf(text: string, name: string): Operation {
  const [method = '', path = ''] = name.split(' ')
  const { paths } = openApiDocument(platformOf(text))
  const item = paths[path] as Readonly<Record<string, unknown>> | undefined
  const operation = item?.[method.toLowerCase()]
  if (operation === undefined) throw new Error(`No ${name}`)
  return operation as Operation
}

function schemaOf(
  text: string,
  name: string,
): { properties: Record<string, JsonObject>; required: string[]; description: string } {
  const { schemas } = openApiDocument(platformOf(text)).components as { schemas: JsonObject }
  return schemas[name] as unknown as ReturnType<typeof schemaOf>
}

function statuses(name: string, text = SHOP): string {
  return Object.keys(operationOf(text, name).responses).join(' ')
}

describe('the description of an API', () => {
  it('has a pattern for base64 that JavaScript can match with megabytes', () => {
    const { properties } = schemaOf(SHOP, 'ThingRequest')
    const pattern = new RegExp(properties['picture']?.['pattern'] as string, 'u')
    const long = 'AbC+'.repeat(4_000_000)
    for (const valid of ['', 'AA==', 'AAA=', 'AAAA', `${long}+A==`]) expect(pattern.test(valid)).toBe(true)
    for (const invalid of ['A', 'AA', 'AB==', 'AAB=', 'A===', 'AAA-', `${long}A`]) {
      expect(pattern.test(invalid)).toBe(false)
    }
  })

  it.each([
    ['POST /api/auth/register', '201 400 405 409 413 415 429 500 503 default'],
    ['POST /api/auth/login', '200 400 401 405 413 415 429 500 503 default'],
    ['POST /api/owner', '201 400 401 405 409 413 415 500 503 default'],
    ['GET /api/owner', '302 401 404 405 500 503 default'],
    ['GET /api/owner/{id}', '200 400 401 404 405 500 503 default'],
    ['PUT /api/owner/{id}', '200 400 401 404 405 409 413 415 500 503 default'],
    ['DELETE /api/owner/{id}', '200 400 401 404 405 500 503 default'],
    ['POST /api/thing', '201 400 401 405 413 415 500 503 default'],
    ['GET /api/thing/all', '200 400 401 405 500 503 default'],
    ['PUT /api/thing/{id}', '200 400 401 403 404 405 413 415 500 503 default'],
    ['DELETE /api/thing/{id}', '200 400 401 403 404 405 500 503 default'],
    ['POST /api/thing/{parent-id}/part', '201 400 401 403 404 405 409 413 415 500 503 default'],
    ['GET /api/thing/{parent-id}/part/all', '200 400 401 404 405 500 503 default'],
    ['GET /api/thing/{parent-id}/part/{id}/all', '200 400 401 404 405 500 503 default'],
    ['DELETE /api/thing/{parent-id}/part/{id}', '200 400 401 403 404 405 409 500 503 default'],
    ['DELETE /api/thing/{parent-id}/joint/{id}', '200 400 401 403 404 405 500 503 default'],
  ])('has every status of %s, and no other', (name, expected) => {
    expect(statuses(name)).toBe(expected)
  })

  it.each([
    ['GET /api/home/{id}/quote/{year}', '200 400 401 404 405 500 503 default'],
    ['GET /api/home/nearby', '200 400 401 405 500 503 default'],
    ['POST /api/home/find', '200 400 401 405 413 415 500 503 default'],
    ['PUT /api/home/{id}/owner', '200 400 401 403 404 405 413 415 500 503 default'],
    ['POST /api/home/webhook', '202 400 405 413 415 500 503 default'],
    ['GET /api/home/{id}/cover', '200 400 401 405 500 503 default'],
  ])('has every status of the declared endpoint %s', (name, expected) => {
    expect(statuses(name, ENDPOINTS)).toBe(expected)
  })

  it('has the requests and responses of declared endpoints', () => {
    const quote = operationOf(ENDPOINTS, 'GET /api/home/{id}/quote/{year}')
    expect(quote).toMatchObject({
      operationId: 'quoteHome',
      summary: 'What a stay costs',
      description: 'What a stay costs. In euros.\n\nAccess: any user.',
      security: [{ bearer: [] }],
    })
    expect(quote.parameters).toMatchObject([
      { name: 'id', in: 'path', required: true, schema: { format: 'uuid' } },
      { name: 'year', in: 'path', required: true, schema: { type: 'integer', minimum: 2000 } },
      { name: 'nights', in: 'query', required: true, schema: { type: 'integer', maximum: 30 } },
      { name: 'coupon', in: 'query', schema: { type: 'string', maxLength: 20 } },
      { name: 'guests', in: 'query', schema: { type: 'integer', default: 2 } },
    ])
    expect(schemaOf(ENDPOINTS, 'QuoteHomeResponse')).toEqual({
      type: 'object',
      description: 'The response of Quote.',
      required: ['nights', 'total'],
      properties: {
        nights: { type: 'integer', format: 'int32', minimum: 1, maximum: 30 },
        total: expect.not.objectContaining({ readOnly: true }) as unknown,
      },
      additionalProperties: false,
    })
    const find = operationOf(ENDPOINTS, 'POST /api/home/find')
    expect(find.summary).toBe('Find')
    expect(find.parameters?.map(({ name }) => name)).toEqual(['limit', 'after'])
    expect(schemaOf(ENDPOINTS, 'FindHomeRequest')).toMatchObject({
      required: ['words'],
      properties: { words: { type: 'string' } },
    })
    expect(schemaOf(ENDPOINTS, 'FindHomeResponse').properties).toEqual({
      PhotoList: { type: 'array', items: { $ref: '#/components/schemas/Photo' } },
    })
    expect(Object.keys(schemaOf(ENDPOINTS, 'Photo').properties)).toEqual(['id', 'image'])
    expect(find.responses['200']?.['headers']).toHaveProperty('Link')
    const webhook = operationOf(ENDPOINTS, 'POST /api/home/webhook')
    expect([webhook.security, webhook.description]).toEqual([[], 'Access: anyone.'])
    expect(operationOf(ENDPOINTS, 'PUT /api/home/{id}/owner')).toMatchObject({
      summary: 'Set owner',
      'x-access': 'users with the role agent who can update the Home',
    })
    const cover = operationOf(ENDPOINTS, 'GET /api/home/{id}/cover').responses['200']
    expect(JSON.stringify(cover)).toContain('#/components/schemas/Photo"')
  })

  it('has every bound', () => {
    const { properties } = schemaOf(SHOP, 'Thing')
    const { properties: sent } = schemaOf(SHOP, 'ThingRequest')
    expect(properties['weight']).toEqual({
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: 40,
      description: 'In grams.',
    })
    expect(properties['any']).toMatchObject({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 })
    expect(properties['tiny']).toMatchObject({ minimum: -128, maximum: 127 })
    expect(properties['big']).toMatchObject({
      format: 'int64',
      minimum: -Number.MAX_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
    })
    // Answers write single precision in the fewest digits, here 0.1, which is less than what is stored.
    expect(properties['rate']).toMatchObject({ format: 'float', minimum: 0.1, maximum: 2.5 })
    expect(properties['real']).toMatchObject({ minimum: -3.4028235e38, maximum: 3.4028235e38 })
    expect(properties['double']).toMatchObject({ format: 'double', maximum: Number.MAX_VALUE })
    expect(properties['owner']).toMatchObject({ format: 'uuid', 'x-references': 'Owner' })
    expect(properties['flag']).toEqual({ type: 'boolean' })
    expect(properties['seen']).toMatchObject({ format: 'date-time', readOnly: true })
    expect(sent['secret']).toMatchObject({ maxLength: 8, writeOnly: true })
    expect(schemaOf(SHOP, 'OwnerRequest').properties['name']).toMatchObject({ minLength: 1, maxLength: 80 })
    expect(Object.keys(properties)).not.toContain('secret')
    expect(Object.keys(properties)).not.toContain('inner')
    expect(Object.keys(sent)).not.toContain('seen')
    expect(schemaOf(SHOP, 'Thing').required).toEqual(Object.keys(properties))
  })

  it.each([
    ['day', '2030-01-31', '0000-01-31'],
    ['at', '23:59:59.999999', '24:00:00'],
    ['at', '12:30:00', '12:30'],
    ['when', '2030-01-31T12:30:00.5+01:00', '2030-01-31T12:30:60Z'],
    ['when', '2030-01-31t12:30:00z', '2030-01-31T12:30:00'],
    ['free', 'a\nb\n', 'a\u0000b'],
    ['picture', 'SGVsbG8=', 'SGVsbG9='],
    ['picture', '', 'SGVsbG8'],
  ])('has a pattern of %s that takes %j and refuses %j', (name, good, bad) => {
    const pattern = new RegExp(schemaOf(SHOP, 'ThingRequest').properties[name]?.['pattern'] as string, 'u')
    expect([pattern.test(good), pattern.test(bad)]).toEqual([true, false])
  })

  it('limits the bytes of data, although JSON Schema counts characters', () => {
    const { picture, exact } = schemaOf(SHOP, 'ThingRequest').properties
    expect(exact).toMatchObject({ maxLength: 8 })
    expect(exact).not.toHaveProperty('anyOf')
    // Eight characters hold six bytes, unless they are padded.
    expect(picture).toMatchObject({
      maxLength: 8,
      anyOf: [
        { type: 'string', maxLength: 4 },
        { type: 'string', pattern: '=$' },
      ],
    })
  })

  it('has examples of requests without the ids that clients can leave out', () => {
    const text = 'P: project {} Part: service { name: string(9); parent: Part?; }'
    expect(operationOf(text, 'POST /api/part').requestBody).toMatchObject({
      content: { 'application/json': { example: { name: 'Some name', parent: null } } },
    })
  })

  it('names the attributes for which null is not missing', () => {
    const description = (type: string) =>
      schemaOf(`P: project {} Part: service { size: ${type}; }`, 'PartRequest').description
    expect(description('int? = 3')).toMatch(/A value of null counts as missing, but is stored in `size`\.$/)
    expect(description('int = 3')).toMatch(/A value of null counts as missing\.$/)
  })

  it('describes the order of a list only if clients cannot change it', () => {
    const description = (metadata: string) =>
      schemaOf(`P: project {} Part: service { size: int; ${metadata}; }`, 'PartList').description
    expect(description('#enumerable')).toContain('in the order of ids')
    expect(description('#enumerable(sort: [size])')).not.toContain('order')
  })

  it.each(['#enumerable', '#enumerable(sort: [size])'])('limits a list by ids with %s', (metadata) => {
    const definition = `P: project {} Part: service { size: int; ${metadata}; }`
    const { parameters } = operationOf(definition, 'GET /api/part/all')
    expect(parameters).toContainEqual(
      expect.objectContaining({
        name: 'id[in]',
        explode: false,
        schema: { type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 1, maxItems: 100 },
      }),
    )
  })

  it('has links from an entity to its operations', () => {
    const [created] = [operationOf(SHOP, 'POST /api/thing').responses['201']]
    expect(Object.keys(created?.['links'] ?? {})).toEqual([
      'readThing',
      'updateThing',
      'patchThing',
      'deleteThing',
      'createPart',
      'listPart',
      'createJoint',
    ])
    expect(created?.['links']).toMatchObject({
      createPart: { operationId: 'createPart', parameters: { 'parent-id': '$response.body#/id' } },
    })
  })

  it('states who can access an endpoint, and its conflicts', () => {
    expect(operationOf(SHOP, 'POST /api/owner').description).toBe(`Creates an Owner and returns it.

Access: any user, once.

Returns 409 if the caller already has an Owner, or if another Owner has the same \`name\`.`)
  })

  it('has neither tokens nor 401 responses without authentication', () => {
    const text = 'Tiny: project {} Note: service { text: string; #enumerable; }'
    const document = openApiDocument(platformOf(text))
    expect(document['security']).toEqual([])
    expect(document.components).not.toHaveProperty('securitySchemes')
    expect(statuses('PUT /api/note/{id}', text)).toBe('200 400 404 405 413 415 500 503 default')
    expect(operationOf(text, 'POST /api/note').security).toBeUndefined()
    expect(document.components).toHaveProperty(['responses', 'Unavailable', 'headers', 'Retry-After'])
  })

  it('keeps declared names, and avoids collisions with its own', () => {
    const text = `P: project { #authMethod(email); } Error: service { n: int; #auth; #enumerable; #readable(by: all); }
ErrorRequest: service { error: Error; } Credentials: service { n: int; }`
    const { schemas } = openApiDocument(platformOf(text)).components as { schemas: JsonObject }
    expect(Object.keys(schemas)).toEqual([
      'Error',
      'ErrorRequest2',
      'ErrorPatch',
      'ErrorList',
      'ErrorRequest',
      'ErrorRequestRequest',
      'ErrorRequestPatch',
      'Credentials',
      'CredentialsRequest',
      'CredentialsPatch',
      'Credentials2',
      'AccessToken',
      'Error2',
      'GatewayError',
      'Deleted',
    ])
  })

  it('gives every operation a unique id', () => {
    const { paths } = openApiDocument(platformOf(SHOP))
    const names = Object.values(paths).flatMap((item) =>
      Object.values(item as unknown as Record<string, Operation>).map(({ operationId }) => operationId),
    )
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining(['register', 'login', 'createThing', 'listPart_byPath']))
  })

  it('is the same in YAML and in JSON', () => {
    const [yaml, json] = emitOpenApi(platformOf(SHOP))
    expect([yaml?.path, json?.path]).toEqual(['api/shop.openapi.yaml', 'api/openapi.json'])
    expect(parse(yaml?.content ?? '')).toEqual(JSON.parse(json?.content ?? ''))
  })
})
