import { CREATES, READS, type Fault } from './fault.ts'

/** Endpoints: statuses, headers, bodies. */
export const ENDPOINT_FAULTS: readonly Fault[] = [
  {
    description: 'create returns 200',
    files: {
      'home/src/routes/home.ts': [[', 201, {', ', 200, {']],
    },
    foundBy: `Home: ${CREATES}`,
  },
  {
    description: 'create returns no location',
    files: {
      'home/src/routes/home.ts': [[/, \{ Location: [^}]*\}` \}/, '']],
    },
    foundBy: `Home: ${CREATES}`,
  },
  {
    description: 'the location of an entry lacks its parent',
    files: {
      'home/src/routes/photo.ts': [['/api/home/${created.parentId}/photo/', '/api/photo/']],
    },
    foundBy: `Home.Photo: ${CREATES}`,
  },
  {
    description: 'responses may be cached',
    files: {
      'lib/api.ts': [["c.header('Cache-Control', 'no-store')", '']],
    },
    foundBy: `Home: ${READS}`,
  },
  {
    description: 'a @server attribute leaks',
    files: {
      'home/src/entities.ts': [['listedAt: home.listedAt,', 'listedAt: home.listedAt, secret: home.secret,']],
    },
    foundBy: 'Home: a created entity can be read',
  },
  {
    description: 'a @serverSet attribute is missing in responses',
    files: {
      'home/src/entities.ts': [['listedAt: home.listedAt,', '']],
    },
    foundBy: 'Home: a created entity can be read',
  },
  {
    description: 'attributes are in another order',
    files: {
      'home/src/entities.ts': [['id: home.id,', 'beds: home.beds, id: home.id,']],
    },
    foundBy: `Home: ${READS}`,
  },
  {
    description: 'a zero value is wrong',
    files: {
      'home/src/routes/home.ts': [["'0001-01-01T00:00:00Z'", "'1970-01-01T00:00:00Z'"]],
    },
    foundBy: 'Home: create ignores `id`, `listedAt`, `secret` and unknown keys in requests',
  },
  {
    description: 'ids are version 4 UUIDs',
    files: {
      'home/src/routes/home.ts': [['id: randomUUIDv7(),', 'id: crypto.randomUUID() || randomUUIDv7(),']],
    },
    foundBy: 'Home: ids are version 7 UUIDs in creation order',
  },
  {
    description: 'an uppercase id is unknown',
    files: {
      'lib/values.ts': [['guid.test(value)', 'guid.test(value) && value === value.toLowerCase()']],
    },
    foundBy: `Home: ${READS}`,
  },
  {
    description: 'a malformed id is 404',
    files: {
      'lib/requests.ts': [
        ['throw badRequest(`Invalid id: ${value}`)', 'throw notFound(value, value)'],
        ['badRequest,', 'badRequest, notFound,'],
      ],
    },
    foundBy: 'Home: read, update, patch, delete with a malformed id returns 400',
  },
  {
    description: 'update ignores an attribute',
    files: {
      'home/src/routes/home.ts': [
        ['{ ...lookup, ...attributes }', '{ ...lookup, ...attributes, rate: stored.rate }'],
      ],
    },
    foundBy: 'Home: update returns 200 with the new values and stores them',
  },
  {
    description: "update changes all of a user's entities",
    files: {
      'home/src/queries/home.ts': [[/(\.set\(changes\(attributes\)\)\s*\.where\(and\()hasId, /, '$1']],
    },
    foundBy: 'Home: update changes only one entity',
  },
  {
    description: "delete removes all of a user's entities",
    files: {
      'note/src/queries/note.ts': [
        ['.delete(note).where(and(hasId, isOwned))', '.delete(note).where(isOwned)'],
      ],
    },
    foundBy: 'Note: delete removes only one entity',
  },
  {
    description: 'a patch resets what it leaves out',
    files: {
      'lib/requests.ts': [
        [
          'if (!given.has(name)) return []',
          'if (!given.has(name)) return z.safeParse(attribute, null).data === null ? [[name, null] as const] : []',
        ],
      ],
    },
    foundBy: 'Topic: a patch changes one attribute, and keeps all others',
  },
  {
    description: 'null in a patch stores the default',
    files: {
      'lib/requests.ts': [[/if \(value === null && data !== null\) .*\n/, '']],
    },
    foundBy: 'Topic: null in a patch clears an optional attribute, and is rejected for others',
  },
  {
    description: 'an empty patch sets the time of the last change',
    files: {
      'home/src/queries/tag.ts': [['isEmpty(attributes, input)', 'false']],
    },
    foundBy: 'Home.Tag: a patch without attributes returns 200 and changes nothing',
  },
  {
    description: 'delete returns the entity',
    files: {
      'note/src/routes/note.ts': [['return c.json({})', 'return c.json(lookup)']],
    },
    foundBy: 'Note: delete returns 200 with {} and removes the entity',
  },
  {
    description: '405 has no Allow header',
    files: {
      'lib/api.ts': [[/, \{ Allow: [^}]*\}/, '']],
    },
    foundBy: 'Note: serves create, read, update, patch, delete, list; other requests return 405 or 404',
  },
  {
    description: 'the path of a list is routed to an entity',
    files: {
      'note/src/routes/note.ts': [[/ *\.all\('\/note\/all'.*\n/, '']],
    },
    foundBy: 'Note: serves create, read, update, patch, delete, list; other requests return 405 or 404',
  },
  {
    description: 'an unknown path is 405',
    files: {
      'lib/api.ts': [["c.json({ error: 'Not found' }, 404)", "c.json({ error: 'Method not allowed' }, 405)"]],
    },
    foundBy: 'Note: unknown paths below it return 404',
  },
]
