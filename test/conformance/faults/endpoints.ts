import { CREATES, READS, type Fault } from './fault.ts'

/** Endpoints: statuses, headers, bodies. */
export const ENDPOINT_FAULTS: readonly Fault[] = [
  {
    what: 'create answers 200',
    files: { 'home/src/routes/home.ts': [['answer(201,', 'answer(200,']] },
    foundBy: `Home: ${CREATES}`,
  },
  {
    what: 'create says not where',
    files: { 'home/src/routes/home.ts': [[', { Location: location }', '']] },
    foundBy: `Home: ${CREATES}`,
  },
  {
    what: 'create of an entry leaves its parent out of its place',
    files: {
      'home/src/routes/photo.ts': [[/`\/api\/home\/\$\{[\w.]+\}\/photo\/\$\{id\}`/, '`/api/photo/${id}`']],
    },
    foundBy: `Home.Photo: ${CREATES}`,
  },
  {
    what: 'answers may be cached',
    files: { 'home/src/answers.ts': [[", 'Cache-Control': 'no-store'", '']] },
    foundBy: `Home: ${READS}`,
  },
  {
    what: 'a @server attribute leaks',
    files: {
      'home/src/wire/home.ts': [
        ['listedAt: entity.listedAt,', 'listedAt: entity.listedAt, secret: entity.secret,'],
      ],
    },
    foundBy: 'Home: what is created can be read',
  },
  {
    what: 'a @serverSet attribute is not answered',
    files: { 'home/src/wire/home.ts': [['listedAt: entity.listedAt,', '']] },
    foundBy: 'Home: what is created can be read',
  },
  {
    what: 'attributes are answered in another order',
    files: { 'home/src/wire/home.ts': [['id: entity.id,', 'beds: entity.beds, id: entity.id,']] },
    foundBy: `Home: ${READS}`,
  },
  {
    what: 'a zero value is another',
    files: { 'home/src/routes/home.ts': [["'0001-01-01T00:00:00Z'", "'1970-01-01T00:00:00Z'"]] },
    foundBy: 'Home: create ignores `id`, `listedAt`, `secret`, unknown keys in requests',
  },
  {
    what: 'ids are of version 4',
    files: { 'home/src/routes/home.ts': [['const id = v7()', 'const id = crypto.randomUUID() || v7()']] },
    foundBy: 'Home: ids are UUIDs of version 7, in the order of creation',
  },
  {
    what: 'an id in capitals is another',
    files: { 'home/src/ids.ts': [[/\$\/i$/m, '$/']] },
    foundBy: `Home: ${READS}`,
  },
  {
    what: 'a malformed id is as good as missing',
    files: { 'home/src/ids.ts': [['ServiceError(400', 'ServiceError(404']] },
    foundBy: 'Home: read, update, delete with an id that is no UUID is 400',
  },
  {
    what: 'update forgets an attribute',
    files: { 'home/src/statements/home.ts': [[/(const changes = \{[^}]*?) *rate: given\('rate'\),/, '$1']] },
    foundBy: 'Home: update answers 200 with the new values, and they are stored',
  },
  {
    what: 'update changes all of a user',
    files: { 'home/src/statements/home.ts': [[/(updateOwn:[^,]*?\.where\()ownOne/, '$1own']] },
    foundBy: 'Home: update changes one entity alone',
  },
  {
    what: 'delete removes all of a user',
    files: { 'note/src/statements/note.ts': [[/(deleteOwn:[^,]*?\.where\()ownOne/, '$1own']] },
    foundBy: 'Note: delete removes one entity alone',
  },
  {
    what: 'delete answers with the entity',
    files: { 'note/src/routes/note.ts': [['return answer(200, {})', 'return answer(200, deleted)']] },
    foundBy: 'Note: delete answers 200 with {}, and what is deleted is gone',
  },
  {
    what: '405 does not say what is allowed',
    files: { 'note/src/api.ts': [[/, \{ Allow: [^}]*\}/, '']] },
    foundBy: 'Note: serves create, read, update, delete, list, and 405 or 404 for the rest',
  },
  {
    what: 'the path of a list is taken for that of an entity',
    files: { 'note/src/routes/note.ts': [[/ *api\.on\(\['PUT', 'DELETE'\].*\n/, '']] },
    foundBy: 'Note: serves create, read, update, delete, list, and 405 or 404 for the rest',
  },
  {
    what: 'an unknown path is 405',
    files: {
      'note/src/api.ts': [["answerError(404, 'Not found')", "answerError(405, 'Method not allowed')"]],
    },
    foundBy: 'Note: paths below it that it does not serve are 404',
  },
]
