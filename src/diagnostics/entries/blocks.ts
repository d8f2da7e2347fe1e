import { type CatalogueEntry, inProject, inService } from '../entry.ts'

const error = 'error'

/** Which blocks there are and where they stand. */
export const BLOCKS = {
  'missing-project': {
    severity: error,
    title: 'There is no project block',
    explanation:
      'A definition holds exactly one `project` block. Add one at the top: `MyProject: project {}`.',
    bad: 'Home: service {}\n',
    good: 'Stays: project {}\n\nHome: service {}\n',
  },
  'second-project': {
    severity: error,
    title: 'There is more than one project block',
    explanation:
      'A definition holds exactly one `project` block. Move the metadata of the later one into the first and remove it.',
    bad: 'Stays: project {}\nTrips: project {}\n\nHome: service {}\n',
    good: 'Stays: project {}\n\nHome: service {}\n',
  },
  'missing-service': {
    severity: error,
    title: 'There is no service block',
    explanation: 'A definition holds at least one `service` block. Add one: `Item: service {}`.',
    bad: 'Stays: project {}\n',
    good: 'Stays: project {}\n\nHome: service {}\n',
  },
  'unknown-block-kind': {
    severity: error,
    title: 'An unknown kind of block',
    explanation: 'A block is a `project`, a `service` or a `struct`: `Name: service { ... }`.',
    bad: 'Stays: project {}\n\nHome: servce {}\n',
    good: 'Stays: project {}\n\nHome: service {}\n',
  },
  'misplaced-block': {
    severity: error,
    title: 'A block where it may not stand',
    explanation:
      'The `project` block and `service` blocks stand at the top of the file, `struct` blocks in a service. Move the block.',
    bad: 'Stays: project {}\n\nHome: service {}\n\nPhoto: struct {}\n',
    good: 'Stays: project {}\n\nHome: service {\n  Photo: struct {}\n}\n',
  },
  'misplaced-attribute': {
    severity: error,
    title: 'An attribute where none may stand',
    explanation:
      'Attributes stand in services and structs. A project block holds metadata only. Move it into a service.',
    bad: inProject('name: string;'),
    good: 'Stays: project {}\nHome: service {\n  name: string;\n}\n',
  },
  'invalid-block-name': {
    severity: error,
    title: 'A block name in the wrong form',
    explanation:
      'Names of projects, services and structs begin with a capital letter and consist of the letters A to Z, a to z and digits: `HomeOwner`.',
    bad: 'Stays: project {}\n\nhome_owner: service {}\n',
    good: 'Stays: project {}\n\nHomeOwner: service {}\n',
  },
  'invalid-attribute-name': {
    severity: error,
    title: 'An attribute name in the wrong form',
    explanation:
      'Names of attributes begin with a small letter and consist of the letters A to Z, a to z and digits: `nightlyRate`.',
    bad: inService('nightly_rate: float;'),
    good: inService('nightlyRate: float;'),
  },
  'duplicate-block': {
    severity: error,
    title: 'Two blocks have one name',
    explanation:
      'Names of the project, of services and of structs are unique in the whole file, structs of different services included. Rename one of them.',
    bad: 'Stays: project {}\n\nHome: service {}\nHome: service {}\n',
    good: 'Stays: project {}\n\nHome: service {}\nOffice: service {}\n',
  },
  'block-name-collision': {
    severity: error,
    title: 'Two block names become the same in the output',
    explanation:
      'Paths, directories and tables are named after blocks in `kebab-case` and `snake_case`, in which `HTTPProxy` and `HttpProxy` are one name. Rename one of them.',
    bad: 'Stays: project {}\n\nHTTPProxy: service {}\nHttpProxy: service {}\n',
    good: 'Stays: project {}\n\nHTTPProxy: service {}\nReverseProxy: service {}\n',
  },
  'name-too-long': {
    severity: error,
    title: 'A name is too long',
    explanation:
      'Tables and columns are named after blocks and attributes in `snake_case`, and Postgres cuts names behind 63 bytes. Shorten the name.',
    bad: inService(`${'veryLong'.repeat(8)}: string;`),
    good: inService('veryLong: string;'),
  },
  'hook-name': {
    severity: error,
    title: 'A struct is called like a hook',
    explanation:
      'Hooks of a struct are registered at `env.hooks.<struct>`, beside the hooks of its service (`env.hooks.beforeCreate`), so a struct must not be called `BeforeCreate`, `AfterList` and so on. Rename it.',
    bad: inService('BeforeCreate: struct {}'),
    good: inService('Preparation: struct {}'),
  },
  'duplicate-attribute': {
    severity: error,
    title: 'Two attributes have one name',
    explanation: 'Names of attributes are unique in their service or struct. Rename or remove one of them.',
    bad: inService('name: string;', 'name: string;'),
    good: inService('name: string;', 'nickname: string;'),
  },
  'attribute-collision': {
    severity: error,
    title: 'Two attribute names become the same column',
    explanation:
      'Columns are named after attributes in `snake_case`, in which `homeURL` and `homeUrl` are one name. Rename one of them.',
    bad: inService('homeURL: string;', 'homeUrl: string;'),
    good: inService('homeURL: string;', 'homepage: string;'),
  },
  'implicit-id': {
    severity: error,
    title: 'An attribute is called `id`',
    explanation:
      'Every entity has an `id`, a UUID that the service makes. It is never declared: remove the attribute, or rename it.',
    bad: inService('id: string;'),
    good: inService('reference: string;'),
  },
  'reserved-service-name': {
    severity: error,
    title: 'A service is called like something that is generated',
    explanation:
      'The directory of a service is its name in `kebab-case`. `api`, `gateway`, `kube`, `prometheus` and `grafana` hold other generated files, `auth` and `auth-db` the authentication service, and `<service>-db` the schema of a service. Rename the service.',
    bad: 'Stays: project {}\n\nGateway: service {}\n',
    good: 'Stays: project {}\n\nEntrance: service {}\n',
  },
} as const satisfies Record<string, CatalogueEntry>
