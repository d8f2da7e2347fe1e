import { type CatalogueEntry, inService } from '../entry.ts'

const error = 'error'

/** Types, their arguments and annotations. */
export const ATTRIBUTES = {
  'unknown-type': {
    severity: error,
    title: 'Unknown type',
    explanation:
      'The type of an attribute is a built-in type (`bool`, `string`, `int`, `float`, `decimal`, `date`, `time`, `datetime`, `data`, `enum`), the name of a service or, inside a struct, the name of another struct of the same service.',
    bad: inService('name: text;'),
    good: inService('name: string;'),
  },
  'struct-out-of-reach': {
    severity: error,
    title: 'Reference to a private struct',
    explanation:
      'Entries of a struct belong to one entity of their service, so only structs of the same service can reference them. Reference the service instead, or move the attribute into a struct of that service.',
    bad: inService('cover: Photo;', 'Photo: struct {}'),
    good: inService('Photo: struct {}', 'Comment: struct {', '  photo: Photo;', '}'),
  },
  'reference-with-arguments': {
    severity: error,
    title: 'Arguments on a reference',
    explanation:
      'An attribute whose type is a service or struct stores the id of an entity. Only built-in types take arguments. Remove them.',
    bad: 'Stays: project {}\nHost: service {}\nHome: service {\n  owner: Host(1);\n}\n',
    good: 'Stays: project {}\nHost: service {}\nHome: service {\n  owner: Host;\n}\n',
  },
  'reference-cycle': {
    severity: error,
    title: 'Circular required references',
    explanation:
      'A reference requires that the entity it refers to already exists. If required references form a cycle, no entity in the cycle can be created first. Make one of them optional with `?`, mark it `@server` or `@serverSet` so that a hook sets it later, or remove it.',
    bad: 'Stays: project {}\nHost: service {\n  home: Home;\n}\nHome: service {\n  owner: Host;\n}\n',
    good: 'Stays: project {}\nHost: service {}\nHome: service {\n  owner: Host;\n}\n',
  },
  'unknown-argument': {
    severity: error,
    title: 'Unknown argument',
    explanation:
      'The type or metadata has no parameter with this name. Check the spelling, or see the reference for its parameters.',
    bad: inService('beds: int(maximum: 40);'),
    good: inService('beds: int(max: 40);'),
  },
  'duplicate-argument': {
    severity: error,
    title: 'Duplicate argument',
    explanation:
      'Each parameter can be set only once, by position or by name. `int(40, max: 50)` sets `max` twice, because `max` is the first parameter. Remove one of the two arguments.',
    bad: inService('beds: int(40, max: 50);'),
    good: inService('beds: int(40);'),
  },
  'surplus-argument': {
    severity: error,
    title: 'Too many arguments',
    explanation: 'The type or metadata takes fewer arguments. Remove the marked one.',
    bad: inService('sunny: bool(1);'),
    good: inService('sunny: bool;'),
  },
  'positional-after-named': {
    severity: error,
    title: 'Positional argument after a named one',
    explanation:
      'Positional arguments must come before named ones. Name this argument too, or move it to the front.',
    bad: inService('beds: int(max: 40, 1);'),
    good: inService('beds: int(max: 40, min: 1);'),
  },
  'unnamed-argument': {
    severity: error,
    title: 'Argument without a name',
    explanation:
      'The arguments of a `decimal` are written with their names, because other languages list its digits first: `decimal(10, 2)` could mean 10 digits or a maximum of 10. `max` and `min` are its bounds, `scale` is the number of digits after the point. The second argument of metadata is written with its name too: `#database(postgres, server: shared)`.',
    bad: inService('price: decimal(10, 2);'),
    good: inService('price: decimal(max: 99999999.99, scale: 2);'),
  },
  'wrong-argument-kind': {
    severity: error,
    title: 'Value of the wrong kind',
    explanation:
      'Each parameter accepts one kind of value: an integer (`80`, `-5`, `10k`, `5M`), a number (`1.5`, `1e6`), a word, or a list (`[create, delete]`).',
    bad: inService('name: string(1.5);'),
    good: inService('name: string(15);'),
  },
  'invalid-number': {
    severity: error,
    title: 'Invalid number',
    explanation:
      'Integers are digits with an optional `-` in front and an optional suffix `k`, `M` or `G` (10^3, 10^6, 10^9). Floats are written like `1.5`, `-0.25` and `1e6`. Digits cannot be grouped (`1_000`, `1,000`), and a unit cannot follow a suffix (`5MB`).',
    bad: inService('name: string(80x);'),
    good: inService('name: string(80);'),
  },
  'reversed-bounds': {
    severity: error,
    title: 'Maximum less than the minimum',
    explanation:
      'No value satisfies both bounds. Positional arguments begin with the maximum: `int(100, 1)` is the same as `int(max: 100, min: 1)`.',
    bad: inService('beds: int(1, 40);'),
    good: inService('beds: int(40, 1);'),
  },
  'negative-size': {
    severity: error,
    title: 'Negative length or size',
    explanation: 'Lengths and sizes must be 0 or greater.',
    bad: inService('name: string(-80);'),
    good: inService('name: string(80);'),
  },
  'precision-out-of-range': {
    severity: error,
    title: 'Precision out of range',
    explanation: '`precision` is the size of a stored value in bytes, from 1 to 8.',
    bad: inService('beds: int(precision: 16);'),
    good: inService('beds: int(precision: 8);'),
  },
  'scale-out-of-range': {
    severity: error,
    title: 'Scale out of range',
    explanation: '`scale` is the number of digits after the point of a `decimal`, from 0 to 18.',
    bad: inService('price: decimal(scale: 20);'),
    good: inService('price: decimal(scale: 4);'),
  },
  'bound-beyond-precision': {
    severity: error,
    title: 'Bound does not fit the precision',
    explanation:
      'An `int` of `n` bytes stores values from -2^(8n-1) to 2^(8n-1)-1. Without `precision`, an `int` has 4 bytes. A `float` of up to 4 bytes stores values up to about 3.4e38. Lengths and sizes are at most 2^63-1. A `decimal` has at most 38 digits, `scale` of them after the point. Increase the precision, or change the bound.',
    bad: inService('views: int(max: 5G);'),
    good: inService('views: int(max: 5G, precision: 8);'),
  },
  'bound-not-finite': {
    severity: error,
    title: 'Bound out of range for a `float`',
    explanation: 'The largest `float` is about 1.8e308. Lower the bound, or remove it.',
    bad: inService('rate: float(max: 1e400);'),
    good: inService('rate: float(max: 1e300);'),
  },
  'enum-without-values': {
    severity: error,
    title: '`enum` without values',
    explanation:
      'An `enum` lists the values that clients can send: `enum(open, pending, closed)`. Add at least one.',
    bad: inService('state: enum;'),
    good: inService('state: enum(open, closed);'),
  },
  'invalid-enum-value': {
    severity: error,
    title: 'Invalid `enum` value',
    explanation:
      'The values of an `enum` are words of the letters A to Z and a to z, digits, `_` and `-` that do not begin with `-`, and have at most 63 characters: `open`, `in-progress`, `2xl`. They are written without quotes, names or brackets and separated by commas.',
    bad: inService('size: enum(petit, très-grand);'),
    good: inService('size: enum(petit, grand);'),
  },
  'duplicate-enum-value': {
    severity: error,
    title: 'Duplicate `enum` value',
    explanation: 'The values of an `enum` must be different. Remove the second one.',
    bad: inService('state: enum(open, closed, open);'),
    good: inService('state: enum(open, closed);'),
  },
  'optional-client': {
    severity: error,
    title: '`?` on a `@client` attribute',
    explanation:
      'Clients must always send a `@client` attribute, so it cannot be optional. Remove the `?`, or the annotation.',
    bad: inService('code: string? @client;'),
    good: inService('code: string @client;'),
  },
  'default-not-allowed': {
    severity: error,
    title: 'Default not allowed here',
    explanation:
      'References, `data` and `@client` attributes cannot have a default. Remove it. To let clients leave out a reference or `data`, write `?` after its type.',
    bad: inService('photo: data(5M) = "none";'),
    good: inService('photo: data(5M)?;'),
  },
  'wrong-default-kind': {
    severity: error,
    title: 'Default of the wrong kind',
    explanation:
      'A default is a value of the attribute: `true` or `false`, an integer, a number, or a string in double quotes with JSON escapes. The default of a `date`, `time` or `datetime` is `now`, the time of the request.',
    bad: inService('country: string(2) = NL;'),
    good: inService('country: string(2) = "NL";'),
  },
  'default-out-of-bounds': {
    severity: error,
    title: 'Default out of bounds',
    explanation:
      'The default is stored when a request leaves the attribute out, so it must satisfy the bounds of its type. Integers beyond ±(2^53-1) cannot be sent as JSON and cannot be defaults either.',
    bad: inService('beds: int(40, 1) = 0;'),
    good: inService('beds: int(40, 1) = 1;'),
  },
  'unknown-annotation': {
    severity: error,
    title: 'Unknown annotation',
    explanation:
      'The annotations are `@unique`, `@server`, `@serverSet`, `@client`, `@was` and `@transitions`.',
    bad: inService('name: string @uniqe;'),
    good: inService('name: string @unique;'),
  },
  'duplicate-annotation': {
    severity: error,
    title: 'Duplicate annotation',
    explanation: 'An attribute can have each annotation only once. Remove the second one.',
    bad: inService('name: string @unique @unique;'),
    good: inService('name: string @unique;'),
  },
  'conflicting-annotations': {
    severity: error,
    title: 'Conflicting annotations',
    explanation:
      'An attribute can have at most one of `@server` (only hooks can read and write it), `@serverSet` (clients can only read it) and `@client` (clients can only write it). Keep one of them.',
    bad: inService('rank: int @server @client;'),
    good: inService('rank: int @server;'),
  },
  'unique-client': {
    severity: error,
    title: '`@unique` on an attribute that is not stored',
    explanation:
      'A `@client` attribute is passed to hooks but not stored, so Portico cannot check that its values are unique. Remove one of the two annotations.',
    bad: inService('code: string @client @unique;'),
    good: inService('code: string @unique;'),
  },
  'was-client': {
    severity: error,
    title: '`@was` on an attribute that is not stored',
    explanation:
      'A `@client` attribute is passed to hooks but not stored, so it has no column that a migration could rename. Remove one of the two annotations.',
    bad: inService('code: string @client @was(pin);'),
    good: inService('code: string @was(pin);'),
  },
  'transitions-without-enum': {
    severity: error,
    title: '`@transitions` on an attribute that is not an `enum`',
    explanation:
      '`@transitions` says how the value of an `enum` can change. Change the type to an `enum`, or remove the annotation.',
    bad: inService('state: string @transitions(draft: sent);'),
    good: inService('state: enum(draft, sent) @transitions(draft: sent);'),
  },
  'transitions-client': {
    severity: error,
    title: '`@transitions` on an attribute that is not stored',
    explanation:
      'A `@client` attribute is passed to hooks but not stored, so there is no value that could change. Remove one of the two annotations.',
    bad: inService('state: enum(draft, sent) @client @transitions(draft: sent);'),
    good: inService('state: enum(draft, sent) @transitions(draft: sent);'),
  },
  'optional-transitions': {
    severity: error,
    title: '`?` on an attribute with `@transitions`',
    explanation:
      'Every entity has one of the values, from its creation on, so the attribute cannot be `null`. Remove the `?`. If entities can lack a value at first, declare one for this: `enum(none, draft, sent)`.',
    bad: inService('state: enum(draft, sent)? @transitions(draft: sent);'),
    good: inService('state: enum(draft, sent) @transitions(draft: sent);'),
  },
  'redundant-transition': {
    severity: 'warning',
    title: 'Transition from a value to itself',
    explanation: 'A value can always stay as it is. `@transitions` lists only what it can change to.',
    bad: inService('state: enum(draft, sent) @transitions(draft: [draft, sent]);'),
    good: inService('state: enum(draft, sent) @transitions(draft: [sent]);'),
  },
  'unreachable-value': {
    severity: 'warning',
    title: 'Value that no transition leads to',
    explanation:
      'A new entity has the default, or the first value without one. It never gets a value that `@transitions` does not list after another one. Add a transition that leads to it, or remove the value. Hooks and the datastore can create entities with it.',
    bad: inService('state: enum(draft, sent, void) @transitions(draft: sent);'),
    good: inService('state: enum(draft, sent, void) @transitions(draft: [sent, void]);'),
  },
  'zero-value-invalid': {
    severity: 'warning',
    title: 'Zero value not allowed by the type',
    explanation:
      'A `@server` or `@serverSet` attribute that no hook sets is stored with the zero value of its type (`0`, `""`, the nil UUID). This type does not allow the zero value, so creating an entity fails until a hook sets one. Set a value in a `beforeCreate` hook, give the attribute a default, make it optional with `?`, or change the type.',
    bad: inService('rank: int(10, 1) @serverSet;'),
    good: inService('rank: int(10, 0) @serverSet;'),
  },
  'unreachable-bound': {
    severity: 'hint',
    title: 'Bound larger than a request body',
    explanation:
      'A request body is limited to 64 MiB. Each character of a string takes at least 1 byte, and every 3 bytes of data take 4, because data is base64-encoded. A value as large as this bound cannot be sent. Lower the bound.',
    bad: inService('film: data(1G);'),
    good: inService('film: data(40M);'),
  },
} as const satisfies Record<string, CatalogueEntry>
