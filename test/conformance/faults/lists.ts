import { HOME_LIST, PAGES, type Fault } from './fault.ts'

/** Lists and their pages. */
export const LIST_FAULTS: readonly Fault[] = [
  {
    what: 'a list is in the wrong order',
    files: { 'home/src/statements/home.ts': [['.orderBy(batch.id)', '.orderBy(sql`${batch.id} desc`)']] },
    foundBy: HOME_LIST,
  },
  {
    what: 'a page has one too many',
    files: { 'home/src/lists.ts': [['undefined : Number(limit)', 'undefined : Number(limit) + 1']] },
    foundBy: `Home: ${PAGES}`,
  },
  {
    what: 'no page links to the next',
    files: { 'home/src/lists.ts': [['first?.next === undefined ? {}', 'first !== undefined ? {}']] },
    foundBy: `Home: ${PAGES}`,
  },
  {
    what: 'a page begins with the last of the one before',
    files: {
      'home/src/statements/photo.ts': [
        ['const behind = and(gt(', 'const behind = and(gte('],
        ['gt, sql', 'gt, gte, sql'],
      ],
    },
    foundBy: `Home.Photo: ${PAGES}`,
  },
  {
    what: 'a page may be of any size',
    files: { 'home/src/lists.ts': [['Number(limit) > MAX_LIMIT', 'Number(limit) > 5000']] },
    foundBy: 'Home: `limit` takes 1 to 1000, `after` an id; else 400',
  },
  {
    what: 'a list holds the entries of all parents',
    files: {
      'home/src/statements/photo.ts': [
        [/and\(gt\(photoTable\.id, ([^)]*\))\), inParent\)/, 'gt(photoTable.id, $1)'],
      ],
    },
    foundBy: 'Home.Photo: list shows the entries of one parent alone, in both forms of its path',
  },
]
