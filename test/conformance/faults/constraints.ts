import type { Fault } from './fault.ts'

/** Constraints of the database, and what the service makes of them. */
export const CONSTRAINT_FAULTS: readonly Fault[] = [
  {
    what: 'a @unique constraint is missing',
    sql: {
      service: 'home',
      breaks: 'ALTER TABLE home DROP CONSTRAINT home__code__key',
      mends: 'TRUNCATE home CASCADE; ALTER TABLE home ADD CONSTRAINT home__code__key UNIQUE (code)',
    },
    foundBy: 'Home: no two have the same `code`',
  },
  {
    what: 'a @unique constraint holds for each parent alone',
    sql: {
      service: 'home',
      breaks:
        'ALTER TABLE photo DROP CONSTRAINT photo__caption__key, ADD CONSTRAINT p UNIQUE (caption, _parent)',
      mends:
        'TRUNCATE home CASCADE; ALTER TABLE photo DROP CONSTRAINT p, ADD CONSTRAINT photo__caption__key UNIQUE (caption)',
    },
    foundBy: 'Home.Photo: no two have the same `caption`, across all parents',
  },
  {
    what: 'a taken value is a fault of the service',
    files: {
      'home/src/routes/home.ts': [["if (failure.kind === 'unique')", "if (failure.kind === 'foreignKey')"]],
    },
    foundBy: 'Home: update cannot take the `code` of another',
  },
  {
    what: 'entries outlive their parent',
    sql: {
      service: 'home',
      breaks: 'ALTER TABLE photo DROP CONSTRAINT photo___parent__fkey',
      mends:
        'TRUNCATE home CASCADE; TRUNCATE photo CASCADE; ALTER TABLE photo ADD CONSTRAINT photo___parent__fkey FOREIGN KEY (_parent) REFERENCES home (id) ON DELETE CASCADE',
    },
    foundBy: 'Home.Photo: deleting a Home deletes its entries, whose @unique values are free again',
  },
  {
    what: 'entries outlive the entity of a user and come back with it',
    sql: {
      service: 'host',
      breaks: 'ALTER TABLE visit DROP CONSTRAINT visit___parent__fkey',
      mends:
        'TRUNCATE host CASCADE; TRUNCATE visit CASCADE; ALTER TABLE visit ADD CONSTRAINT visit___parent__fkey FOREIGN KEY (_parent) REFERENCES host (id) ON DELETE CASCADE',
    },
    foundBy: 'Host.Visit: a Host made again after its deletion has no entries of before',
  },
  {
    what: 'an entry that a sibling refers to can be deleted',
    sql: {
      service: 'home',
      breaks: 'ALTER TABLE tag DROP CONSTRAINT tag__photo__fkey',
      mends:
        'TRUNCATE home CASCADE; ALTER TABLE tag ADD CONSTRAINT tag__photo__fkey FOREIGN KEY (photo, _parent) REFERENCES photo (id, _parent)',
    },
    foundBy: 'Home.Tag: a Photo that `photo` refers to cannot be deleted',
  },
]
