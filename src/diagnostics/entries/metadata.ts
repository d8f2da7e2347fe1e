import { type CatalogueEntry, inProject, inService, withAuthentication } from '../entry.ts'

const error = 'error'

/** Metadata, authentication and access. */
export const METADATA_ENTRIES = {
  'unknown-metadata': {
    severity: error,
    title: 'Unknown metadata',
    explanation:
      'There is no metadata of this name. The message suggests the nearest one that the block takes.',
    bad: inService('#enumerabel;'),
    good: inService('#enumerable;'),
  },
  'misplaced-metadata': {
    severity: error,
    title: 'Metadata in a block that does not take it',
    explanation:
      'Each metadata item belongs to certain kinds of block. A struct takes no `#readable` and `#writable`, because it inherits access from its parent.',
    bad: inProject('#enumerable;'),
    good: inService('#enumerable;'),
  },
  'repeated-metadata': {
    severity: error,
    title: 'Metadata is written twice',
    explanation: 'A block holds each metadata name at most once. Merge the two, or remove one.',
    bad: inService('#omit[update];', '#omit[delete];'),
    good: inService('#omit[update, delete];'),
  },
  'missing-value': {
    severity: error,
    title: 'Metadata without its value',
    explanation: 'This metadata takes a value, as in `#language(typescript)` or `#omit[delete]`.',
    bad: inProject('#language;'),
    good: inProject('#language(go);'),
  },
  'unknown-value': {
    severity: error,
    title: 'A value that the metadata does not take',
    explanation:
      'The metadata takes certain words only. The message lists them and suggests the nearest one.',
    bad: inProject('#language(rust);'),
    good: inProject('#language(go);'),
  },
  'auth-without-method': {
    severity: error,
    title: '`#auth` without `#authMethod`',
    explanation:
      '`#auth` makes a service the store of user metadata, which needs users: add `#authMethod(email);` to the project block, or remove `#auth`.',
    bad: inService('#auth;'),
    good: withAuthentication('name: string;'),
  },
  'method-without-auth': {
    severity: error,
    title: '`#authMethod` without an `#auth` service',
    explanation:
      'With authentication, at least one service stores user metadata: add `#auth;` to it, or remove `#authMethod`.',
    bad: inProject('#authMethod(email);'),
    good: withAuthentication('name: string;'),
  },
  'this-without-authentication': {
    severity: error,
    title: '`by: this` without authentication',
    explanation:
      'Without authentication nobody knows who created an entity, so access cannot be kept to the creator. Add `#authMethod(email);` to the project block, or remove the restriction.',
    bad: inService('#readable(by: this);'),
    good: withAuthentication('#readable(by: all);'),
  },
  'writable-but-not-readable': {
    severity: error,
    title: 'Everybody may write what only the creator may read',
    explanation:
      '`#writable(by: all)` needs `#readable(by: all)`. With authentication, and always on an `#auth` service that does not say otherwise, reading is `by: this`. Widen reading, or narrow writing.',
    bad: withAuthentication('#writable(by: all);'),
    good: withAuthentication('#readable(by: all);', '#writable(by: all);'),
  },
  'omit-identify-without-auth': {
    severity: error,
    title: '`identify` is omitted where it does not exist',
    explanation: 'Only an `#auth` service has the identify endpoint. Remove `identify` from the list.',
    bad: inService('#omit[identify];'),
    good: inService('#omit[delete];'),
  },
  'unknown-service': {
    severity: error,
    title: 'An unknown service in `#uses`',
    explanation: '`#uses[...]` lists names of services of this definition.',
    bad: inService('#uses[Hoem];'),
    good: 'Stays: project {}\nHost: service {}\nHome: service {\n  #uses[Host];\n}\n',
  },
  'enumerable-shows-one': {
    severity: 'warning',
    title: 'A list of one entity at most',
    explanation:
      'A token has at most one entity in an `#auth` service, and sees only that one unless the service is `#readable(by: all)`. Add `#readable(by: all);`, or remove `#enumerable`: the identify endpoint finds the one entity.',
    bad: 'Stays: project {\n  #authMethod(email);\n}\nUser: service {\n  #auth;\n  #enumerable;\n}\n',
    good: 'Stays: project {\n  #authMethod(email);\n}\nUser: service {\n  #auth;\n  #enumerable;\n  #readable(by: all);\n}\n',
  },
  'repeated-value': {
    severity: 'warning',
    title: 'A value stands twice in a list',
    explanation: 'Once is enough. Remove the second one.',
    bad: inService('#omit[delete, delete];'),
    good: inService('#omit[delete];'),
  },
  'no-endpoints': {
    severity: 'warning',
    title: 'All endpoints are omitted',
    explanation: 'Nothing of this service or struct can be reached. Keep an endpoint, or remove the block.',
    bad: inService('#omit[create, read, update, delete];'),
    good: inService('#omit[create, update, delete];'),
  },
  'metrics-not-available': {
    severity: 'warning',
    title: '`#metrics` is not available yet',
    explanation:
      'This version does not generate metrics: the metadata is accepted and left out. Nothing needs to be done.',
    bad: inProject('#metrics(prometheus);'),
    good: inProject(),
  },
  'redundant-metadata': {
    severity: 'hint',
    title: 'Metadata that repeats the default',
    explanation: 'The same would hold without it. It may be removed.',
    bad: inProject('#database(postgres);'),
    good: inProject(),
  },
} as const satisfies Record<string, CatalogueEntry>
