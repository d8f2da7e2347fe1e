import { CATALOGUE, DIAGNOSTIC_CODES, type DiagnosticCode } from '../src/diagnostics/catalogue.ts'
import {
  ANNOTATIONS,
  METADATA,
  type MetadataEntry,
  type Parameter,
  TYPES,
  type TypeEntry,
} from '../src/language/vocabulary.ts'

/** The reference page of the language, from the vocabulary table and the catalogue of diagnostics. */
export function languagePage(): string {
  return [
    INTRODUCTION,
    '## Types',
    TYPES_INTRODUCTION,
    table(['type', 'parameters', 'JSON', 'Postgres'], TYPES.map(typeRow)),
    ...TYPES.filter(({ parameters }) => parameters.length > 0).map(parametersOf),
    '## Annotations',
    'They stand behind the type: `email: string @unique;`. At most one of `@server`, `@serverSet` and `@client` stands on an attribute.',
    table(
      ['annotation', 'meaning'],
      ANNOTATIONS.map(({ name, docs }) => [`\`@${name}\``, docs]),
    ),
    '## Metadata',
    METADATA_INTRODUCTION,
    table(['metadata', 'in', 'values', 'when absent', 'meaning'], METADATA.map(metadataRow)),
    '## Diagnostics',
    '`portico explain <code>` shows one of these in the terminal. An error keeps the definition from being generated; warnings and hints do not.',
    table(
      ['code', 'severity', 'what it says'],
      DIAGNOSTIC_CODES.map((code) => [
        `[\`${code}\`](#${code})`,
        CATALOGUE[code].severity,
        CATALOGUE[code].title,
      ]),
    ),
    ...DIAGNOSTIC_CODES.map(diagnostic),
  ].join('\n\n')
}

const INTRODUCTION = `<!-- Made by \`npm run docs\` from src/language/vocabulary.ts and src/diagnostics; changes here are lost. -->

# The definition language

A definition is one UTF-8 text file, \`*.portico\`. It holds exactly one \`project\` block and at least one \`service\` block, in any order; \`struct\` blocks stand in a service. Definitions of the older Temple system (\`*.temple\`, \`*.templefile\`) are accepted as they are.

\`\`\`portico
/// A marketplace for short stays.
Stays: project {
  #authMethod(email);
}

/// Somebody who rents a home out.
Host: service {
  name: string(80);
  #auth;
  #readable(by: all);
}

Home: service {
  owner: Host;              // a reference
  beds: int(max: 40, min: 1);
  listedAt: datetime @serverSet;

  Photo: struct {
    image: data(5M);
    #enumerable;
  }

  #enumerable;
}
\`\`\`

- White space never matters, except that it ends a line comment. \`portico format\` lays a file out in the standard way.
- \`// ...\` and \`/* ... */\` are comments. \`/// ...\` lines and \`/** ... */\` directly before a declaration are its documentation.
- Every declaration but a block ends in \`;\`. The last one before \`}\` may leave it out.
- Block names match \`[A-Z][A-Za-z0-9]*\`, attribute names \`[a-z][A-Za-z0-9]*\`. No word is reserved.
- Integers may carry \`k\`, \`M\` or \`G\` for 10^3, 10^6, 10^9. Floats are \`1.5\`, \`-0.25\`, \`1e6\`.
- A project block holds metadata only, a service attributes, structs and metadata, a struct attributes and metadata.`

const TYPES_INTRODUCTION =
  'An attribute is `name: type(arguments) @annotation ...;`. Arguments are positional, then named; all are optional. Besides these types, the name of a service is a reference to one of its entities and, inside a struct, the name of a sibling struct one to an entry under the same parent: UUID strings in JSON, `uuid` in Postgres.'

const METADATA_INTRODUCTION =
  'Metadata is `#name(arguments);`. One value may be named or not: `#readable(by: all)`, `#readable(all)`. A list is `#omit([delete])` or, short, `#omit[delete, update]`. A block holds each metadata name at most once.'

function typeRow({ name, parameters, json, postgres }: TypeEntry): string[] {
  return [`\`${name}\``, parameters.map((parameter) => `\`${parameter.name}\``).join(', '), json, postgres]
}

function parametersOf({ name, docs, parameters }: TypeEntry): string {
  const rows = parameters.map((parameter) => [`\`${parameter.name}\``, parameter.docs, parameter.whenAbsent])
  return `### \`${name}\`\n\n${docs}\n\n${table(['parameter', 'meaning', 'when absent'], rows)}`
}

function metadataRow({ name, blocks, parameter, whenAbsent, docs }: MetadataEntry): string[] {
  return [`\`#${name}${form(parameter)}\``, blocks.join(', '), valuesOf(parameter), whenAbsent, docs]
}

function form(parameter: Parameter | undefined): string {
  if (parameter === undefined) return ''
  return parameter.kind === 'word' ? `(${parameter.name}:)` : '[...]'
}

function valuesOf(parameter: Parameter | undefined): string {
  if (parameter === undefined) return ''
  if (parameter.kind === 'services') return 'names of services'
  return parameter.values
    .map(({ name, aliases }) => [name, ...aliases].map((spelling) => `\`${spelling}\``).join(' or '))
    .join(', ')
}

function diagnostic(code: DiagnosticCode): string {
  const { severity, title, explanation, bad, good } = CATALOGUE[code]
  return [
    `### ${code}`,
    `**${title}** (${severity}). ${explanation}`,
    'This has it:',
    fenced(bad),
    'This does not:',
    fenced(good),
  ].join('\n\n')
}

function fenced(text: string): string {
  const fence = text.includes('```') ? '````' : '```'
  return `${fence}portico\n${text.trimEnd()}\n${fence}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [tableRow(head), tableRow(head.map(() => '---')), ...rows.map(tableRow)].join('\n')
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
