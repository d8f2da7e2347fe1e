import { BY_IDS, HOME_LIST, PAGES, type Fault } from './fault.ts'

/** Lists and their pages. */
export const LIST_FAULTS: readonly Fault[] = [
  {
    description: 'a list is in the wrong order',
    files: {
      'home/src/queries/home.ts': [['.orderBy(home.id)', '.orderBy(sql`${home.id} desc`)']],
    },
    foundBy: HOME_LIST,
  },
  {
    description: 'a page has one entity too many',
    files: {
      'lib/lists.ts': [['integer(1, MAX_ROWS)', 'integer(1, MAX_ROWS).transform((limit) => limit + 1)']],
    },
    foundBy: `Home: ${PAGES}`,
  },
  {
    description: 'no page links to the next',
    files: {
      'lib/lists.ts': [['if (next)', 'if (next && next === null)']],
    },
    foundBy: `Home: ${PAGES}`,
  },
  {
    description: 'a page begins with the last entity of the previous one',
    files: {
      'home/src/queries/photo.ts': [
        ['gt(photo.id,', 'gte(photo.id,'],
        [', gt,', ', gt, gte,'],
      ],
    },
    foundBy: `Home.Photo: ${PAGES}`,
  },
  {
    description: 'a page may be of any size',
    files: {
      'lib/lists.ts': [['integer(1, MAX_ROWS)', 'integer(1, 5000)']],
    },
    foundBy: 'Home: `limit` accepts 1 to 1000 and `after` an id; other values return 400',
  },
  {
    description: 'a list has the entries of all parents',
    files: {
      'home/src/queries/photo.ts': [['and(...conditions, isInParent, gt(', 'and(...conditions, gt(']],
    },
    foundBy: 'Home.Photo: list shows only the entries of one parent, on both forms of its path',
  },
  {
    description: 'a list has all entities besides those with the ids that were asked for',
    files: {
      'home/src/queries/home.ts': [["page['id[in]'] === undefined ? list : listIds", 'list']],
    },
    foundBy: `Home: ${BY_IDS}`,
  },
  {
    description: 'a list has entries with the ids that were asked for from all parents',
    files: {
      'home/src/queries/photo.ts': [
        [
          'and(...conditions, isInParent, gt(',
          "and(...conditions, ...(name === 'list_photo' ? [isInParent] : []), gt(",
        ],
      ],
    },
    foundBy: 'Home.Photo: list shows only the entries of one parent, on both forms of its path',
  },
  {
    description: "a list has other users' entities with the ids that were asked for",
    files: {
      'note/src/queries/note.ts': [
        ["listOf('listIds_note', hasIds, isOwned)", "listOf('listIds_note', hasIds)"],
      ],
    },
    foundBy: `Note: ${BY_IDS}`,
  },
  {
    description: 'a list takes any number of ids',
    files: {
      'lib/lists.ts': [['ids.length <= MAX_IDS', 'ids.length <= 10 * MAX_IDS']],
    },
    foundBy: `Home: ${BY_IDS}`,
  },
  {
    description: 'a filter is ignored',
    files: {
      'lib/search.ts': [['and(access, ...filters(criteria, columns))', 'and(access)']],
    },
    foundBy: 'Note: filters return the entities that match, and only those',
  },
  {
    description: "a filtered list shows other users' entities",
    files: {
      'note/src/queries/note.ts': [['owner && eq(note._owner, owner.id)', 'undefined']],
    },
    foundBy: 'Note: filters, orders and totals show another user no more than the plain list',
  },
  {
    description: 'a descending order is ascending',
    files: {
      'lib/search.ts': [["sort.startsWith('-')", 'false']],
    },
    foundBy: 'Note: orders return all entities, whole and in pages',
  },
  {
    description: "a total counts other users' entities",
    files: {
      'lib/search.ts': [['count(where)', 'count(undefined)']],
    },
    foundBy: 'Note: filters, orders and totals show another user no more than the plain list',
  },
  {
    description: 'a misspelled filter is ignored',
    files: {
      'lib/filters.ts': [['throw badRequest(`Unknown query parameter ${name}`)', 'continue']],
    },
    foundBy: 'Note: other query parameters and invalid values return 400',
  },
]
