import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { apiChanges } from '../../../src/emit/api-changes/api-changes.ts'
import { RULES } from '../../../src/emit/api-changes/rules.ts'
import type { Entity, Platform } from '../../../src/model/platform.ts'
import { platformOf } from '../platform.ts'

const covered = new Set<string>()

/** The changes between two platforms as `rule endpoint: reason`. */
function changesBetween(older: Platform, newer: Platform): string[] {
  return apiChanges(older, newer).map(({ rule, endpoint, reason }) => {
    covered.add(rule)
    return `${rule} ${endpoint}: ${reason}`
  })
}

function changes(older: string, newer: string): string[] {
  return changesBetween(platformOf(older), platformOf(newer))
}

/** The changes if the members of a service that only creates and reads differ. */
function memberChanges(older: string, newer: string): string[] {
  const definition = (members: string): string =>
    `P: project {} Host: service {} Guest: service {} Home: service { #omit[update, delete]; ${members} }`
  return changes(definition(older), definition(newer))
}

/** The changes if the access rules of a service with a struct differ. */
function accessChanges(older: string, newer: string): string[] {
  const definition = (metadata: string): string => `
    P: project { #authMethod(email); }
    User: service { #auth; }
    Home: service { #enumerable; Photo: struct { #omit[update, delete]; } ${metadata} }`
  return changes(definition(older), definition(newer))
}

/** The changes if an endpoint of a service with authentication differs. */
function endpointChanges(older: string, newer: string): string[] {
  const definition = (endpoint: string): string => `
    P: project { #authMethod(email); #roles[agent, admin]; }
    User: service { #auth; }
    Home: service { title: string; Photo: struct { n: int; } #readable(by: all); ${endpoint} }`
  return changes(definition(older), definition(newer))
}

describe('declared endpoints', () => {
  const quote = (members: string): string => `Quote: endpoint { ${members} }`

  test('are removed and added', () => {
    const both = [quote('#get("quote");'), quote('#post("{id}/quote");')]
    expect(endpointChanges(both[0] ?? '', '')).toEqual([
      'endpoint-removed GET /api/home/quote: The endpoint was removed',
    ])
    expect(endpointChanges('', both[1] ?? '')).toEqual([
      'endpoint-added POST /api/home/{id}/quote: The endpoint is new',
    ])
    expect(changes(`P: project {} Home: service { ${both[0]} }`, 'P: project {} Room: service {}')).toContain(
      'endpoint-removed GET /api/home/quote: The endpoint was removed',
    )
  })

  test('have the same method, path and status', () => {
    expect(endpointChanges(quote('#get("quote");'), quote('#post("quotes"); #status(202);'))).toEqual([
      'path-changed GET /api/home/quote: The endpoint is now `POST /api/home/quotes`',
      'status-changed POST /api/home/quotes: The success status is 202 (before: 200)',
    ])
    expect(endpointChanges(quote('#get("quote");'), 'Price: endpoint { #get("quote"); }')).toEqual([])
  })

  test('take and return the same', () => {
    const was = quote('#get("quote"); nights: int(30, 1); coupon: string? @client; total: int @serverSet;')
    const is = quote('#get("quote"); nights: int(20, 1); day: date @client; sum: int @serverSet;')
    expect(endpointChanges(was, is)).toEqual([
      'request-bounds-narrowed GET /api/home/quote: `Quote.nights` accepts fewer values: integer, 1 to 20 (before: integer, 1 to 30)',
      'request-attribute-removed GET /api/home/quote: `Quote.coupon` in requests is rejected',
      'response-attribute-removed GET /api/home/quote: Responses no longer contain `Quote.total`',
      'request-attribute-required GET /api/home/quote: Requests must contain `Quote.day`',
      'response-bounds-narrowed GET /api/home/quote: `Quote.nights` can have fewer values: integer, 1 to 20 (before: integer, 1 to 30)',
      'response-attribute-added GET /api/home/quote: Responses contain `Quote.sum`',
    ])
    expect(
      endpointChanges(
        quote('#get("quote"); #returns(Home);'),
        quote('#get("quote"); #returns(list: Photo);'),
      ),
    ).toEqual(['type-changed GET /api/home/quote: Responses are pages of `Photo` (before: `Home`)'])
    expect(
      endpointChanges(quote('#get("quote"); n: int @serverSet;'), quote('#get("quote"); #returns(Home);')),
    ).toEqual(['type-changed GET /api/home/quote: Responses are `Home` (before: objects of the endpoint)'])
  })

  test('returning an entity change with it', () => {
    const definition = (attribute: string): string =>
      `P: project {} Home: service { ${attribute} #omit[create, read, update, delete]; Near: endpoint { #get("near"); #returns(list: Home); } }`
    expect(changes(definition('beds: int;'), definition('rooms: int;'))).toEqual([
      'response-attribute-removed GET /api/home/near: Responses no longer contain `Home.beds`',
      'response-attribute-added GET /api/home/near: Responses contain `Home.rooms`',
    ])
  })

  test('admit the same callers', () => {
    const access = (...members: string[]): string[] =>
      endpointChanges(...(members.map((each) => quote(`#put("{id}/quote"); ${each}`)) as [string, string]))
    expect(access('#access(none); #public;', '#access(none);')).toEqual([
      'authentication-added PUT /api/home/{id}/quote: A token is required',
    ])
    expect(access('#access(none);', '#access(none); #public;')).toEqual([
      'authentication-removed PUT /api/home/{id}/quote: No token is required',
    ])
    expect(access('#access(readable);', '')).toEqual([
      'access-narrowed PUT /api/home/{id}/quote: Access changed from any user to its creator',
    ])
    expect(access('#access(none, by: agent);', '#access(none, by: [agent, admin]);')).toEqual([
      'access-widened PUT /api/home/{id}/quote: Access changed from users with the role agent to users with the role agent or admin',
    ])
    expect(access('#access(none);', '#access(none, by: agent);')).toEqual([
      'access-narrowed PUT /api/home/{id}/quote: Access changed from any user to users with the role agent',
    ])
  })
})

describe('versions', () => {
  const versionChanges = (older: string, newer: string): string[] => {
    const definition = (members: string): string =>
      `P: project {} Home: service { #omit[create, update]; ${members} }`
    return changes(definition(older), definition(newer))
  }

  test('are added, required, and removed', () => {
    expect(versionChanges('', '#versioned;')).toEqual([
      'version-added GET /api/home/{id}: Responses have a version as `ETag`',
    ])
    expect(versionChanges('', '#versioned(required: true);')).toEqual([
      'version-required DELETE /api/home/{id}: Requests must contain `If-Match`',
      'version-added GET /api/home/{id}: Responses have a version as `ETag`',
    ])
    expect(versionChanges('#versioned(required: true);', '#versioned;')).toEqual([
      'version-optional DELETE /api/home/{id}: Requests can leave `If-Match` out',
    ])
    expect(versionChanges('#versioned;', '')).toEqual([
      'version-removed GET /api/home/{id}: Responses no longer have a version as `ETag`',
      'version-removed DELETE /api/home/{id}: `If-Match` is ignored',
    ])
  })
})

test('keys of creates are added and removed', () => {
  expect(memberChanges('', '#idempotent;')).toEqual([
    'key-added POST /api/home: Requests can have an `Idempotency-Key`',
  ])
  expect(memberChanges('#idempotent;', '')).toEqual([
    'key-removed POST /api/home: `Idempotency-Key` is ignored',
  ])
})

describe('endpoints', () => {
  test('are removed and added, breaking changes first', () => {
    expect(memberChanges('', '#enumerable;')).toEqual([
      'endpoint-added GET /api/home/all: The endpoint is new',
    ])
    expect(
      changes(
        'P: project {} Home: service { #omit[update, delete]; }',
        'P: project {} Room: service { #omit[update, delete]; }',
      ),
    ).toEqual([
      'endpoint-removed POST /api/home: The endpoint was removed',
      'endpoint-removed GET /api/home/{id}: The endpoint was removed',
      'endpoint-added POST /api/room: The endpoint is new',
      'endpoint-added GET /api/room/{id}: The endpoint is new',
    ])
  })

  test('of what values can become concern those that change them', () => {
    const state = (transitions: string) => `state: enum(draft, sent, paid) ${transitions};`
    const both = (rule: string, text: string) =>
      ['PUT', 'PATCH'].map((method) => `${rule} ${method} /api/home/{id}: ${text}`)
    const stateChanges = (older: string, newer: string) =>
      changes(
        ...([older, newer].map((each) => `P: project {} Home: service { ${each} #omit[delete]; }`) as [
          string,
          string,
        ]),
      )
    const plain = state('= draft')
    const first = state('@transitions(draft: sent, sent: paid)')
    const second = state('@transitions(draft: [sent, paid], paid: sent)')
    expect(stateChanges(plain, first)).toEqual([
      'request-bounds-narrowed POST /api/home: `Home.state` of a new entity can only be `draft`',
      ...both(
        'transition-removed',
        '`Home.state` can no longer change from `draft` to `paid`, or from `sent` to `draft`, or from `paid` to `draft` or `sent`',
      ),
    ])
    expect(stateChanges(first, plain)).toEqual([
      'request-bounds-widened POST /api/home: `Home.state` of a new entity can be `draft`, `sent` or `paid`',
      ...both(
        'transition-added',
        '`Home.state` can change from `draft` to `paid`, or from `sent` to `draft`, or from `paid` to `draft` or `sent`',
      ),
    ])
    expect(stateChanges(first, second)).toEqual([
      ...both('transition-removed', '`Home.state` can no longer change from `sent` to `paid`'),
      ...both('transition-added', '`Home.state` can change from `draft` to `paid`, or from `paid` to `sent`'),
    ])
  })

  test('of a struct that moves to another service have another path', () => {
    const photo = 'Photo: struct { #omit[read, update, delete]; #enumerable; }'
    expect(
      changes(
        `P: project {} Home: service { ${photo} } Room: service {}`,
        `P: project {} Home: service {} Room: service { ${photo} }`,
      ),
    ).toEqual([
      'path-changed POST /api/home/{parent-id}/photo: The endpoint is now `POST /api/room/{parent-id}/photo`',
      'path-changed GET /api/home/{parent-id}/photo/all: The endpoint is now `GET /api/room/{parent-id}/photo/all`',
    ])
  })

  test('of a renamed service have another path, and references to it are the same', () => {
    const definition = (name: string, metadata: string): string =>
      `P: project {} ${name}: service { #omit[update, delete]; ${metadata} } Visit: service { to: ${name}; }`
    expect(changes(definition('House', ''), definition('Home', '#was(House);'))).toEqual([
      'path-changed POST /api/house: The endpoint is now `POST /api/home`',
      'path-changed GET /api/house/{id}: The endpoint is now `GET /api/home/{id}`',
    ])
  })

  test('keep their path if only the case of a name changes, but the key of the list changes', () => {
    const definition = (name: string): string =>
      `P: project {} ${name}: service { #enumerable; } Visit: service { log: ${name}; }`
    expect(changes(definition('HTTPLog'), definition('HttpLog'))).toEqual([
      'list-key-changed GET /api/http-log/all: Responses contain the list as `HttpLogList` (before: `HTTPLogList`)',
    ])
  })

  test('lists gain and lose filters and orders', () => {
    const definition = (lists: string, type = 'int(9, 1)'): string =>
      `P: project {} Home: service { beds: ${type}; city: string(20); #enumerable${lists}; }`
    const [none, some] = [definition(''), definition('(filter: [city], sort: [beds])')]
    const at = 'GET /api/home/all: The list can'
    expect(changes(none, some)).toEqual([
      'unknown-parameters-rejected GET /api/home/all: Unknown query parameters are rejected',
      `filter-added ${at} be filtered by \`city\``,
      `order-added ${at} be sorted by \`beds\``,
    ])
    expect(changes(some, none)).toEqual([
      `filter-removed ${at} no longer be filtered by \`city\``,
      `order-removed ${at} no longer be sorted by \`beds\``,
    ])
  })

  test.each([
    ['int(9, 1)', 'int(5, 1)', ['accepts fewer values: integer, 1 to 5 (before: integer, 1 to 9)']],
    [
      'string(9) @serverSet',
      'enum(a) @serverSet',
      ['accepts fewer values: one of `a` (before: string, at most 9 characters)'],
    ],
    ['int? @serverSet', 'int @serverSet', ['no longer accepts `null`']],
    ['int', 'bool', []],
  ])('a filter changes from %s to %s, once', (older, newer, expected) => {
    const definition = (type: string): string =>
      `P: project {} Home: service { beds: ${type}; #enumerable(filter: [beds]); }`
    const ofFilters = changes(definition(older), definition(newer)).filter((change) =>
      change.startsWith('filter-'),
    )
    expect(ofFilters).toEqual(
      expected.map((what) => `filter-narrowed GET /api/home/all: The filter \`beds\` ${what}`),
    )
  })

  test('a renamed attribute is one change, with its filters and orders', () => {
    const definition = (members: string, name: string): string =>
      `P: project {} Home: service { ${members} #omit[update, delete]; #enumerable(filter: [${name}], sort: [${name}]); #unique[${name}, other]; other: int; }`
    expect(
      changes(definition('city: string(20);', 'city'), definition('town: string(20) @was(city);', 'town')),
    ).toEqual(
      ['POST /api/home', 'GET /api/home/{id}', 'GET /api/home/all'].map(
        (endpoint) => `attribute-renamed ${endpoint}: \`Home.city\` is now \`Home.town\``,
      ),
    )
    const changed = changes(
      definition('city: string(20);', 'city'),
      definition('town: string(30) @was(city);', 'town'),
    )
    expect(changed).toContain(
      'request-bounds-widened POST /api/home: `Home.town` accepts more values: string, at most 30 characters (before: string, at most 20 characters)',
    )
    // An attribute that only hooks read and write.
    expect(
      changes(
        'P: project {} Home: service { a: int @server; }',
        'P: project {} Home: service { b: int @server @was(a); }',
      ),
    ).toEqual([])
  })

  test('succeed with another status', () => {
    const older = platformOf('P: project {} Home: service { #omit[read, update, delete]; }')
    const withStatus = (entity: Entity): Entity => ({
      ...entity,
      endpoints: entity.endpoints.map((endpoint) => ({ ...endpoint, success: 200 })),
    })
    const newer = {
      ...older,
      services: older.services.map((service) => ({ ...service, entity: withStatus(service.entity) })),
    }
    expect(changesBetween(older, newer)).toEqual([
      'status-changed POST /api/home: The success status is 200 (before: 201)',
    ])
  })
})

describe('access', () => {
  test('requires a token', () => {
    const open = 'P: project {} Home: service { #omit[update, delete]; }'
    const closed = `P: project { #authMethod(email); } User: service { #auth; #omit[create, read, update, delete, identify]; }
      Home: service { #omit[update, delete]; }`
    expect(changes(open, closed)).toEqual([
      'authentication-added POST /api/home: A token is required',
      'authentication-added GET /api/home/{id}: A token is required',
      'access-narrowed GET /api/home/{id}: Access changed from anyone to its creator',
      'endpoint-added POST /api/auth/register: The endpoint is new',
      'endpoint-added POST /api/auth/login: The endpoint is new',
    ])
    expect(changes(closed, open)).toEqual([
      'endpoint-removed POST /api/auth/register: The endpoint was removed',
      'endpoint-removed POST /api/auth/login: The endpoint was removed',
      'authentication-removed POST /api/home: No token is required',
      'authentication-removed GET /api/home/{id}: No token is required',
      'access-widened GET /api/home/{id}: Access changed from its creator to anyone',
    ])
  })

  test('of own routes depends on `#public`', () => {
    expect(accessChanges('#public[webhook, ping];', '#public[ping, status];')).toEqual([
      'authentication-added /api/home/webhook/...: A token is required',
      'authentication-removed /api/home/status/...: No token is required',
    ])
  })

  test('is narrowed and widened, also that of structs', () => {
    expect(accessChanges('#readable(all);', '')).toEqual([
      'access-narrowed GET /api/home/{id}: Access changed from any user to its creator',
      'access-narrowed GET /api/home/all: Access changed from any user to any user (own entities only)',
      "access-narrowed GET /api/home/{parent-id}/photo/{id}: Access changed from any user to its parent's creator",
    ])
    expect(accessChanges('#readable(all);', '#readable(all); #writable(all);')).toEqual([
      'access-widened PUT /api/home/{id}: Access changed from its creator to any user',
      'access-widened PATCH /api/home/{id}: Access changed from its creator to any user',
      'access-widened DELETE /api/home/{id}: Access changed from its creator to any user',
      "access-widened POST /api/home/{parent-id}/photo: Access changed from its parent's creator to any user",
    ])
  })

  test('by roles is narrowed unless everyone with access keeps it', () => {
    const withRoles = (metadata: string) =>
      `P: project { #authMethod(email); #roles[agent, admin]; } User: service { #auth; #omit[create, read, update, delete, identify]; }
      Home: service { #omit[delete]; ${metadata} }`
    const readers = (by: string) => withRoles(`#readable(by: ${by}); #writable(by: agent);`)
    expect(changes(readers('agent'), readers('[this, agent]'))).toEqual([
      'access-widened GET /api/home/{id}: Access changed from users with the role agent to its creator and users with the role agent',
    ])
    // Some callers lose access, and others gain it.
    expect(changes(readers('[this, agent]'), readers('[agent, admin]'))).toEqual([
      'access-narrowed GET /api/home/{id}: Access changed from its creator and users with the role agent to users with the role agent or admin',
    ])
    expect(changes(withRoles(''), withRoles('#readable(by: agent); #writable(by: agent);'))).toEqual([
      'access-narrowed POST /api/home: Access changed from any user to users with the role agent',
      'access-narrowed GET /api/home/{id}: Access changed from its creator to users with the role agent',
      'access-narrowed PUT /api/home/{id}: Access changed from its creator to users with the role agent',
      'access-narrowed PATCH /api/home/{id}: Access changed from its creator to users with the role agent',
    ])
  })

  test('to create is once for each user in an `#auth` service', () => {
    expect(accessChanges('', '#auth;')).toEqual([
      'access-narrowed POST /api/home: Access changed from any user to any user, once',
      'endpoint-added GET /api/home: The endpoint is new',
    ])
  })
})

describe('attributes', () => {
  test('are added and removed', () => {
    expect(memberChanges('', 'beds: int;')).toEqual([
      'request-attribute-required POST /api/home: Requests must contain `Home.beds`',
      'response-attribute-added POST /api/home: Responses contain `Home.beds`',
      'response-attribute-added GET /api/home/{id}: Responses contain `Home.beds`',
    ])
    expect(memberChanges('beds: int;', '')).toEqual([
      'request-attribute-removed POST /api/home: `Home.beds` in requests is ignored',
      'response-attribute-removed POST /api/home: Responses no longer contain `Home.beds`',
      'response-attribute-removed GET /api/home/{id}: Responses no longer contain `Home.beds`',
    ])
  })

  test('become visible and invisible', () => {
    expect(memberChanges('beds: int;', 'beds: int @serverSet;')).toEqual([
      'request-attribute-removed POST /api/home: `Home.beds` in requests is ignored',
    ])
    expect(memberChanges('beds: int @client;', 'beds: int;')).toEqual([
      'response-attribute-added POST /api/home: Responses contain `Home.beds`',
      'response-attribute-added GET /api/home/{id}: Responses contain `Home.beds`',
    ])
    expect(memberChanges('', 'beds: int @server;')).toEqual([])
  })

  test('get another type', () => {
    expect(memberChanges('beds: int(max: 9, min: 1);', 'beds: float;')).toEqual([
      'type-changed POST /api/home: `Home.beds` has a different type: number (before: integer, 1 to 9)',
      'type-changed GET /api/home/{id}: `Home.beds` has a different type: number (before: integer, 1 to 9)',
    ])
    expect(memberChanges('by: Host @client;', 'by: Guest @client;')).toEqual([
      'type-changed POST /api/home: `Home.by` has a different type: id of a Guest (before: id of a Host)',
    ])
    expect(memberChanges('on: date @serverSet;', 'on: bool @serverSet;')).toHaveLength(2)
  })

  test.each([
    ['int(max: 9, min: 1)', 'int(max: 8, min: 1)', 'integer, 1 to 8 (before: integer, 1 to 9)'],
    ['int(max: 9, min: 1)', 'int(max: 20, min: 2)', 'integer, 2 to 20 (before: integer, 1 to 9)'],
    ['int(precision: 2)', 'int(precision: 1)', 'integer, -128 to 127 (before: integer, -32768 to 32767)'],
    ['float', 'float(min: 0.0)', 'number, at least 0 (before: number)'],
    ['float', 'float(precision: 4)', 'number, single precision (before: number)'],
    ['string', 'string(80)', 'string, at most 80 characters (before: string)'],
    ['string(9)', 'string(9, 2)', 'string, 2 to 9 characters (before: string, at most 9 characters)'],
    [
      'decimal',
      'decimal(min: 0)',
      'decimal with 2 digits after the point, at least 0.00 (before: decimal with 2 digits after the point)',
    ],
    [
      'decimal(max: 123456789012345678901234567890)',
      'decimal(max: 123456789012345678901234567889.99)',
      'decimal with 2 digits after the point, at most 123456789012345678901234567889.99 (before: decimal with 2 digits after the point, at most 123456789012345678901234567890.00)',
    ],
    [
      'decimal(max: 9, scale: 3)',
      'decimal(max: 9)',
      'decimal with 2 digits after the point, at most 9.00 (before: decimal with 3 digits after the point, at most 9.000)',
    ],
    ['enum(a, b)', 'enum(b)', 'one of `b` (before: one of `a`, `b`)'],
    ['enum(a, b)', 'enum(a, c)', 'one of `a`, `c` (before: one of `a`, `b`)'],
    ['string', 'enum(a, b)', 'one of `a`, `b` (before: string)'],
    ['enum(a, b, ccc)', 'string(2)', 'string, at most 2 characters (before: one of `a`, `b`, `ccc`)'],
    ['data(2)', 'data(1)', 'base64, at most 1 byte (before: base64, at most 2 bytes)'],
  ])('from %s to %s accept fewer values', (older, newer, comparison) => {
    expect(memberChanges(`a: ${older} @client;`, `a: ${newer} @client;`)).toEqual([
      `request-bounds-narrowed POST /api/home: \`Home.a\` accepts fewer values: ${comparison}`,
    ])
  })

  test('accept more values, which is breaking if responses have them', () => {
    const comparison = 'string (before: string, at most 9 characters)'
    expect(memberChanges('a: string(9) @client;', 'a: string @client;')).toEqual([
      `request-bounds-widened POST /api/home: \`Home.a\` accepts more values: ${comparison}`,
    ])
    expect(memberChanges('a: string(9);', 'a: string;')).toEqual([
      `response-bounds-widened POST /api/home: \`Home.a\` can have more values: ${comparison}`,
      `response-bounds-widened GET /api/home/{id}: \`Home.a\` can have more values: ${comparison}`,
      `request-bounds-widened POST /api/home: \`Home.a\` accepts more values: ${comparison}`,
    ])
    expect(memberChanges('a: string @serverSet;', 'a: string(9) @serverSet;')[0]).toBe(
      'response-bounds-narrowed POST /api/home: `Home.a` can have fewer values: string, at most 9 characters (before: string)',
    )
  })

  test('of an enum: a new value breaks clients that receive it, an order nobody', () => {
    const comparison = 'one of `a`, `b` (before: one of `a`)'
    expect(memberChanges('a: enum(a);', 'a: enum(a, b);')).toEqual([
      `response-bounds-widened POST /api/home: \`Home.a\` can have more values: ${comparison}`,
      `response-bounds-widened GET /api/home/{id}: \`Home.a\` can have more values: ${comparison}`,
      `request-bounds-widened POST /api/home: \`Home.a\` accepts more values: ${comparison}`,
    ])
    expect(memberChanges('a: enum(a, b) @serverSet;', 'a: enum(a) @serverSet;')[0]).toBe(
      'response-bounds-narrowed POST /api/home: `Home.a` can have fewer values: one of `a` (before: one of `a`, `b`)',
    )
    expect(memberChanges('a: enum(a, b);', 'a: enum(b, a);')).toEqual([])
    expect(memberChanges('a: enum(a, b) @client;', 'a: string @client;')).toEqual([
      'request-bounds-widened POST /api/home: `Home.a` accepts more values: string (before: one of `a`, `b`)',
    ])
  })

  test('become unique', () => {
    expect(memberChanges('a: int;', 'a: int @unique;')).toEqual([
      'unique-added POST /api/home: `Home.a` must be unique',
    ])
    expect(memberChanges('a: int @unique;', 'a: int;')).toEqual([
      'unique-removed POST /api/home: `Home.a` no longer has to be unique',
    ])
    expect(memberChanges('a: int; b: int;', 'a: int; b: int; #unique[a, b];')).toEqual([
      'unique-added POST /api/home: The combination of `a` and `b` must be unique',
    ])
    expect(memberChanges('a: int; b: int; #unique[a, b];', 'a: int; b: int; #unique[b, a];')).toEqual([])
    expect(
      memberChanges('a: int; b: int; c: int; #unique[a, b];', 'a: int; b: int; c: int; #unique[c, a, b];'),
    ).toEqual(['unique-removed POST /api/home: The combination of `a` and `b` no longer has to be unique'])
    expect(
      memberChanges('a: int; b: int; c: int; #unique[a, b, c];', 'a: int; b: int; c: int; #unique[a, c];'),
    ).toEqual(['unique-added POST /api/home: The combination of `a` and `c` must be unique'])
    expect(memberChanges('a: int @unique; b: int;', 'a: int; b: int; #unique[a, b];')).toEqual([
      'unique-removed POST /api/home: `Home.a` no longer has to be unique',
    ])
    const renamed = memberChanges('a: int; b: int; #unique[a, b];', 'a: int; c: int @was(b); #unique[a, c];')
    expect(renamed.filter((change) => change.startsWith('unique'))).toEqual([])
  })

  test('become optional and required', () => {
    expect(memberChanges('a: int;', 'a: int?;')).toEqual([
      'response-attribute-nullable POST /api/home: `Home.a` can be `null`',
      'response-attribute-nullable GET /api/home/{id}: `Home.a` can be `null`',
      'request-attribute-optional POST /api/home: Requests can leave `Home.a` out',
    ])
    expect(memberChanges('a: int?;', 'a: int;')).toEqual([
      'request-attribute-required POST /api/home: Requests must contain `Home.a`',
      'response-attribute-never-null POST /api/home: `Home.a` is never `null`',
      'response-attribute-never-null GET /api/home/{id}: `Home.a` is never `null`',
    ])
    expect(memberChanges('', 'a: int?;')).toEqual([
      'request-attribute-added POST /api/home: Requests can contain `Home.a`',
      'response-attribute-added POST /api/home: Responses contain `Home.a`',
      'response-attribute-added GET /api/home/{id}: Responses contain `Home.a`',
    ])
  })

  test('get and lose a default', () => {
    expect(memberChanges('a: int;', 'a: int = 3;')).toEqual([
      'request-attribute-optional POST /api/home: Requests can leave `Home.a` out',
    ])
    expect(memberChanges('a: int = 3;', 'a: int;')).toEqual([
      'request-attribute-required POST /api/home: Requests must contain `Home.a`',
    ])
    expect(memberChanges('a: date? = now;', 'a: date?;')).toEqual([
      'request-default-changed POST /api/home: Without `Home.a`, requests store `null` (before: the time of the request)',
    ])
    expect(memberChanges('a: int = 3 @serverSet;', 'a: int = 4 @serverSet;')).toEqual([])
  })

  test('do not matter to endpoints without them', () => {
    const definition = (members: string): string =>
      `P: project { #authMethod(email); } Home: service { ${members} #auth; #omit[create, read, update]; }`
    expect(changes(definition('a: int;'), definition('b: string;'))).toEqual([])
  })
})

test('documentation, the order of declarations, deployment and metrics do not matter to clients', () => {
  expect(
    changes(
      'P: project {} Home: service { a: int; b: int; c: int @server; } Room: service {}',
      '/** Homes. */ Q: project { #metrics(prometheus); #provider(kube); } Room: service { #uses[Home]; } Home: service { /** B. */ b: int; a: int; }',
    ),
  ).toEqual([])
})

test('every rule has a case above, and a line in the documentation', () => {
  expect([...covered].sort()).toEqual(Object.keys(RULES).sort())
  const page = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')
  const rows = page.matchAll(/^\| `([a-z-]+)` \| (yes|no) \|/gm)
  const documented = Object.fromEntries([...rows].map(([, rule, breaking]) => [rule, breaking === 'yes']))
  expect(documented).toEqual(RULES)
})
