import type { Fault } from './fault.ts'

/** The versions of entities. */
export const VERSION_FAULTS: readonly Fault[] = [
  {
    description: 'If-Match is ignored',
    files: { 'home/src/routes/tag.ts': [['ifMatch(c)', 'undefined']] },
    foundBy: 'Home.Tag: If-Match returns 412',
  },
  {
    description: 'the statement does not compare the version',
    files: { 'memo/src/queries/memo.ts': [['any(coalesce(', 'any(array[${memo._version}] || coalesce(']] },
    foundBy: 'Memo: only 1 of 6 concurrent updates of the same version succeeds',
  },
  {
    description: 'a required version can be left out',
    files: { 'memo/src/routes/memo.ts': [['requireMatch(c)', 'undefined']] },
    foundBy: 'Memo: requests without If-Match return 428',
  },
  {
    description: 'If-None-Match is ignored',
    files: { 'home/src/routes/tag.ts': [['isNotModified(c, found)', 'false']] },
    foundBy: 'Home.Tag: If-None-Match returns 304',
  },
  {
    description: 'versions are not counted',
    sql: {
      service: 'memo',
      breaks: 'ALTER TABLE memo DISABLE TRIGGER memo__version',
      fixes: 'ALTER TABLE memo ENABLE TRIGGER memo__version',
    },
    foundBy: 'Memo: each change has another version',
  },
]
