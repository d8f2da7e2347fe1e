import { type CatalogueEntry, inService } from '../entry.ts'

const error = 'error'

/** Types, their arguments and annotations. */
export const ATTRIBUTES = {
  'unknown-type': {
    severity: error,
    title: 'An unknown type',
    explanation:
      'The type of an attribute is a built-in type (`bool`, `string`, `int`, `float`, `date`, `time`, `datetime`, `data`), the name of a service or, in a struct, the name of a struct of the same service.',
    bad: inService('name: text;'),
    good: inService('name: string;'),
  },
  'struct-out-of-reach': {
    severity: error,
    title: 'A reference to a struct that cannot be referred to from here',
    explanation:
      'Entries of a struct live under their parent, so only a struct of the same service can refer to them. Refer to the service that holds the struct, or move the attribute.',
    bad: inService('cover: Photo;', 'Photo: struct {}'),
    good: inService('Photo: struct {}', 'Comment: struct {', '  photo: Photo;', '}'),
  },
  'reference-with-arguments': {
    severity: error,
    title: 'Arguments on a reference',
    explanation: 'A reference to a service or struct is a UUID and takes no arguments. Remove them.',
    bad: 'Stays: project {}\nHost: service {}\nHome: service {\n  owner: Host(1);\n}\n',
    good: 'Stays: project {}\nHost: service {}\nHome: service {\n  owner: Host;\n}\n',
  },
  'reference-cycle': {
    severity: error,
    title: 'References that clients must supply form a cycle',
    explanation:
      'The entity that an attribute refers to must exist first. Where such references lead back to where they began, no entity could ever be created. Make one of them `@server` or `@serverSet`, so that a hook sets it later, or remove it.',
    bad: 'Stays: project {}\nHost: service {\n  home: Home;\n}\nHome: service {\n  owner: Host;\n}\n',
    good: 'Stays: project {}\nHost: service {}\nHome: service {\n  owner: Host;\n}\n',
  },
  'unknown-argument': {
    severity: error,
    title: 'An unknown argument',
    explanation:
      'The type or metadata has no parameter of this name. The message lists the ones that it has.',
    bad: inService('beds: int(maximum: 40);'),
    good: inService('beds: int(max: 40);'),
  },
  'repeated-argument': {
    severity: error,
    title: 'A parameter is given twice',
    explanation:
      'Each parameter is given at most once, by its position or by its name. Remove one of the two.',
    bad: inService('beds: int(40, max: 50);'),
    good: inService('beds: int(40);'),
  },
  'surplus-argument': {
    severity: error,
    title: 'More arguments than parameters',
    explanation: 'The type or metadata takes fewer arguments. Remove the surplus ones.',
    bad: inService('sunny: bool(1);'),
    good: inService('sunny: bool;'),
  },
  'positional-behind-named': {
    severity: error,
    title: 'A positional argument behind a named one',
    explanation:
      'Positional arguments come first, then named ones. Name this argument too, or move it to the front.',
    bad: inService('beds: int(max: 40, 1);'),
    good: inService('beds: int(max: 40, min: 1);'),
  },
  'wrong-argument-kind': {
    severity: error,
    title: 'A value of the wrong kind',
    explanation:
      'An integer (`80`, `-5`, `10k`, `5M`), a number (`1.5`, `1e6`), a word or a list (`[create, delete]`) is expected, and something else is written.',
    bad: inService('name: string(1.5);'),
    good: inService('name: string(15);'),
  },
  'invalid-number': {
    severity: error,
    title: 'Not a number',
    explanation:
      'Integers are digits, with an optional `-` before and an optional `k`, `M` or `G` (10^3, 10^6, 10^9) behind them. Floats are written like `1.5`, `-0.25` and `1e6`.',
    bad: inService('name: string(80x);'),
    good: inService('name: string(80);'),
  },
  'reversed-bounds': {
    severity: error,
    title: 'The upper bound is below the lower one',
    explanation:
      'No value could satisfy both bounds. Positional arguments take the upper bound first: `int(100, 1)`.',
    bad: inService('beds: int(1, 40);'),
    good: inService('beds: int(40, 1);'),
  },
  'negative-size': {
    severity: error,
    title: 'A negative length or size',
    explanation: 'Lengths and sizes are 0 or more.',
    bad: inService('name: string(-80);'),
    good: inService('name: string(80);'),
  },
  'precision-out-of-range': {
    severity: error,
    title: 'A precision outside of 1 to 8',
    explanation: '`precision` is the number of bytes that a value is stored in: 1 to 8.',
    bad: inService('beds: int(precision: 16);'),
    good: inService('beds: int(precision: 8);'),
  },
  'bound-beyond-precision': {
    severity: error,
    title: 'A bound that the precision cannot hold',
    explanation:
      'An `int` of `n` bytes holds -2^(8n-1) to 2^(8n-1)-1, and `n` is 4 when no `precision` is given. A `float` of up to 4 bytes holds about ±3.4e38. Lengths and sizes are at most 2^63-1. Raise the precision or change the bound.',
    bad: inService('views: int(max: 5G);'),
    good: inService('views: int(max: 5G, precision: 8);'),
  },
  'bound-not-finite': {
    severity: error,
    title: 'A bound that is not finite',
    explanation:
      'No float is as large as this: the largest is about 1.8e308. Leave the bound out, or lower it.',
    bad: inService('rate: float(max: 1e400);'),
    good: inService('rate: float(max: 1e300);'),
  },
  'unknown-annotation': {
    severity: error,
    title: 'An unknown annotation',
    explanation: 'The annotations are `@unique`, `@server`, `@serverSet` and `@client`.',
    bad: inService('name: string @uniqe;'),
    good: inService('name: string @unique;'),
  },
  'repeated-annotation': {
    severity: error,
    title: 'An annotation is written twice',
    explanation: 'Each annotation stands at most once on an attribute. Remove the second one.',
    bad: inService('name: string @unique @unique;'),
    good: inService('name: string @unique;'),
  },
  'conflicting-annotations': {
    severity: error,
    title: 'Annotations that exclude each other',
    explanation:
      'An attribute holds at most one of `@server` (only hooks see it), `@serverSet` (clients only read it) and `@client` (clients only send it). Keep one.',
    bad: inService('rank: int @server @client;'),
    good: inService('rank: int @server;'),
  },
  'unique-client': {
    severity: error,
    title: '`@unique` on an attribute that is not stored',
    explanation:
      'A `@client` attribute is given to hooks and not stored, so there is nothing to be unique among. Remove one of the two.',
    bad: inService('code: string @client @unique;'),
    good: inService('code: string @unique;'),
  },
  'zero-value-refused': {
    severity: 'warning',
    title: 'The zero value does not fit the type',
    explanation:
      'A `@server` or `@serverSet` attribute that no hook sets is stored as the zero value of its type (`0`, `""`, the nil UUID). This type refuses it, so nothing can be stored until a hook sets a value. Set one in a before-create hook, or widen the type.',
    bad: inService('rank: int(10, 1) @serverSet;'),
    good: inService('rank: int(10, 0) @serverSet;'),
  },
  'unreachable-bound': {
    severity: 'hint',
    title: 'No client can ever reach this bound',
    explanation:
      'A request body holds at most 64 MiB, counting 12 bytes for each character of a string and 4 for 3 bytes of data. A value as large as this bound does not fit in. Lower the bound.',
    bad: inService('film: data(1G);'),
    good: inService('film: data(40M);'),
  },
} as const satisfies Record<string, CatalogueEntry>
