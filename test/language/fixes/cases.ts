import type { DiagnosticCode } from '../../../src/diagnostics/catalogue.ts'

const inService = (...lines: string[]): string =>
  `Stays: project {}\n\nHome: service {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`

/** Problems that the catalogue's examples do not have: where a fix looks around before it acts. */
export const CASES: readonly (readonly [DiagnosticCode, string])[] = [
  ['missing-project', '\uFEFFHome: service {}\n'],
  [
    'second-project',
    'A: project {\n  #language(go);\n}\nB: project {\n  #authMethod(email);\n  #language(go)\n}\nU: service { #auth; }\n',
  ],
  ['missing-service', 'Stays: project {}'],
  ['misplaced-block', 'Stays: project {}\nHome: service {\n  Room: service {\n    a: int;\n  }\n}\n'],
  [
    'misplaced-block',
    'Stays: project {}\n/// Pictures.\nPhoto: struct {\n  image: data;\n}\nHome: service {}\nHost: service { name: string }\n',
  ],
  [
    'misplaced-attribute',
    'Stays: project {\n  // First.\n  name: string\n}\nHome: service { a: int }\nHost: service {}\n',
  ],
  [
    'invalid-block-name',
    'Stays: project {}\nhost: service {}\nHome: service {\n  owner: host;\n  #uses[host];\n}\n',
  ],
  ['reserved-service-name', 'Stays: project {}\nApi: service {}\nHome: service {\n  api: Api;\n}\n'],
  ['duplicate-block', 'Stays: project {}\nHome: service {}\nHome2: service {}\nHome: service {}\n'],
  [
    'duplicate-attribute',
    inService(
      '/// Kept.',
      'a: int;',
      '/// The second one,',
      '/// in two lines.',
      'a: string; // here',
      'b: int;',
    ),
  ],
  ['unknown-type', inService('owner: Landlady;')],
  ['unknown-type', inService('Photo: struct {', '  album: Collection;', '}')],
  [
    'struct-out-of-reach',
    'Stays: project {}\nHome: service { Photo: struct {} }\nHost: service { cover: Photo; }\n',
  ],
  [
    'reference-cycle',
    'Stays: project {}\nHost: service { home: Home; }\nHome: service { owner: Host @unique; }\n',
  ],
  ['surplus-argument', inService('day: date(1, 2);')],
  ['surplus-argument', inService('#enumerable(1);')],
  ['positional-behind-named', inService('beds: int(min: 1, 40);')],
  ['reversed-bounds', inService('name: string(minLength: 80, maxLength: 3);')],
  ['bound-beyond-precision', inService('views: int(max: 200, precision: 1);')],
  ['bound-beyond-precision', inService('rate: float(1e300, precision: 4);')],
  ['bound-not-finite', inService('rate: float(1e400, 0);')],
  ['bound-not-finite', inService('rate: float(1.0, min: -1e400);')],
  ['zero-value-refused', inService('rank: float(-1.5) @server;')],
  ['zero-value-refused', inService('name: string(9, 2) @serverSet;')],
  ['unreachable-bound', inService('text: string(90M);')],
  ['misplaced-metadata', 'Stays: project {}\nHome: service { #authMethod(email); #auth; }\n'],
  ['misplaced-metadata', inService('Photo: struct {', '  #readable(by: all);', '}')],
  ['repeated-metadata', inService('#enumerable;', '#enumerable;')],
  ['missing-value', inService('#uses;')],
  ['missing-value', 'Stays: project {\n  #authMethod;\n}\nUser: service { #auth; }\n'],
  ['missing-value', inService('#readable();')],
  ['unknown-value', inService('#omit[create, list];')],
  ['method-without-auth', 'Stays: project { #authMethod(email) }\nA: service {}\nB: service { a: int }\n'],
  ['unknown-service', inService('#uses[Home, Landlady];')],
  [
    'writable-but-not-readable',
    'Stays: project { #authMethod(email); }\nUser: service { #auth; }\nHome: service {\n  #readable(by: this);\n  #writable(by: all);\n}\n',
  ],
  ['omit-identify-without-auth', inService('#omit[delete, identify];')],
  ['repeated-value', inService('#omit([update, update, delete]);')],
  ['redundant-metadata', inService('a: int; #readable(by: all); b: int;')],
  [
    'unclosed-block',
    'Stays: project {}\nHome: service {\n  Photo: struct {\n    a: int;\n}\nHost: service {}\n',
  ],
]
