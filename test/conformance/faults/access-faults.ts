import type { Fault } from './fault.ts'

/** Who may read and write. */
export const ACCESS_FAULTS: readonly Fault[] = [
  {
    description: 'everyone can read',
    files: {
      'note/src/routes/note.ts': [['datastore.as(caller).readNote(', 'datastore.readNote(']],
    },
    foundBy: 'Note: only the creator can read (3 users)',
  },
  {
    description: 'a hidden entity is 403 instead of 404',
    files: {
      'lib/errors.ts': [['HTTPException(404,', 'HTTPException(403,']],
    },
    foundBy: 'Note: only the creator can read (3 users)',
  },
  {
    description: 'created entities have no owner',
    files: {
      'note/src/queries/note.ts': [
        ['_owner: (creator ?? owner).id }))', '_owner: owner.id && randomUUIDv7() }))'],
      ],
    },
    foundBy: 'Note: a created entity can be read',
  },
  {
    description: "a list shows other users' entities",
    files: {
      'note/src/queries/note.ts': [['undefined ? list : listOwn', 'undefined ? list : list']],
    },
    foundBy: 'Note: list shows each user only their own entities (3 users)',
  },
  {
    description: 'everyone can update',
    files: {
      'home/src/routes/home.ts': [
        ['await access.requireWritable(lookup.id, caller)', ''],
        ['datastore.as(caller).updateHome(', 'datastore.updateHome('],
      ],
    },
    foundBy: 'Home: only the creator can update, others get 403 (3 users)',
  },
  {
    description: 'everyone can delete',
    files: {
      'home/src/routes/home.ts': [['datastore.as(caller).deleteHome(', 'datastore.deleteHome(']],
    },
    foundBy: 'Home: only the creator can delete, others get 403 (3 users)',
  },
  {
    description: 'a readable entity is 404 on a forbidden write',
    files: {
      'home/src/queries/home.ts': [['throw forbidden()', "throw notFound('Home', id)"]],
    },
    foundBy: 'Home: only the creator can update, others get 403 (3 users)',
  },
  {
    description: 'the service trusts a header that names a user',
    files: {
      'lib/tokens.ts': [['...caller }', "...caller, id: c.req.header('from') ?? caller.id }"]],
    },
    foundBy: 'Note: headers that claim to be another user are ignored (2 users)',
  },
  {
    description: 'everyone can add entries',
    files: {
      'home/src/routes/photo.ts': [['datastore.as(caller).createPhoto(', 'datastore.createPhoto(']],
    },
    foundBy:
      'Home.Photo: every user can read, only the creator of the Home can write, others get 403 (3 users)',
  },
  {
    description: 'an entry is found under any parent',
    files: {
      'home/src/queries/photo.ts': [[/const hasId = and\((eq\(.*\)), isInParent\)/, 'const hasId = $1']],
    },
    foundBy: 'Home.Photo: an entry is found only under its own Home',
  },
  {
    description: 'a user has several entities of an #auth service',
    files: {
      'host/src/routes/host.ts': [['id: caller.id,', 'id: crypto.randomUUID(),']],
      'host/src/queries/host.ts': [['...input, id: (creator ?? owner).id', 'id: owner.id, ...input']],
    },
    foundBy: 'Host: an entity has the id of its creator',
  },
  {
    description: 'identify returns 200',
    files: {
      'host/src/routes/host.ts': [
        [/return c\.redirect\((.*)\)/, 'return c.body(null, 200, { Location: $1 })'],
      ],
    },
    foundBy: 'Host: identify redirects to the entity of the user with 302 (2 users)',
  },
]
