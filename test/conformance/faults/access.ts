import type { Fault } from './fault.ts'

/** Who may read and write. */
export const ACCESS_FAULTS: readonly Fault[] = [
  {
    what: 'everybody reads',
    files: {
      'note/src/routes/note.ts': [
        ['readOwn.execute({ id: input.id, _caller: caller.id })', 'read.execute({ id: input.id })'],
      ],
    },
    foundBy: 'Note: only the creator can read (3 users)',
  },
  {
    what: 'what others made is 403 where it should not be known',
    files: { 'note/src/errors.ts': [['ServiceError(404', 'ServiceError(403']] },
    foundBy: 'Note: only the creator can read (3 users)',
  },
  {
    what: 'nobody owns what is created',
    files: {
      'note/src/statements/note.ts': [
        ["_owner: given('_caller')", "_owner: sql`coalesce(null, gen_random_uuid(), ${given('_caller')})`"],
      ],
    },
    foundBy: 'Note: what is created can be read',
  },
  {
    what: 'a list shows what others made',
    files: { 'note/src/statements/note.ts': [[/(batch: [\s\S]*?\.where\()ownBehind/, '$1behind']] },
    foundBy: 'Note: list shows everybody their own alone (3 users)',
  },
  {
    what: 'everybody updates',
    files: {
      'home/src/routes/home.ts': [
        ['await access.requireWritable(id, caller)', ''],
        ['statements.updateOwn', 'statements.update'],
      ],
    },
    foundBy: 'Home: only the creator can update, others get 403 (3 users)',
  },
  {
    what: 'everybody deletes',
    files: { 'home/src/routes/home.ts': [['statements.deleteOwn', 'statements.delete']] },
    foundBy: 'Home: only the creator can delete, others get 403 (3 users)',
  },
  {
    what: 'what cannot be written is 404 where it can be read',
    files: { 'home/src/access.ts': [['throw forbidden()', "throw notFound('Home', id)"]] },
    foundBy: 'Home: only the creator can update, others get 403 (3 users)',
  },
  {
    what: 'the service believes a header that names a user and passes the gateway',
    files: {
      'note/src/app.ts': [
        [
          'return caller\n',
          "const claimed = request.header('from')\n    return claimed === undefined ? caller : { ...caller, id: claimed }\n",
        ],
      ],
    },
    foundBy: 'Note: headers that claim to be another user are ignored (2 users)',
  },
  {
    what: 'everybody adds entries',
    files: { 'home/src/routes/photo.ts': [['statements.createOwn', 'statements.create']] },
    foundBy: 'Home.Photo: every user can read, only who made the Home can write, others get 403 (3 users)',
  },
  {
    what: 'an entry is found under any parent',
    files: {
      'home/src/statements/photo.ts': [
        [/const one = and\((eq\(photoTable\.id, .*\)), inParent\)/, 'const one = $1'],
      ],
    },
    foundBy: 'Home.Photo: an entry is found under its own Home alone',
  },
  {
    what: 'a user has several entities of an #auth service',
    files: { 'host/src/routes/host.ts': [['const id = caller.id', 'const id = crypto.randomUUID()']] },
    foundBy: 'Host: an entity has the id of its creator',
  },
  {
    what: 'identify answers 200',
    files: { 'host/src/redirects.ts': [['status: 302', 'status: 200']] },
    foundBy: 'Host: identify answers 302 with the way to what the user has made (2 users)',
  },
]
