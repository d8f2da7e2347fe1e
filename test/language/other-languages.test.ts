import { expect, test } from 'vitest'
import { checkText } from '../../src/language/parse.ts'
import { report } from '../host.ts'

/** A definition with these lines in a service. */
const inService = (...lines: readonly string[]): string =>
  `Shop: project {}\n\nItem: service {\n  name: string(80);\n${lines.map((line) => `  ${line}\n`).join('')}}\n`

/** A definition with this text at the top level. */
const atTop = (text: string): string => `Shop: project {}\n\nItem: service { name: string; }\n\n${text}\n`

/** What people write who know other languages, each with one mistake. */
const MISTAKES: readonly string[] = [
  ...[
    'tags: string[];',
    'tags: string(20)[];',
    'tags: Array<string>;',
    'tags: list(string);',
    'tags: Item[]?;',
    'tags: [string]?;',
    'meta: Map<string, string>;',
    'meta: json;',
    'meta: jsonb;',
    'meta: object;',
    'key: uuid;',
    'owner: reference;',
    'number: serial;',
    'site: url;',
    'size: number;',
    'fullName(): string;',
    'total: int = name * 2;',
    'at: datetime @default(now());',
    'at: datetime = now();',
    'at: datetime @default;',
    'a: string @required;',
    'a: string @optional;',
    'a: string @nullable;',
    'a?: string;',
    'a: ?string;',
    'a: string | null;',
    'a: string!;',
    "a: string = 'NL';",
    'key: string @id;',
    'key: string @primaryKey;',
    'a: string(20) @index;',
    'size: int @min(1);',
    'a: string @length(3, 80);',
    'a: string @pattern;',
    'at: datetime @updatedAt;',
    'size: int @autoincrement;',
    'a: string @private;',
    'a: string @readonly;',
    'a: string @map(b);',
    'private a: string;',
    'readonly a: string;',
    'string a;',
    'a := string;',
    'a: "string";',
    'a: "open" | "closed";',
    'a: string @map("b");',
    'a: string @pattern("[a-z]+");',
    'a: bool = True;',
    '@@unique([name, a]);',
    '"a": string;',
    '#readable(by: "all");',
    '@readable(by: all);',
    '@unique',
    '#index;',
    '#table(items);',
    '#permissions(all);',
    '# the name of the thing',
    '-- the name of the thing',
    'meta: Map<string,int>;',
    'note: Optional<string>;',
    'beds: int max: 40;',
    'beds: int max: 40, min: 1;',
    'beds: int 40;',
    'beds: int max: 40, baths: int;',
    'note: string max: 40;',
    'beds: int[40];',
    'beds: int{40};',
    'note: string{80}? @unique;',
    'beds: int(max: 40; min: 1);',
    'beds: int(> 0);',
    'beds: int(0 < 3);',
    'beds: int default 0;',
    'beds:: int;',
    'note: string optional;',
    'note: string(20) #unique;',
    'unique note: string(20);',
    'note: string @db.VarChar(20);',
    'note: string? = null;',
    'photo: data(200KB);',
    'photo: data(200 KB);',
    'note: string(20) @unique, @server;',
    '#readable by: all;',
    '#enumerable filter: [name];',
    '#enumerable(filter: name);',
    '#enumerable(filter: {name});',
    '#omit[list];',
    '#omit[create);',
    '#omit{create, delete};',
    '#omit[create | delete];',
    '#omit = [delete];',
    'omit[delete];',
    '#list;',
    '#update(by: all);',
    'enum Status { open, closed }',
  ].map((line) => inService(line)),
  ...[
    'Part: service extends Item {\n  size: int;\n}',
    'Part: interface {\n  size: int;\n}',
    'model Part {\n  size: int;\n}',
    'class Part {\n  size: int;\n}',
    'Part: struct {\n  size: int;\n}',
    'abstract Part: service {\n  size: int;\n}',
    'Part: struct {\n  size: int;\n  #readable(by: all);\n}',
    'enum Status {\n  open\n  closed\n}',
    'datasource db {\n  provider = "postgresql"\n  url = env("DATABASE_URL")\n}',
    'query getItems {\n  fn: import { getItems } from "@src/queries",\n  entities: [Item]\n}',
  ].map(atTop),
  ...['project {', 'Shop: proj {', 'Shop: Project {'].map(
    (head) => `${head}\n  #authMethod(email);\n}\n\nItem: service {\n  name: string(80);\n  #auth;\n}\n`,
  ),
  ...['#auth(email);', 'authMethod: email;', '#authMethod(email'].map(
    (line) => `Shop: project {\n  ${line}\n}\n\nItem: service {\n  name: string(80);\n  #auth;\n}\n`,
  ),
  ...['#roles(agent, admin);', '#roles[Agent, admin];', '#roles agent;'].map(
    (line) =>
      `Shop: project {\n  #authMethod(email);\n  ${line}\n}\n\nItem: service {\n  name: string(80);\n  #auth;\n  #readable(by: [this, agent]);\n}\n`,
  ),
  'Shop: project {\n  #authMethod(email);\n}\n\nItem: service {\n  #auth;\n  #writable(by: [this, all]);\n}\n',
  'Shop: project {}\n\nItem: service {\n  #public[webhook];\n}\n',
]

test('each mistake has one diagnostic, which says what to write instead', () => {
  const found = MISTAKES.map((text) => {
    const { diagnostics } = checkText(text)
    return {
      text,
      count: diagnostics.length,
      says: diagnostics.filter(({ help, data }) => help !== undefined || data !== undefined).length,
    }
  })
  expect(found.filter(({ count, says }) => count !== 1 || says !== 1)).toEqual([])
})

test('a text in quotes is replaced by its content only where that can be valid', () => {
  const replacements = ['a: "string";', 'a: "open" | "closed";', 'a: string @map("b");'].map(
    (line) => checkText(inService(line)).diagnostics[0]?.data?.replacement,
  )
  expect(replacements).toEqual(['string', undefined, undefined])
})

test('the printed reports of these mistakes', async () => {
  const reports = MISTAKES.map((text) => report(text, checkText(text).diagnostics))
  await expect(reports.join('\n\n')).toMatchFileSnapshot('other-languages.txt')
})
