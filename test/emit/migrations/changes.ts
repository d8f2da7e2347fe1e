import { type Database, databases } from '../../../src/emit/database/databases.ts'
import type { MigrationFile } from '../../../src/migration/migration-file.ts'
import { planMigrations } from '../../../src/emit/migrations/plan.ts'
import type { MigrationFolder } from '../../../src/migration/folder.ts'
import { platformOf } from '../platform.ts'

/** Definitions of one service, before and after a change. */
export const PAIRS: readonly (readonly [what: string, before: string, after: string])[] = [
  ['an attribute is added', 'name: string;', 'name: string; city: string(80, 1);'],
  ['an attribute is removed', 'name: string; city: string(80, 1) @unique;', 'name: string;'],
  ['an attribute is renamed', 'rate: float(min: 0.0);', 'nightlyRate: float(min: 0.0) @was(rate);'],
  ['a unique attribute is renamed', 'mail: string(80) @unique;', 'email: string(80) @unique @was(mail);'],
  ['a long unique attribute is renamed', 'mail: string @unique;', 'email: string @unique @was(mail);'],
  ['an int is widened', 'beds: int(precision: 2);', 'beds: int(precision: 8);'],
  ['an int becomes a float', 'beds: int(max: 9, min: 1);', 'beds: float(min: 1.0);'],
  ['an int becomes a string', 'beds: int(max: 9, min: 1);', 'beds: string(9);'],
  ['a string becomes an int', 'beds: string(9);', 'beds: int(max: 9);'],
  ['bounds are widened', 'name: string(9, 1);', 'name: string(20);'],
  [
    'bounds are narrowed',
    'name: string(20); beds: int(max: 90);',
    'name: string(9, 1); beds: int(max: 9, min: 1);',
  ],
  ['bounds are moved', 'beds: int(max: 9, min: 1);', 'beds: int(max: 12, min: 3);'],
  ['bounds are added and removed', 'a: string(9); b: string;', 'a: string; b: string(9);'],
  [
    'an enum gets and loses values',
    'a: enum(3, 4, 5); b: enum(3, 4, 5, 6xl);',
    'a: enum(3, 4, 5, 6xl); b: enum(3, 4, 5);',
  ],
  ['an enum exchanges a value', 'a: enum(2, 3, 4, 5) @unique;', 'a: enum(3, 4, 5, 6xl) @unique;'],
  ['a decimal gets more digits', 'a: decimal; b: int;', 'a: decimal(scale: 4); b: decimal;'],
  ['a decimal gets fewer digits', 'a: decimal(scale: 4) @unique;', 'a: decimal(scale: 0) @unique;'],
  ['a float becomes a decimal', 'a: float(9.5, -0.5);', 'a: decimal(max: 9.5, min: -0.5);'],
  [
    'bounds of decimals of many digits are changed',
    'a: decimal(max: 123456789012345678901234567890.12); b: decimal(max: 123456789012345678901234567890.12);',
    'a: decimal(max: 123456789012345678901234567890.13); b: decimal(max: 123456789012345678901234567890.11);',
  ],
  ['a decimal is added', 'name: string;', 'name: string; a: decimal(max: 9.99, min: 0);'],
  ['a decimal is removed', 'name: string; a: decimal;', 'name: string;'],
  ['an enum is added', 'name: string;', 'name: string; a: enum(x, y);'],
  ['an enum is removed', 'name: string; a: enum(3, 4, 5);', 'name: string;'],
  ['an enum is renamed', 'a: enum(3, 4, 5);', 'b: enum(3, 4, 5) @was(a);'],
  [
    'values of an enum in a filter are renamed',
    'a: enum(3, 4, 5) = 3; #enumerable(filter: [a], sort: [a]);',
    'a: enum(three, 4, five) = three @was(three: 3, five: 5); #enumerable(filter: [a], sort: [a]);',
  ],
  [
    'values of an enum are renamed, added and removed',
    'a: enum(3, 4, 5, 6); b: enum(3, 4, 5); c: enum(3, 4, 5, 6);',
    'a: enum(three, 4, 5, 7) @was(three: 3); b: enum(b, 4, 5, 7) @was(b: 3); c: enum(c, 4, 5) @was(c: 3);',
  ],
  [
    'an enum is renamed with its values and becomes required',
    'a: enum(3, 4, 5)? @unique; b: enum(3, 4, 5)?; #unique[a, b]; #timestamps;',
    'c: enum(three, 4, 5) @was(a, three: 3) @unique; b: enum(b, 4, 5) = b @was(b: 3); #unique[c, b]; #timestamps;',
  ],
  [
    'the former values of an enum are removed',
    'a: enum(3, 4, 5) @was(3: three) @unique;',
    'a: enum(3, 4, 5) @unique;',
  ],
  [
    'an enum with former values is renamed',
    'a: enum(3, 4, 5) @was(3: c);',
    'b: enum(3, 4, 5) @was(a, 3: c);',
  ],
  ['a string becomes an enum', 'a: string(9); b: string;', 'a: enum(3, 4, 5); b: enum(3, 4, 5);'],
  ['an enum becomes a string', 'a: enum(3, 4, 5); b: enum(3, 4, 5);', 'a: string(9); b: string;'],
  ['@unique is added', 'name: string(80);', 'name: string(80) @unique;'],
  ['@unique is added to a long string', 'name: string;', 'name: string @unique;'],
  ['@unique is removed', 'name: string(80) @unique; bio: string @unique;', 'name: string(80); bio: string;'],
  ['a unique string becomes longer', 'name: string(80) @unique;', 'name: string(800) @unique;'],
  ['#unique is added', 'name: string(80); beds: int;', 'name: string(80); beds: int; #unique[name, beds];'],
  ['#unique is removed', 'name: string(80); beds: int; #unique[name, beds];', 'name: string(80); beds: int;'],
  [
    'an attribute in #unique is renamed',
    'name: string(80); beds: int; #unique[name, beds];',
    'title: string(80) @was(name); beds: int; #unique[title, beds];',
  ],
  [
    'both attributes in #unique are renamed',
    'name: string(80); beds: int; #unique[name, beds];',
    'title: string(80) @was(name); rooms: int @was(beds); #unique[title, rooms];',
  ],
  [
    'an attribute in #unique is removed with it',
    'name: string(80); beds: int; #unique[name, beds];',
    'name: string(80);',
  ],
  [
    'an attribute is added with #unique',
    'name: string(80);',
    'name: string(80); city: string(80); #unique[city, name];',
  ],
  [
    'attributes in #unique are widened',
    'a: int(precision: 2); b: int(precision: 2); c: int; #unique[a, b, c];',
    'a: int(precision: 8); b: int(precision: 4); c: int; #unique[a, b, c];',
  ],
  [
    'an attribute in #unique is widened and another one renamed',
    'a: int(precision: 2); b: int; #unique[a, b];',
    'a: int(precision: 8); c: int @was(b); #unique[c, a];',
  ],
  [
    'a struct with #unique is renamed',
    'Room: struct { size: int; #unique[parent, size]; }',
    'Chamber: struct { size: int; #unique[parent, size]; #was(Room); }',
  ],
  [
    'the order of #unique changes',
    'name: string(80); beds: int; #unique[name, beds];',
    'name: string(80); beds: int; #unique[beds, name];',
  ],
  ['#timestamps is added', 'name: string;', 'name: string; #timestamps;'],
  ['#idempotent is added', 'name: string;', 'name: string; #idempotent;'],
  ['#idempotent is removed', 'name: string; #idempotent;', 'name: string;'],
  ['#versioned is added', 'name: string; #timestamps;', 'name: string; #timestamps; #versioned;'],
  ['#versioned is removed', 'name: string; #versioned(required: true);', 'name: string;'],
  [
    'a struct with #versioned is renamed',
    'Room: struct { size: int; #versioned; }',
    'Chamber: struct { size: int(max: 9); #versioned; #was(Room); }',
  ],
  ['#timestamps is removed', 'name: string; #timestamps;', 'name: string;'],
  [
    'an attribute beside #timestamps is renamed',
    'rate: float(min: 0.0); #timestamps;',
    'nightlyRate: float(min: 0.0) @was(rate); #timestamps;',
  ],
  [
    'a struct with #timestamps is renamed, and its bounds are narrowed',
    'Room: struct { size: int; #timestamps; }',
    'Chamber: struct { size: int(max: 9); #timestamps; #was(Room); }',
  ],
  [
    'a struct with #timestamps is removed',
    'name: string; Room: struct { size: int; #timestamps; }',
    'name: string;',
  ],
  ['an optional attribute is added', 'name: string;', 'name: string; city: string(80, 1)?;'],
  [
    'optional attributes with keys are added',
    'name: string;',
    'name: string; mail: string(80)? @unique; bio: string? @unique; image: data?; of: Home?;',
  ],
  ['an optional attribute is removed', 'name: string; city: string(80)? @unique;', 'name: string;'],
  [
    'attributes with defaults are added',
    'name: string;',
    `name: string; open: bool = true; beds: int(9, 1) = 3;
    country: string(2) = "N'"; kind: enum(a, b) = b; at: datetime = now; day: date = now; time: time = now;
    note: string? = "x"; code: string(2)? = "y" @unique;`,
  ],
  [
    'attributes become optional',
    'a: string(9) @unique; b: string; c: int;',
    'a: string(9)? @unique; b: string?; c: int?;',
  ],
  [
    'attributes become required',
    'a: string(9)? @unique; b: string?; c: int?;',
    'a: string(9) @unique; b: string; c: int = 4;',
  ],
  [
    'an optional attribute is renamed',
    'rate: float(min: 0.0)?;',
    'nightlyRate: float(min: 0.0)? @was(rate);',
  ],
  [
    'a renamed attribute becomes optional',
    'rate: float(min: 0.0);',
    'nightlyRate: float(min: 0.0)? @was(rate);',
  ],
  [
    'a renamed attribute becomes required',
    'rate: int?; kind: enum(3, 4, 5)? @unique; #timestamps;',
    'nightlyRate: int @was(rate); sort: enum(3, 4, 5) @unique @was(kind); #timestamps;',
  ],
  [
    'an optional int is widened and becomes required',
    'beds: int(precision: 2)?;',
    'beds: int(precision: 8);',
  ],
  [
    'a default is added, changed and removed',
    'a: int; b: int = 3; c: int = 3;',
    'a: int = 3; b: int = 4; c: int;',
  ],
  [
    'optional references between structs are added',
    'Room: struct { size: int; } Key: struct { size: int; }',
    'Room: struct { size: int; key: Key?; next: Room?; } Key: struct { size: int; room: Room? @unique; }',
  ],
  ['a struct is added', 'name: string;', 'name: string; Room: struct { size: int; }'],
  ['a struct is removed', 'name: string; Room: struct { size: int; }', 'name: string;'],
  [
    'structs with references are added',
    'name: string;',
    'name: string; Room: struct { size: int; } Bed: struct { room: Room; label: string @unique; }',
  ],
  [
    'structs with references are removed',
    'name: string; Room: struct { size: int; } Bed: struct { room: Room; label: string @unique; }',
    'name: string;',
  ],
  [
    'a struct is renamed',
    'Room: struct { size: int; tag: string @unique; } Bed: struct { room: Room; }',
    'Chamber: struct { size: int; tag: string @unique; #was(Room); } Bed: struct { room: Chamber; }',
  ],
  [
    'a reference is renamed to the name of its struct',
    'Room: struct { size: int; place: Room?; } Bed: struct { place: Room; }',
    'Room: struct { size: int; room: Room? @was(place); } Bed: struct { room: Room @was(place); }',
  ],
  [
    'a struct and references with its name are renamed',
    'Room: struct { size: int; room: Room?; } Bed: struct { room: Room; } Key: struct { room: Room? @unique; }',
    `Chamber: struct { size: int; chamber: Chamber? @was(room); #was(Room); }
      Bed: struct { chamber: Chamber @was(room); } Key: struct { chamber: Chamber? @was(room) @unique; }`,
  ],
  [
    'attributes with the names of variables in migrations are narrowed, combined, renamed and required',
    `amount: int(90); examples: int(90); number: int(90); found: string(9); last: int?; ids: int?; batch: int?;
      Target: struct { amount: int; number: int; target: Target?; last: int?; ids: int?; }`,
    `amount: int(80); examples: int(80); number: int(80); found: string(8); last: int = 3; ids: int = 4; batch: int = 1;
      #unique[amount, examples, number, found];
      Target: struct { amount: int @unique; number: int; target: Target? @unique; last: int = 5; id2: int = 6 @was(ids);
        #unique[number, last]; #timestamps; }`,
  ],
  [
    'a reference is removed',
    'Room: struct { size: int; } Bed: struct { room: Room; label: string; }',
    'Room: struct { size: int; } Bed: struct { label: string; }',
  ],
  [
    'a list by owner is added',
    'name: string; #readable(by: this);',
    'name: string; #readable(by: this); #enumerable;',
  ],
  [
    'a list by owner is removed',
    'name: string; #readable(by: this); #enumerable;',
    'name: string; #readable(by: this);',
  ],
  [
    'filters and orders are added and removed',
    'a: string(9); b: int; #enumerable(filter: [a], sort: [a]);',
    'a: string(9); b: int; #enumerable(filter: [b], sort: [b]);',
  ],
  [
    'attributes of filters and orders are renamed',
    'a: string(9); b: int; #enumerable(filter: [a], sort: [b]);',
    'c: string(9) @was(a); d: int @was(b); #enumerable(filter: [c], sort: [d]);',
  ],
  [
    'attributes of filters and orders have another type',
    'a: string(9); b: int; #enumerable(filter: [a], sort: [a, b]);',
    'a: int; b: string(9); #enumerable(filter: [a], sort: [a, b]);',
  ],
  [
    'a role is admitted to a list with filters and orders',
    'a: string(9); #enumerable(filter: [a], sort: [a]);',
    'a: string(9); #enumerable(filter: [a], sort: [a]); #readable(by: [this, agent]);',
  ],
  [
    'a list with filters and orders is no longer read by owner',
    'a: string(9); #enumerable(filter: [a], sort: [a]);',
    'a: string(9); #enumerable(filter: [a], sort: [a]); #readable(by: agent); #writable(by: agent);',
  ],
  [
    'documentation changes with an attribute',
    '/// Old.\n name: string; /// Gone.\n b: int;',
    '/// New.\n name: string; b: int(max: 9);',
  ],
]

/** The database of a service with these members. */
export function databaseOf(members: string): Database {
  const text = `P: project { #authMethod(email); #roles[agent]; }\nUser: service { nick: string; #auth; }\nHome: service { ${members} }`
  const found = databases(platformOf(text)).find(({ directory }) => directory === 'home-db')
  if (found === undefined) throw new Error('No database')
  return found
}

const BACKFILLS: Readonly<Record<string, string>> = {
  text: `'x'`,
  integer: '1',
  'double precision': '1',
  'numeric(38,2)': '1.00',
}
/** The value of existing rows for a new attribute. */
export const backfillOf = (_: string, { type }: { type: string }): string | undefined => BACKFILLS[type]

/** The files that each of a service's definitions, one after the other, adds to its migrations. */
export function migrationsOf(definitions: readonly string[]): MigrationFile[][] {
  let folder: MigrationFolder = { path: 'home-db/migrations', files: [], schema: undefined }
  return definitions.map((members) => {
    const plan = planMigrations(databaseOf(members), folder, backfillOf)
    if (typeof plan === 'string') throw new Error(plan)
    folder = { ...folder, files: [...folder.files, ...plan.added], schema: plan.schema }
    return [...plan.added]
  })
}
