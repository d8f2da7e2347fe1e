import { describe, expect, test } from 'vitest'
import { expectDiagnostics } from '../../host.ts'

const home = (members: string, more = '') =>
  `P: project {}\nHost: service {}\nHome: service {\nname: string; ${more}\nPhoto: struct { n: int; }\n${members}\n}`
const endpoint = (members: string) => home(`Quote: endpoint {\n${members}\n}`)
const withRoles = (members: string) =>
  `P: project {\n#authMethod(email); #roles[agent, admin];\n}\nHost: service {\n#auth;\n}\nHome: service {\nname: string;\nQuote: endpoint {\n${members}\n}\n}`

describe('an endpoint', () => {
  test.each([
    '#get("{id}/quote"); nights: int(30, 1); coupon: string(20)? @client; total: decimal @serverSet;',
    '#post("quotes"); days: int = 3 @client; host: Host;',
    '#get("by-place/{place}/{day}"); place: string @client; day: date; #returns(list: Home);',
    '#put("quotes/{id}"); #returns(Photo); #status(202);',
    '#delete("{id}/quote"); image: data? @serverSet;',
  ])('with %s is valid', (members) => {
    expectDiagnostics(endpoint(members))
  })
  test('is declared in a service', () => {
    expectDiagnostics('P: project {}\n«Quote»: endpoint {}\nHome: service {}', 'misplaced-block')
    expectDiagnostics(home('Part: struct { «Quote»: endpoint {} }'), 'misplaced-block')
  })
  test('has one method and path', () => {
    expectDiagnostics(home('«Quote»: endpoint { total: int @serverSet; }'), 'missing-endpoint-path')
    expectDiagnostics(endpoint('#get("quote"); #«put»("quote");'), 'several-methods')
    expectDiagnostics(endpoint('#get("quote"); #«get»("other");'), 'duplicate-metadata')
    expectDiagnostics(endpoint('#get(«quote»);'), 'wrong-argument-kind')
    expectDiagnostics(endpoint('#«get»;'), 'missing-value')
  })
  test('has a name that is free in its service', () => {
    expectDiagnostics(home('«Photo»: endpoint { #get("x"); }'), 'duplicate-block')
    expectDiagnostics(home('«Home»: endpoint { #get("x"); }'), 'duplicate-block')
    expectDiagnostics(
      home('Quote: endpoint { #get("x"); } «Quote»: endpoint { #get("y"); }'),
      'duplicate-block',
    )
    expectDiagnostics(home('«ReadMany»: endpoint { #get("x"); }'), 'reserved-endpoint-name')
    expectDiagnostics(`${home('Quote: endpoint { #get("x"); }')} Quote: service {}`)
  })
  test('has a name that gives clients one function', () => {
    expectDiagnostics(
      'P: project {} BigHome: service {} Home: service { «CreateBig»: endpoint { #get("x"); } }',
      'reserved-endpoint-name',
    )
    expectDiagnostics(
      'P: project {} BigHome: service { Quote: endpoint { #get("x"); } } Home: service { «QuoteBig»: endpoint { #get("x"); } }',
      'reserved-endpoint-name',
    )
  })
  test('is no type', () => {
    expectDiagnostics(home('Quote: endpoint { #get("x"); }', 'quote: «Quote»;'), 'unknown-type')
  })
})

describe('a path', () => {
  test.each(['«"/quote"»', '«"quote/"»', '«""»', '«"a b"»', '«"{Id}"»', '«"a{id}"»'])(
    '%s is invalid',
    (path) => {
      expectDiagnostics(endpoint(`#get(${path});`), 'invalid-endpoint-path')
    },
  )
  test('has parameters that are attributes of every request', () => {
    expectDiagnostics(endpoint('#get("a/«{nmae}»"); name: string;'), 'invalid-endpoint-path')
    expectDiagnostics(endpoint('#get("a/«{name}»"); name: string @serverSet;'), 'invalid-endpoint-path')
    expectDiagnostics(endpoint('#get("a/«{name}»"); name: string?;'), 'invalid-endpoint-path')
    expectDiagnostics(endpoint('#get("a/«{name}»"); name: data;'), 'invalid-endpoint-path')
    expectDiagnostics(endpoint('#get("a/{name}/«{name}»"); name: string;'), 'invalid-endpoint-path')
  })
  test.each(['all', 'all/more', '{id}', '{id}/photo', '{id}/photo/more', '{name}/more', '{id}/{name}'])(
    '%s is that of generated routes',
    (path) => {
      expectDiagnostics(endpoint(`#get(«"${path}"»); name: string;`), 'endpoint-path-in-use')
    },
  )
  test('differs from those of other endpoints with the same method', () => {
    const two = (first: string, second: string) =>
      home(`A: endpoint { ${first} name: string @client; } B: endpoint { ${second} name: string @client; }`)
    expectDiagnostics(two('#get("a");', '#get(«"a"»);'), 'endpoint-path-in-use')
    expectDiagnostics(two('#get("a/{name}/b");', '#get(«"a/c/{name}"»);'), 'endpoint-path-in-use')
    expectDiagnostics(two('#get("a/{name}");', '#get("a/b");'))
    expectDiagnostics(two('#get("a");', '#post("a");'))
    expectDiagnostics(two('#get("{id}/a");', '#get("by-name/{name}");'))
  })
})

describe('attributes of an endpoint', () => {
  test('are not stored', () => {
    expectDiagnostics(endpoint('#get("x"); a: int @«unique»;'), 'misplaced-annotation')
    expectDiagnostics(endpoint('#get("x"); a: int @«server»;'), 'misplaced-annotation')
  })
  test('of a response have no default', () => {
    expectDiagnostics(endpoint('#get("x"); a: int = «3» @serverSet;'), 'default-not-allowed')
  })
  test('are in requests only where an entity is returned', () => {
    expectDiagnostics(endpoint('#get("x"); #returns(Home); a: int @«serverSet»;'), 'attribute-not-returned')
    expectDiagnostics(
      endpoint('#get("x"); #returns(list: Home); «limit»: int @client;'),
      'reserved-parameter',
    )
  })
})

describe('metadata of an endpoint', () => {
  test('`#returns` names the service or a struct of it', () => {
    expectDiagnostics(endpoint('#get("x"); #returns(«Host»);'), 'unknown-entity')
    const [found] = expectDiagnostics(endpoint('#get("x"); #returns(list: «Phto»);'), 'unknown-entity')
    expect(found?.help).toBe('did you mean `Photo`?')
    expectDiagnostics(endpoint('#get("x"); #«returns»(Home, list: Photo);'), 'missing-value')
  })
  test.each(['404', '204', '1000'])('`#status` is not %s', (status) => {
    expectDiagnostics(endpoint(`#get("x"); #status(«${status}»);`), 'invalid-status')
  })
  test('a page has no status of its own', () => {
    expectDiagnostics(endpoint('#get("x"); #returns(list: Home); #status(«202»);'), 'invalid-status')
  })
  test('`#access` checks what the path contains, and roles that exist', () => {
    expectDiagnostics(withRoles('#get("{id}/x"); #access(none, by: [agent, admin]);'))
    expectDiagnostics(withRoles('#get("x"); #access(by: agent);'))
    expectDiagnostics(withRoles('#get("x"); #access(«readable»);'), 'access-without-id')
    expectDiagnostics(withRoles('#get("{id}/x"); #access(«redable»);'), 'unknown-value')
    expectDiagnostics(withRoles('#get("x"); #access(by: [«agnet»]);'), 'unknown-role')
    expectDiagnostics(withRoles('#get("x"); #access(by: «this»);'), 'unknown-role')
  })
  test('`#public` leaves nobody to check', () => {
    expectDiagnostics(withRoles('#get("{id}/x"); #access(none); #public;'))
    expectDiagnostics(withRoles('#get("{id}/x"); #«public»;'), 'public-with-access')
    expectDiagnostics(withRoles('#get("x"); #access(by: agent); #«public»;'), 'public-with-access')
    expectDiagnostics(withRoles('#get("x"); host: «Host» @client; #public;'), 'public-with-access')
    expectDiagnostics(endpoint('#get("x"); «#public»;'), 'redundant-metadata')
    expectDiagnostics(withRoles('#get("x"); #public«[a]»;'), 'surplus-argument')
  })
  test('is not for other blocks', () => {
    expectDiagnostics(home('#«get»("x");'), 'misplaced-metadata')
    expectDiagnostics(endpoint('#get("x"); #«enumerable»;'), 'misplaced-metadata')
  })
})
