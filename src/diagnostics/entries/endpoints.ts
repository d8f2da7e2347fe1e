import { type CatalogueEntry, inService, withAuthentication, withRoles } from '../entry.ts'

const error = 'error'

/** An endpoint in a service, in the standard layout. */
const endpoint = (name: string, ...members: readonly string[]): string =>
  [`${name}: endpoint {`, ...members.map((member) => `  ${member}`), '}'].join('\n  ')

/** Declared endpoints. */
export const ENDPOINTS = {
  'reserved-endpoint-name': {
    severity: error,
    title: 'Reserved name of an endpoint',
    explanation:
      'Clients of a service have functions such as `read`, `list` and `exists`. An endpoint of the service cannot have one of these names, nor one with which clients of the platform would have two functions of the same name: `Create` of `BigHome` and `CreateBig` of `Home` would both be `createBigHome`.',
    bad: inService(endpoint('List', '#get("nearby");')),
    good: inService(endpoint('Nearby', '#get("nearby");')),
  },
  'missing-endpoint-path': {
    severity: error,
    title: 'Endpoint without a path',
    explanation:
      'An endpoint has one of `#get`, `#post`, `#put`, `#patch` and `#delete`, which gives its method and its path below that of the service.',
    bad: inService(endpoint('Quote', 'total: decimal @serverSet;')),
    good: inService(endpoint('Quote', '#get("{id}/quote");', 'total: decimal @serverSet;')),
  },
  'several-methods': {
    severity: error,
    title: 'Endpoint with several methods',
    explanation: 'An endpoint has one method and one path. Declare another endpoint for each other method.',
    bad: inService(endpoint('Cover', '#get("cover");', '#put("cover");')),
    good: inService(endpoint('Cover', '#get("cover");'), endpoint('SetCover', '#put("cover");')),
  },
  'invalid-endpoint-path': {
    severity: error,
    title: 'Invalid path of an endpoint',
    explanation:
      'A path consists of segments with `/` between them: letters, digits, `-` and `_`, or a parameter in braces. `{id}` is the id of an entity. Every other parameter is an attribute of the endpoint that requests always have.',
    bad: inService(endpoint('Quote', '#get("quotes/{code}");')),
    good: inService(endpoint('Quote', '#get("quotes/{code}");', 'code: string(20) @client;')),
  },
  'endpoint-path-in-use': {
    severity: error,
    title: 'Path of another route',
    explanation:
      'The path is that of a generated route or of another endpoint, or some requests would fit both. A path begins with text or with `{id}`.',
    bad: inService(endpoint('Everything', '#get("all");')),
    good: inService(endpoint('Everything', '#get("everything");')),
  },
  'misplaced-annotation': {
    severity: error,
    title: 'Annotation not allowed here',
    explanation:
      'The attributes of an endpoint are not stored. `@client` attributes are only in its requests, `@serverSet` attributes only in its responses, and all others in both. Those of a job are its payload, and have no annotations.',
    bad: inService(endpoint('Quote', '#get("quote");', 'total: decimal @server;')),
    good: inService(endpoint('Quote', '#get("quote");', 'total: decimal @serverSet;')),
  },
  'attribute-not-returned': {
    severity: error,
    title: 'Attribute of a response that has none',
    explanation:
      'With `#returns`, the response is an entity or a page of entities, without attributes of the endpoint itself.',
    bad: inService(endpoint('Nearest', '#get("nearest");', '#returns(Home);', 'metres: int @serverSet;')),
    good: inService(endpoint('Nearest', '#get("nearest");', '#returns(Home);')),
  },
  'unknown-entity': {
    severity: error,
    title: 'Unknown service or struct in `#returns`',
    explanation: 'An endpoint returns entities of its own service, or of a struct of this service.',
    bad: inService(endpoint('Nearest', '#get("nearest");', '#returns(House);')),
    good: inService(endpoint('Nearest', '#get("nearest");', '#returns(Home);')),
  },
  'invalid-status': {
    severity: error,
    title: 'Invalid status',
    explanation:
      'The status of a successful response is a number from 200 to 299, except 204 and 205, whose responses have no body. For errors, the handler throws.',
    bad: inService(endpoint('Order', '#post("order");', '#status(404);')),
    good: inService(endpoint('Order', '#post("order");', '#status(202);')),
  },
  'access-without-id': {
    severity: error,
    title: 'Access to no entity',
    explanation:
      'Only an endpoint with `{id}` in its path concerns an entity whose access can be checked. Without it, every user can use the endpoint, or those with a role of `by:`.',
    bad: withAuthentication(endpoint('Nearby', '#get("nearby");', '#access(readable);')),
    good: withAuthentication(endpoint('Nearby', '#get("{id}/nearby");', '#access(readable);')),
  },
  'public-with-access': {
    severity: error,
    title: 'Public endpoint with an access check',
    explanation:
      'A request to a public endpoint may have no caller, who could have access to an entity or a role. Without the check, the handler decides who gets what.',
    bad: withRoles('admin', endpoint('Quote', '#get("{id}/quote");', '#public;')),
    good: withRoles('admin', endpoint('Quote', '#get("{id}/quote");', '#public;', '#access(none);')),
  },
} as const satisfies Record<string, CatalogueEntry>
