import { type CatalogueEntry, inProject, inService } from '../entry.ts'

const error = 'error'

/** Blocks: which are required, where they are allowed, and their names. */
export const BLOCKS = {
  'missing-project': {
    severity: error,
    title: 'Missing `project` block',
    explanation:
      'Every definition has exactly one `project` block, which names the platform and sets its defaults. It can be empty: `MyProject: project {}`.',
    bad: 'Home: service {}\n',
    good: 'Stays: project {}\n\nHome: service {}\n',
  },
  'second-project': {
    severity: error,
    title: 'More than one `project` block',
    explanation:
      'A definition has exactly one `project` block. Move the metadata of the second block into the first one, and remove the second.',
    bad: 'Stays: project {}\nTrips: project {}\n\nHome: service {}\n',
    good: 'Stays: project {}\n\nHome: service {}\n',
  },
  'missing-service': {
    severity: error,
    title: 'Missing `service` block',
    explanation:
      'A definition has at least one `service` block, because a platform without services has nothing to run. It can be empty: `Item: service {}`.',
    bad: 'Stays: project {}\n',
    good: 'Stays: project {}\n\nHome: service {}\n',
  },
  'invalid-import': {
    severity: error,
    title: 'Invalid import path',
    explanation:
      'An import names another definition file by its path, relative to the file with the import and written with `/`. All files of a definition are in the folder of the file with the `project` block, or below it, so that the folder can be moved and copied.',
    bad: 'import "../hosts.portico";\n\nStays: project {}\n\nHome: service {}\n',
    good: 'Stays: project {}\n\nHome: service {}\n',
  },
  'unreadable-import': {
    severity: error,
    title: 'Imported file cannot be read',
    explanation:
      'The imported file does not exist, is not a regular file, is not readable, or is not UTF-8 text. The path is relative to the file with the import.',
    bad: 'import "hots.portico";\n\nStays: project {}\n\nHome: service {}\n',
    good: 'import "hosts.portico";\n\nStays: project {}\n\nHome: service {}\n',
  },
  'misplaced-import': {
    severity: error,
    title: 'Import after a declaration',
    explanation: 'Imports must come before all declarations of a file, so that they are easy to find.',
    bad: 'Stays: project {}\n\nHome: service {}\n\nimport "hosts.portico";\n',
    good: 'import "hosts.portico";\n\nStays: project {}\n\nHome: service {}\n',
  },
  'redundant-import': {
    severity: 'hint',
    title: 'Redundant import',
    explanation:
      'A file is read once, no matter how often it is imported, and every file of a definition sees the blocks of all others. An import of a file that is already imported, or that leads back to the file itself, has no effect.',
    bad: 'import "hosts.portico";\nimport "hosts.portico";\n\nStays: project {}\n\nHome: service {}\n',
    good: 'import "hosts.portico";\n\nStays: project {}\n\nHome: service {}\n',
  },
  'not-imported': {
    severity: 'hint',
    title: 'File not imported by any definition',
    explanation:
      'Editors show this in a file without a `project` block that no definition in the workspace imports. Nothing is generated from such a file. Import it in a definition, or add a `project` block. Commands report `missing-project` instead.',
    bad: 'Home: service {}\n',
    good: 'Stays: project {}\n\nHome: service {}\n',
  },
  'unknown-block-kind': {
    severity: error,
    title: 'Unknown block kind',
    explanation: 'A block is a `project`, a `service` or a `struct`, as in `Home: service { ... }`.',
    bad: 'Stays: project {}\n\nHome: servce {}\n',
    good: 'Stays: project {}\n\nHome: service {}\n',
  },
  'misplaced-block': {
    severity: error,
    title: 'Block not allowed here',
    explanation:
      '`project` and `service` blocks are declared at the top level of the file. `struct` blocks are declared inside the service that they belong to.',
    bad: 'Stays: project {}\n\nHome: service {}\n\nPhoto: struct {}\n',
    good: 'Stays: project {}\n\nHome: service {\n  Photo: struct {}\n}\n',
  },
  'misplaced-attribute': {
    severity: error,
    title: 'Attribute not allowed here',
    explanation:
      'Attributes are declared in services and structs, where they become columns and request fields. A `project` block contains metadata only.',
    bad: inProject('name: string;'),
    good: 'Stays: project {}\nHome: service {\n  name: string;\n}\n',
  },
  'invalid-block-name': {
    severity: error,
    title: 'Invalid block name',
    explanation:
      'Names of projects, services and structs are PascalCase, such as `HomeOwner`. They start with an uppercase letter and contain only the letters A to Z, a to z and digits.',
    bad: 'Stays: project {}\n\nhome_owner: service {}\n',
    good: 'Stays: project {}\n\nHomeOwner: service {}\n',
  },
  'invalid-attribute-name': {
    severity: error,
    title: 'Invalid attribute name',
    explanation:
      'Names of attributes are camelCase, such as `nightlyRate`. They start with a lowercase letter and contain only the letters A to Z, a to z and digits.',
    bad: inService('nightly_rate: float;'),
    good: inService('nightlyRate: float;'),
  },
  'duplicate-block': {
    severity: error,
    title: 'Duplicate block name',
    explanation:
      'Names of the project, services and structs are unique in the whole definition. Structs of different services cannot share a name either. Rename one of the blocks.',
    bad: 'Stays: project {}\n\nHome: service {}\nHome: service {}\n',
    good: 'Stays: project {}\n\nHome: service {}\nOffice: service {}\n',
  },
  'block-name-collision': {
    severity: error,
    title: 'Block names collide in the generated code',
    explanation:
      'Paths, directories and tables are named after blocks in `kebab-case` and `snake_case`. `HTTPProxy` and `HttpProxy` differ only in case, so both become `http-proxy`. Rename one of the blocks.',
    bad: 'Stays: project {}\n\nHTTPProxy: service {}\nHttpProxy: service {}\n',
    good: 'Stays: project {}\n\nHTTPProxy: service {}\nReverseProxy: service {}\n',
  },
  'name-too-long': {
    severity: error,
    title: 'Name too long',
    explanation:
      'Tables and columns are named after blocks and attributes in `snake_case`, with `_` before a name that Postgres reserves, such as `_xmin`. Postgres truncates names longer than 63 bytes, so two long names could become the same. The database of a service `Home` is reached at the host `home-db`, and names of hosts have at most 63 characters too. Choose a shorter name.',
    bad: inService(`${'veryLong'.repeat(8)}: string;`),
    good: inService('veryLong: string;'),
  },
  'table-too-large': {
    severity: error,
    title: 'Too many attributes for a table',
    explanation:
      'A table has at most 1,600 columns, and the largest row must fit into a page, which holds 8,160 bytes. Long strings and data are stored elsewhere, but each takes up to 24 bytes of the row. Otherwise, some requests would fail with 500. Move attributes into a struct, which has a table of its own.',
    bad: inService('name: string;', '// … and 1,600 more attributes'),
    good: inService('name: string;'),
  },
  'hook-name': {
    severity: error,
    title: 'Struct named like a hook or an access check',
    explanation:
      'The hooks of a struct are registered in `env.hooks.<struct>`, next to the hooks of its service, such as `env.hooks.beforeCreate`. A struct therefore cannot have the name of a hook, such as `BeforeCreate` or `AfterList`. Its access checks are in `env.access.<struct>`, next to those of its service, so it cannot be named `RequireReadable`, `RequireWritable` or `Unknown` either.',
    bad: inService('BeforeCreate: struct {}'),
    good: inService('Preparation: struct {}'),
  },
  'duplicate-attribute': {
    severity: error,
    title: 'Duplicate attribute',
    explanation:
      'Attribute names are unique in their service or struct. Rename or remove one of the attributes.',
    bad: inService('name: string;', 'name: string;'),
    good: inService('name: string;', 'nickname: string;'),
  },
  'attribute-collision': {
    severity: error,
    title: 'Attribute names collide in the database',
    explanation:
      'Columns are named after attributes in `snake_case`. `homeURL` and `homeUrl` differ only in case, so both become `home_url`. Rename one of the attributes.',
    bad: inService('homeURL: string;', 'homeUrl: string;'),
    good: inService('homeURL: string;', 'homepage: string;'),
  },
  'implicit-id': {
    severity: error,
    title: '`id` is declared implicitly',
    explanation:
      'Every entity has an `id`, a UUID that the service generates. You cannot declare an attribute with this name. Remove it, or give it another name.',
    bad: inService('id: string;'),
    good: inService('reference: string;'),
  },
  'implicit-timestamp': {
    severity: error,
    title: '`createdAt` or `updatedAt` with `#timestamps`',
    explanation:
      '`#timestamps` adds `createdAt` and `updatedAt` to the responses of a service or struct. The block cannot declare an attribute with one of these names. Remove it, or give it another name.',
    bad: inService('createdAt: datetime;', '#timestamps;'),
    good: inService('openedAt: datetime;', '#timestamps;'),
  },
  'reserved-attribute-name': {
    severity: error,
    title: 'Attribute set by hooks with a name that the language reserves',
    explanation:
      'Updates leave out `@server` and `@serverSet` attributes that no hook sets. In TypeScript, every object has the members `constructor`, `hasOwnProperty`, `isPrototypeOf`, `propertyIsEnumerable`, `toLocaleString`, `toString` and `valueOf`, so generated code could not leave out attributes with these names. Rename the attribute. Attributes that clients send can have these names, and so can all attributes of services in Go.',
    bad: inService('constructor: string @serverSet;'),
    good: inService('builder: string @serverSet;'),
  },
  'reserved-service-name': {
    severity: error,
    title: 'Reserved service name',
    explanation:
      'The files of a service are generated in a directory named after it in `kebab-case`. `api`, `gateway`, `kube`, `lib`, `prometheus` and `grafana` are directories of other generated files, `auth` and `auth-db` belong to the authentication service, and `<service>-db` contains the schema of a service. A service is also a host in the network of the platform, where `localhost` is always the machine itself. Choose another name.',
    bad: 'Stays: project {}\n\nGateway: service {}\n',
    good: 'Stays: project {}\n\nEntrance: service {}\n',
  },
  'invalid-former-name': {
    severity: error,
    title: 'Invalid former name',
    explanation:
      '`@was` names the attribute, and `#was` the service or struct, as it was declared: attributes are camelCase, services and structs PascalCase.',
    bad: inService('nightlyRate: float @was(Rate);'),
    good: inService('nightlyRate: float @was(rate);'),
  },
  'former-name-in-use': {
    severity: error,
    title: 'Former name still in use',
    explanation:
      '`@was` and `#was` give a name that is no longer declared, because its data moves to the new name. This name is still declared. Once a migration contains the new name of an attribute or struct, remove `@was` or `#was`; until then, the former name cannot be used again. `#was` of a service stays, because its database keeps the former name.',
    bad: inService('rate: float;', 'nightlyRate: float @was(rate);'),
    good: inService('nightlyRate: float @was(rate);'),
  },
  'duplicate-former-name': {
    severity: error,
    title: 'Duplicate former name',
    explanation:
      'The data of an attribute, service or struct moves to one new name. Keep `@was` or `#was` where the data belongs, and remove the other one.',
    bad: inService('nightlyRate: float @was(rate);', 'weeklyRate: float @was(rate);'),
    good: inService('nightlyRate: float @was(rate);', 'weeklyRate: float;'),
  },
} as const satisfies Record<string, CatalogueEntry>
