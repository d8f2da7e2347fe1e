import { type CatalogueEntry, inProject, inService, withAuthentication, withRoles } from '../entry.ts'

const error = 'error'

/** Metadata, authentication and access. */
export const METADATA_ENTRIES = {
  'unknown-metadata': {
    severity: error,
    title: 'Unknown metadata',
    explanation:
      'The block does not support metadata with this name. Check the spelling, or see the reference for the metadata of each block.',
    bad: inService('#enumerabel;'),
    good: inService('#enumerable;'),
  },
  'misplaced-metadata': {
    severity: error,
    title: 'Metadata not allowed here',
    explanation:
      'Each metadata item is allowed only in certain kinds of blocks. For example, a struct cannot have `#readable` or `#writable`, because it inherits the access of its service.',
    bad: inProject('#enumerable;'),
    good: inService('#enumerable;'),
  },
  'misplaced-argument': {
    severity: error,
    title: 'Argument not allowed here',
    explanation:
      'The argument applies to the whole platform, so only the metadata of the project has it: `#database(postgres, server: shared)` in the project puts the databases of all services into one Postgres.',
    bad: inService('#database(postgres, server: shared);'),
    good: inProject('#database(postgres, server: shared);'),
  },
  'duplicate-metadata': {
    severity: error,
    title: 'Duplicate metadata',
    explanation: 'A block can have each metadata item only once. Merge the two, or remove one.',
    bad: inService('#omit[update];', '#omit[delete];'),
    good: inService('#omit[update, delete];'),
  },
  'missing-value': {
    severity: error,
    title: 'Missing value',
    explanation:
      'This metadata or annotation requires a value, as in `#language(typescript)`, `#omit[delete]` or `@was(rate)`.',
    bad: inProject('#language;'),
    good: inProject('#language(go);'),
  },
  'unknown-value': {
    severity: error,
    title: 'Invalid value',
    explanation:
      'The metadata accepts only certain words, and `@was(new: old)` and `@transitions(from: to)` only values of their `enum`. The diagnostic lists them, or suggests the nearest one.',
    bad: inProject('#language(rust);'),
    good: inProject('#language(go);'),
  },
  'auth-without-method': {
    severity: error,
    title: '`#auth` without `#authMethod`',
    explanation:
      '`#auth` makes a service store user metadata, which requires users. Add `#authMethod(email);` to the project, or remove `#auth`.',
    bad: inService('#auth;'),
    good: withAuthentication('name: string;'),
  },
  'method-without-auth': {
    severity: error,
    title: '`#authMethod` without an `#auth` service',
    explanation:
      'A project with authentication requires at least one service that stores user metadata. Add `#auth;` to that service, or remove `#authMethod`.',
    bad: inProject('#authMethod(email);'),
    good: withAuthentication('name: string;'),
  },
  'this-without-authentication': {
    severity: error,
    title: '`by: this` without authentication',
    explanation:
      '`this` limits access to the user who created an entity. Without authentication, the creator is unknown. Add `#authMethod(email);` to the project, or use `all`.',
    bad: inService('#readable(by: this);'),
    good: withAuthentication('#readable(by: all);'),
  },
  'writable-but-not-readable': {
    severity: error,
    title: 'Writers who cannot read',
    explanation:
      'A user who can change an entity must be able to read it, so `#readable` must admit everyone that `#writable` admits. Without `#readable` or `#writable`, only the creator can read or write, and a project default never widens an `#auth` service.',
    bad: withAuthentication('#writable(by: all);'),
    good: withAuthentication('#readable(by: all);', '#writable(by: all);'),
  },
  'roles-without-authentication': {
    severity: error,
    title: '`#roles` without `#authMethod`',
    explanation:
      'Roles belong to users, and users exist only with authentication. Add `#authMethod(email);` to the project, or remove `#roles`.',
    bad: inProject('#roles[agent];'),
    good: inProject(),
  },
  'reserved-role': {
    severity: error,
    title: 'Role named `this` or `all`',
    explanation: 'In `by:`, `this` is the creator of an entity and `all` is every user. Choose another name.',
    bad: withRoles('all, agent'),
    good: withRoles('everybody, agent'),
  },
  'invalid-role-name': {
    severity: error,
    title: 'Invalid role name',
    explanation:
      'Role names are written like attribute names: camelCase, with the letters A to Z, a to z and digits.',
    bad: withRoles('SupportAgent'),
    good: withRoles('supportAgent'),
  },
  'unknown-role': {
    severity: error,
    title: 'Unknown role',
    explanation: '`#readable` and `#writable` can name only roles that the `#roles` of the project lists.',
    bad: withRoles('agent', '#readable(by: [this, agnet]);'),
    good: withRoles('agent', '#readable(by: [this, agent]);'),
  },
  'all-in-list': {
    severity: error,
    title: '`all` in a list',
    explanation: '`all` includes everyone else. Use `by: all`, or list only `this` and roles.',
    bad: withRoles('agent', '#readable(by: [all, agent]);'),
    good: withRoles('agent', '#readable(by: all);'),
  },
  'invalid-path-segment': {
    severity: error,
    title: 'Invalid path segment',
    explanation:
      '`#public` lists path segments, the parts of a path between two `/`. They consist of the letters A to Z and a to z, digits, `-` and `_`.',
    bad: withAuthentication('#public[geänderter];'),
    good: withAuthentication('#public[changes];'),
  },
  'public-path-in-use': {
    severity: error,
    title: 'Public path used by generated routes',
    explanation:
      'Only your own routes can be public. `all`, ids and the paths of structs belong to generated routes, which always require a token. The names of endpoints, such as `read`, are rejected too, because they would not become public.',
    bad: withAuthentication('#public[all];'),
    good: withAuthentication('#public[webhook];'),
  },
  'omit-identify-without-auth': {
    severity: error,
    title: '`identify` omitted without `#auth`',
    explanation: 'Only a service with `#auth` has an identify endpoint. Remove `identify` from the list.',
    bad: inService('#omit[identify];'),
    good: inService('#omit[delete];'),
  },
  'unknown-service': {
    severity: error,
    title: 'Unknown service',
    explanation:
      '`#uses[...]` lists names of services of the same definition. With `#authMethod`, a service can also name `Auth`, the authentication service.',
    bad: inService('#uses[Hoem];'),
    good: 'Stays: project {}\nHost: service {}\nHome: service {\n  #uses[Host];\n}\n',
  },
  'uses-without-authentication': {
    severity: error,
    title: 'Use of the authentication service without `#authMethod`',
    explanation:
      '`Auth` is the authentication service, which `#authMethod` adds. `#uses[...]` in the project lists the services that it calls, and `#uses[Auth]` lets a service call it. Add `#authMethod(email);` to the project, or remove the use.',
    bad: inProject('#uses[Home];'),
    good: inProject(),
  },
  'unknown-attribute': {
    severity: error,
    title: 'Unknown attribute',
    explanation:
      'The lists of `#enumerable` and `#unique` name attributes of the same service or struct. Check the spelling, or declare the attribute.',
    bad: inService('status: string(20);', '#enumerable(filter: [state]);'),
    good: inService('status: string(20);', '#enumerable(filter: [status]);'),
  },
  'repeated-attribute': {
    severity: error,
    title: 'Attribute listed twice',
    explanation: 'A list names each attribute once. Remove one of the two.',
    bad: inService('beds: int;', '#enumerable(sort: [beds, beds]);'),
    good: inService('beds: int;', '#enumerable(sort: [beds]);'),
  },
  'hidden-attribute': {
    severity: error,
    title: 'Filter or sort by an attribute that clients cannot see',
    explanation:
      'Responses contain neither `@server` attributes, which only hooks can read, nor `@client` attributes, which are not stored. Clients can filter and sort only by what they can see. Remove the attribute from the list, or make it visible.',
    bad: inService('score: int @server;', '#enumerable(sort: [score]);'),
    good: inService('score: int @serverSet;', '#enumerable(sort: [score]);'),
  },
  'reserved-parameter': {
    severity: error,
    title: 'Attribute name that cannot be a filter',
    explanation:
      'Filters are query parameters with the name of their attribute. Every list with filters or sorting already has the parameters `limit`, `after`, `sort` and `total`. Every JavaScript object has the members `constructor`, `hasOwnProperty`, `isPrototypeOf`, `propertyIsEnumerable`, `toLocaleString`, `toString` and `valueOf`, so generated code could not leave out filters with these names. Rename the attribute, or remove it from the list.',
    bad: inService('total: int;', '#enumerable(filter: [total]);'),
    good: inService('amount: int;', '#enumerable(filter: [amount]);'),
  },
  'not-comparable': {
    severity: error,
    title: 'Type that cannot be compared',
    explanation: 'Values of type `data` can be neither sorted nor indexed. List attributes of other types.',
    bad: inService('photo: data(5M);', '#enumerable(sort: [photo]);'),
    good: inService('takenAt: datetime;', 'photo: data(5M);', '#enumerable(sort: [takenAt]);'),
  },
  'not-indexable': {
    severity: error,
    title: 'Text too long for an index',
    explanation:
      'Every attribute in these lists is indexed, and an index entry holds at most 600 characters of text. All attributes of one `#unique` share an index entry. Give the attribute a `maxLength` of at most 600, or remove it from the list.',
    bad: inService('title: string;', '#enumerable(sort: [title]);'),
    good: inService('title: string(200);', '#enumerable(sort: [title]);'),
  },
  'too-few-attributes': {
    severity: error,
    title: '`#unique` with fewer than two attributes',
    explanation:
      '`#unique` lists attributes whose combination is unique. In a struct, `parent` is one of them: the entity that an entry belongs to. For a single attribute, use the annotation `@unique`.',
    bad: inService('name: string(80);', '#unique[name];'),
    good: inService('name: string(80) @unique;'),
  },
  'duplicate-combination': {
    severity: error,
    title: 'Duplicate combination',
    explanation:
      'Another `#unique` of the block lists the same attributes. Their order does not matter. Remove one of the two.',
    bad: inService('name: string(80);', 'city: string(80);', '#unique[name, city];', '#unique[city, name];'),
    good: inService('name: string(80);', 'city: string(80);', '#unique[name, city];'),
  },
  'idempotent-without-create': {
    severity: 'warning',
    title: '`#idempotent` without a create endpoint',
    explanation:
      '`#idempotent` lets clients repeat requests that create an entity or an entry of a struct. Keep one of these endpoints, or remove `#idempotent`.',
    bad: inService('#idempotent;', '#omit[create];'),
    good: inService('#idempotent;', '#omit[update];'),
  },
  'versioned-without-effect': {
    severity: 'warning',
    title: '`#versioned` without effect',
    explanation:
      'The version of an entity is in the responses of a create, read, update or patch, and PUT, PATCH and DELETE can require it. Keep one of these endpoints, or remove `#versioned`, or `required: true` if nothing can be changed or deleted.',
    bad: inService('#versioned;', '#omit[create, read, update];'),
    good: inService('#versioned;', '#omit[create, update];'),
  },
  'enumerable-shows-one': {
    severity: 'warning',
    title: 'List with at most one entity',
    explanation:
      'A user has at most one entity in an `#auth` service, and cannot see the others unless the service is `#readable(by: all)`. Add `#readable(by: all);`, or remove `#enumerable` and use the identify endpoint.',
    bad: 'Stays: project {\n  #authMethod(email);\n}\nUser: service {\n  #auth;\n  #enumerable;\n}\n',
    good: 'Stays: project {\n  #authMethod(email);\n}\nUser: service {\n  #auth;\n  #enumerable;\n  #readable(by: all);\n}\n',
  },
  'duplicate-value': {
    severity: 'warning',
    title: 'Duplicate value in a list',
    explanation: 'The value is already in the list. Remove the second one.',
    bad: inService('#omit[delete, delete];'),
    good: inService('#omit[delete];'),
  },
  'no-endpoints': {
    severity: 'hint',
    title: 'All endpoints omitted',
    explanation:
      'Without endpoints, clients reach this service or struct only through your own hooks and routes. If it has none, keep at least one endpoint, or remove the block.',
    bad: inService('#omit[create, read, update, delete];'),
    good: inService('#omit[create, update, delete];'),
  },
  'redundant-metadata': {
    severity: 'hint',
    title: 'Redundant metadata',
    explanation:
      'The value is already the default, or has no effect here, so removing the metadata changes nothing.',
    bad: inProject('#database(postgres);'),
    good: inProject(),
  },
} as const satisfies Record<string, CatalogueEntry>
