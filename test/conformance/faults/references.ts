import type { Fault } from './fault.ts'

/** References between services. */
export const REFERENCE_FAULTS: readonly Fault[] = [
  {
    what: 'create checks no reference',
    files: {
      'home/src/routes/home.ts': [
        [/await requireReferences\(\[\{ to: env\.comm\.host, id: request\.owner \}\], caller\)/, ''],
      ],
    },
    foundBy: 'Home: `owner` takes a Host that exists, in either case of its id',
  },
  {
    what: 'update checks no reference',
    files: {
      'home/src/routes/home.ts': [[/await requireReferences\([^)]*stored: current\.owner[^)]*\)/, '']],
    },
    foundBy: 'Home: update checks `owner`, and changes nothing where it is unknown',
  },
  {
    what: 'update checks what it does not change',
    files: { 'memo/src/references.ts': [['id !== stored', "id !== '' || stored === ''"]] },
    foundBy: 'Memo: `home` stays when its Home is deleted, and is not checked again until it changes',
  },
  {
    what: 'the last unknown reference is named',
    files: {
      'memo/src/references.ts': [
        [
          'for (const { to, id } of changed) {\n    const unknown',
          'for (const { to, id } of changed.toReversed()) {\n    const unknown',
        ],
      ],
    },
    foundBy: 'Memo: of `note` and `home` the first unknown one is named',
  },
  {
    what: 'what the caller cannot read can be referred to',
    files: { 'note/src/statements/note.ts': [[/and\((sql`[^`]*any\([^`]*`), own\)/, '$1']] },
    foundBy: 'Memo: `note` takes no Note that only another user can read (2 users)',
  },
  {
    what: 'entries that are not there can be referred to',
    files: { 'home/src/siblings.ts': [['found[index]?.length === 0', 'found[index] === undefined']] },
    foundBy: 'Home.Tag: `photo` takes a Photo that exists, in either case of its id',
    sql: {
      service: 'home',
      breaks: 'ALTER TABLE tag DROP CONSTRAINT tag__photo__fkey',
      mends:
        'TRUNCATE home CASCADE; ALTER TABLE tag ADD CONSTRAINT tag__photo__fkey FOREIGN KEY (photo, _parent) REFERENCES photo (id, _parent)',
    },
  },
]
