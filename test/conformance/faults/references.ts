import type { Fault } from './fault.ts'

/** References between services. */
export const REFERENCE_FAULTS: readonly Fault[] = [
  {
    description: 'create does not check references',
    files: {
      'home/src/routes/home.ts': [
        ['await requireReferences([{ to: comm.host, id: request.owner }], caller)', ''],
      ],
    },
    foundBy: 'Home: `owner` accepts an existing Host, with its id in either case',
  },
  {
    description: 'update does not check references',
    files: {
      'home/src/routes/home.ts': [[/await requireReferences\([^)]*stored: stored\.owner[^)]*\)/, '']],
    },
    foundBy: 'Home: update rejects an unknown `owner` and changes nothing',
  },
  {
    description: 'update checks unchanged references',
    files: {
      'lib/references.ts': [[' || id === stored', '']],
    },
    foundBy:
      'Memo: `home` keeps its value when its Home is deleted, and is checked again only when it changes',
  },
  {
    description: 'the error names the last unknown reference',
    files: {
      'lib/references.ts': [['changed.find(', 'changed.findLast(']],
    },
    foundBy: 'Memo: the error names the first unknown one of `note` and `home`',
  },
  {
    description: 'references to unreadable entities are accepted',
    files: {
      'note/src/queries/note.ts': [[/and\((sql`[^`]*any\([^`]*`), isOwned\)/, '$1']],
    },
    foundBy: 'Memo: `note` rejects a Note that only another user can read (2 users)',
  },
  {
    description: 'references to missing entries are accepted',
    files: {
      'lib/siblings.ts': [['found[index] === undefined', 'found[index] === null']],
    },
    foundBy: 'Home.Tag: `photo` accepts an existing Photo, with its id in either case',
    sql: {
      service: 'home',
      breaks: 'ALTER TABLE tag DROP CONSTRAINT tag__photo__fkey',
      fixes:
        'TRUNCATE home CASCADE; ALTER TABLE tag ADD CONSTRAINT tag__photo__fkey FOREIGN KEY (photo, _parent) REFERENCES photo (id, _parent)',
    },
  },
]
