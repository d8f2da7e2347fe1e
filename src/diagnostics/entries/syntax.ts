import { type CatalogueEntry, inService } from '../entry.ts'

const error = 'error'

/** Syntax errors. */
export const SYNTAX = {
  'unexpected-character': {
    severity: error,
    title: 'Unexpected character',
    explanation:
      'Definitions consist of names, numbers, strings in double quotes, comments and the characters `: ; { } ( ) [ ] , # @ ? =`. Remove the character.',
    bad: inService('name: string(80)!;'),
    good: inService('name: string(80);'),
  },
  'unexpected-token': {
    severity: error,
    title: 'Unexpected token',
    explanation:
      'The declaration does not follow the syntax: `name: type(arguments)? = default @annotation;`, `#metadata(value);` or `Name: service { ... }`. The rest of the definition is still checked.',
    bad: inService('name: (80);'),
    good: inService('name: string(80);'),
  },
  'missing-token': {
    severity: error,
    title: 'Missing token',
    explanation:
      'A colon, a bracket, a comma or the kind of a block is missing. Insert it at the marked position.',
    bad: inService('name string(80);'),
    good: inService('name: string(80);'),
  },
  'missing-semicolon': {
    severity: error,
    title: 'Missing `;`',
    explanation: 'Attributes and metadata end with `;`. Only the last declaration before `}` can omit it.',
    bad: inService('name: string', 'beds: int;'),
    good: inService('name: string;', 'beds: int;'),
  },
  'unclosed-block': {
    severity: error,
    title: 'Missing `}`',
    explanation:
      'The file ends, or another block begins, before the `}` that closes this block. The second marked position is where the `}` most likely belongs.',
    bad: 'Stays: project {}\n\nHome: service {\n  name: string;\n',
    good: 'Stays: project {}\n\nHome: service {\n  name: string;\n}\n',
  },
  'unterminated-comment': {
    severity: error,
    title: 'Unterminated comment',
    explanation:
      'A comment that begins with `/*` ends at the next `*/`. Insert `*/` where the comment should end.',
    bad: 'Stays: project {}\n\nHome: service {}\n/* Nothing else yet.\n',
    good: 'Stays: project {}\n\nHome: service {}\n/* Nothing else yet. */\n',
  },
  'nesting-too-deep': {
    severity: error,
    title: 'Brackets nested too deeply',
    explanation:
      'Definitions never need more than four levels of brackets. Anything nested deeper than 16 levels is skipped. Usually a bracket is not closed, or is written twice.',
    bad: inService(`#omit${'['.repeat(17)}delete${']'.repeat(17)};`),
    good: inService('#omit[delete];'),
  },
  'definition-too-large': {
    severity: error,
    title: 'File too large',
    explanation:
      'A definition can have at most 4,194,304 characters (UTF-16 code units), which is enough for thousands of services. Larger files are not read.',
    bad: `Stays: project {}\n\nHome: service {}\n// ${'x'.repeat(24)}… 5 MB of text\n`,
    good: 'Stays: project {}\n\nHome: service {}\n',
  },
  'too-many-diagnostics': {
    severity: 'warning',
    title: 'Too many problems',
    explanation:
      'At most 10,000 problems of each severity are shown. Fix the first ones and run the command again: many of them may have the same cause.',
    bad: `${inService('aName: text;', '// … and 10,000 more attributes of unknown types').trimEnd()}\n`,
    good: inService('aName: string;'),
  },
} as const satisfies Record<string, CatalogueEntry>
