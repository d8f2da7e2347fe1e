import type { Fault } from './fault.ts'

/** Constraints of the database, and what the service makes of them. */
export const CONSTRAINT_FAULTS: readonly Fault[] = [
  {
    description: 'a @unique constraint is missing',
    sql: {
      service: 'home',
      breaks: 'ALTER TABLE home DROP CONSTRAINT home__code__key',
      fixes: 'TRUNCATE home CASCADE; ALTER TABLE home ADD CONSTRAINT home__code__key UNIQUE (code)',
    },
    foundBy: 'Home: create rejects a duplicate `code`',
  },
  {
    description: 'a @unique constraint applies only within a parent',
    sql: {
      service: 'home',
      breaks:
        'ALTER TABLE photo DROP CONSTRAINT photo__caption__key, ADD CONSTRAINT p UNIQUE (caption, _parent)',
      fixes:
        'TRUNCATE home CASCADE; ALTER TABLE photo DROP CONSTRAINT p, ADD CONSTRAINT photo__caption__key UNIQUE (caption)',
    },
    foundBy: 'Home.Photo: create rejects a duplicate `caption` across all parents',
  },
  {
    description: 'NULL is a value that only one row can have',
    sql: {
      service: 'topic',
      breaks:
        'TRUNCATE topic CASCADE; ALTER TABLE topic DROP CONSTRAINT topic__slug__key, ADD CONSTRAINT topic__slug__key UNIQUE NULLS NOT DISTINCT (slug)',
      fixes:
        'TRUNCATE topic CASCADE; ALTER TABLE topic DROP CONSTRAINT topic__slug__key, ADD CONSTRAINT topic__slug__key UNIQUE (slug)',
    },
    foundBy: 'Topic: any number of entities can have no `slug`',
  },
  {
    description: 'a duplicate value is an internal error',
    files: {
      'home/src/app.ts': [['home__code__key:', 'other__key:']],
    },
    foundBy: 'Home: update rejects the `code` of another entity',
  },
  {
    description: 'entries outlive their parent',
    sql: {
      service: 'home',
      breaks: 'ALTER TABLE photo DROP CONSTRAINT photo___parent__fkey',
      fixes:
        'TRUNCATE home CASCADE; TRUNCATE photo CASCADE; ALTER TABLE photo ADD CONSTRAINT photo___parent__fkey FOREIGN KEY (_parent) REFERENCES home (id) ON DELETE CASCADE',
    },
    foundBy: 'Home.Photo: deleting a Home deletes its entries and frees their @unique values',
  },
  {
    description: 'entries outlive the entity of a user and come back with it',
    sql: {
      service: 'host',
      breaks: 'ALTER TABLE visit DROP CONSTRAINT visit___parent__fkey',
      fixes:
        'TRUNCATE host CASCADE; TRUNCATE visit CASCADE; ALTER TABLE visit ADD CONSTRAINT visit___parent__fkey FOREIGN KEY (_parent) REFERENCES host (id) ON DELETE CASCADE',
    },
    foundBy: 'Host.Visit: a Host created again after its deletion has none of its old entries',
  },
  {
    description: 'an entry that a sibling refers to can be deleted',
    sql: {
      service: 'home',
      breaks: 'ALTER TABLE tag DROP CONSTRAINT tag__photo__fkey',
      fixes:
        'TRUNCATE home CASCADE; ALTER TABLE tag ADD CONSTRAINT tag__photo__fkey FOREIGN KEY (photo, _parent) REFERENCES photo (id, _parent)',
    },
    foundBy: 'Home.Tag: a Photo referenced by `photo` cannot be deleted',
  },
  {
    description: 'updates leave the time of the last change',
    sql: {
      service: 'home',
      breaks: 'ALTER TABLE tag DISABLE TRIGGER tag__touch',
      fixes: 'ALTER TABLE tag ENABLE TRIGGER tag__touch',
    },
    foundBy: 'Home.Tag: an update keeps `createdAt`',
  },
  {
    description: 'updates change the time of creation',
    files: {
      'home/src/queries/tag.ts': [
        ['.set(changes(attributes))', '.set({ ...changes(attributes), createdAt: sql`clock_timestamp()` })'],
      ],
    },
    foundBy: 'Home.Tag: an update keeps `createdAt`',
  },
  {
    description: 'responses lack the time of creation',
    files: {
      'home/src/entities.ts': [['createdAt: tag.createdAt,', '']],
    },
    foundBy: 'Home.Tag: create returns 201 with the entity and its location',
  },
  {
    description: 'a #unique constraint is missing',
    sql: {
      service: 'memo',
      breaks: 'ALTER TABLE memo DROP CONSTRAINT memo__note__opens__key',
      fixes: 'TRUNCATE memo; ALTER TABLE memo ADD CONSTRAINT memo__note__opens__key UNIQUE (note, opens)',
    },
    foundBy: 'Memo: create rejects a duplicate combination of `note` and `opens`',
  },
  {
    description: 'a #unique constraint compares one of the attributes only',
    sql: {
      service: 'memo',
      breaks:
        'TRUNCATE memo; ALTER TABLE memo DROP CONSTRAINT memo__note__opens__key, ADD CONSTRAINT memo__note__opens__key UNIQUE (note)',
      fixes:
        'TRUNCATE memo; ALTER TABLE memo DROP CONSTRAINT memo__note__opens__key, ADD CONSTRAINT memo__note__opens__key UNIQUE (note, opens)',
    },
    foundBy: 'Memo: create accepts `note` and `opens` if `opens` differs',
  },
  {
    description: 'a duplicate combination is an internal error',
    files: {
      'memo/src/app.ts': [['memo__note__opens__key:', 'other__key:']],
    },
    foundBy: 'Memo: update rejects the `note` and `opens` of another entity',
  },
  {
    description: 'a #unique constraint with the parent applies across all parents',
    sql: {
      service: 'home',
      breaks:
        'TRUNCATE tag; ALTER TABLE tag DROP CONSTRAINT tag___parent__label__key, ADD CONSTRAINT tag___parent__label__key UNIQUE (label)',
      fixes:
        'TRUNCATE home CASCADE; ALTER TABLE tag DROP CONSTRAINT tag___parent__label__key, ADD CONSTRAINT tag___parent__label__key UNIQUE (_parent, label)',
    },
    foundBy: 'Home.Tag: create accepts the same `parent` and `label` under another parent',
  },
]
