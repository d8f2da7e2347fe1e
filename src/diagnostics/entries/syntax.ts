import { type CatalogueEntry, inService } from '../entry.ts'

const error = 'error'

/** Text that is no definition at all. */
export const SYNTAX = {
  'unexpected-character': {
    severity: error,
    title: 'A character that no definition has',
    explanation:
      'Definitions consist of names, numbers, comments and the characters `: ; { } ( ) [ ] , # @`. Values are written without quotes. Remove the character.',
    bad: inService('name: string(80)?;'),
    good: inService('name: string(80);'),
  },
  'unexpected-token': {
    severity: error,
    title: 'Something stands where something else is expected',
    explanation:
      'The text does not follow the form of a declaration: `name: type(arguments) @annotation;`, `#metadata(value);` or `Name: service { ... }`. The message says what was found and what is expected. Everything outside of the broken declaration is still checked.',
    bad: inService('name: (80);'),
    good: inService('name: string(80);'),
  },
  'missing-token': {
    severity: error,
    title: 'Something is missing',
    explanation:
      'A colon, a bracket, a comma or the kind of a block is missing. Insert it where the message says.',
    bad: inService('name string(80);'),
    good: inService('name: string(80);'),
  },
  'missing-semicolon': {
    severity: error,
    title: 'A declaration does not end in `;`',
    explanation: 'Every declaration but a block ends in `;`. Only the last one before `}` may leave it out.',
    bad: inService('name: string', 'beds: int;'),
    good: inService('name: string;', 'beds: int;'),
  },
  'unclosed-block': {
    severity: error,
    title: 'A block is not closed',
    explanation: 'The text ends, or another block begins, before the `}` that closes this block. Insert it.',
    bad: 'Stays: project {}\n\nHome: service {\n  name: string;\n',
    good: 'Stays: project {}\n\nHome: service {\n  name: string;\n}\n',
  },
  'unterminated-comment': {
    severity: error,
    title: 'A comment does not end',
    explanation: 'A comment that begins with `/*` ends at the next `*/`. Insert `*/`.',
    bad: 'Stays: project {}\n\nHome: service {}\n/* Nothing else yet.\n',
    good: 'Stays: project {}\n\nHome: service {}\n/* Nothing else yet. */\n',
  },
  'nesting-too-deep': {
    severity: error,
    title: 'Brackets are nested too deeply',
    explanation:
      'No definition nests blocks and brackets more than four deep. What is nested more than 16 deep is skipped. A bracket is likely not closed, or one is written twice.',
    bad: inService(`#omit${'['.repeat(17)}delete${']'.repeat(17)};`),
    good: inService('#omit[delete];'),
  },
  'definition-too-large': {
    severity: error,
    title: 'The text is too large for a definition',
    explanation:
      'A definition holds at most 4 Mi characters (4,194,304 UTF-16 code units), far more than thousands of services need. Larger texts are not read.',
    bad: `Stays: project {}\n\nHome: service {}\n// ${'x'.repeat(24)}… 5 MB of text\n`,
    good: 'Stays: project {}\n\nHome: service {}\n',
  },
  'too-many-diagnostics': {
    severity: 'hint',
    title: 'There are more diagnostics than are shown',
    explanation:
      'Of each severity, 10,000 diagnostics of a text are shown. The message says how many more there are. Mend the ones that are shown first: many may have one cause.',
    bad: `${inService('aName: text;', '// … and 10,000 more attributes of unknown types').trimEnd()}\n`,
    good: inService('aName: string;'),
  },
} as const satisfies Record<string, CatalogueEntry>
