/** A change of the definition, which is deployed at once. */
export interface Change {
  /** What changes, one row of the table of changes each. */
  readonly what: readonly string[]
  /** Replacements in the text of the definition before. */
  readonly edits: readonly (readonly [from: string, to: string])[]
  /** Options of `portico generate`. */
  readonly options?: readonly string[]
}

/** The platform at the beginning. */
export const FIRST_DAY = `Year: project {
  #authMethod(email);
}

Host: service {
  name: string(80, 1);
  #auth;
  #readable(by: all);
}

Home: service {
  address: string(200, 1);
  rate: float(min: 0.0);
  beds: int(max: 40, min: 1);
  owner: Host;
  #enumerable;
  #readable(by: all);
}
`

const REVIEW = `Review: service {
  stars: int(5, 1);
  home: Home;
  #enumerable;
  #readable(by: all);
}
`
const LATER_REVIEW = REVIEW.replace('int(5, 1)', 'string(5, 1)')
const NOTE = `Note: service {
  text: string(500);
  home: Home;
  #readable(by: this);
}
`
const PHOTO = `  Photo: struct {
    caption: string(200);
    #enumerable;
  }

`
const PICTURE = PHOTO.replace('Photo', 'Picture').replace('#enum', '#was(Photo);\n    #enum')
/** The line before which entities of `Home` begin. */
const HOME_END = '  #enumerable;\n  #readable(by: all);\n}\n'
const HOME_OWNER = `  owner: Host;\n${HOME_END}`

export const SPRING: Change = {
  what: ['an attribute is added, and its migration edited', 'a service is added'],
  edits: [
    ['  beds:', '  city: string(80, 1);\n  beds:'],
    [HOME_OWNER, `${HOME_OWNER}\n${REVIEW}`],
  ],
  options: ['--backfill', 'Home.city=Unknown'],
}

/** What changes later, in order. Each leaves a platform that the next one starts from. */
export const OTHER_SERVICES: Change = {
  what: ['an attribute of another service is added', 'a second service is added'],
  edits: [
    ['  name: string(80, 1);', '  name: string(80, 1);\n  phone: string(20);'],
    [REVIEW, `${REVIEW}\n${NOTE}`],
  ],
  options: ['--backfill', 'Host.phone='],
}

export const SUMMER: Change = {
  what: [
    'an attribute is renamed',
    'bounds and an int are widened',
    'documentation is added',
    '@unique is added',
    'a struct is added',
    'a type is changed with an expression',
  ],
  edits: [
    ['rate: float(min: 0.0)', '/// In euros.\n  nightlyRate: float(min: 0.0) @was(rate)'],
    ['int(max: 40, min: 1)', 'int(max: 60, min: 1, precision: 8)'],
    ['  address: string(200, 1)', '  address: string(200, 1) @unique'],
    [HOME_OWNER, `  owner: Host;\n\n${PHOTO}${HOME_END}`],
    ['stars: int(5, 1)', 'stars: string(5, 1)'],
  ],
}

export const AUTUMN: Change = {
  what: [
    'a migration is written by hand',
    '@was goes',
    'an attribute is removed',
    'a struct is renamed',
    'bounds are narrowed',
  ],
  edits: [
    [' @was(rate)', ''],
    ['  city: string(80, 1);\n', ''],
    [PHOTO, PICTURE],
    ['max: 60, min: 1', 'max: 10, min: 1'],
  ],
  options: ['--allow-data-loss', 'Home.city'],
}

export const WINTER: Change = {
  what: [
    '@unique is removed',
    'a struct is removed',
    'a list by owner is added',
    'a service is removed',
    'an int becomes a float',
    'a decimal, an enum and an optional attribute are added',
    '#timestamps is added',
    'filters and orders of a list are added',
  ],
  edits: [
    [' @unique', ''],
    [PICTURE, ''],
    ['  #readable(by: this);', '  #enumerable;\n  #readable(by: this);'],
    [`${LATER_REVIEW}\n`, ''],
    ['int(max: 10, min: 1, precision: 8)', 'float(max: 10.0, min: 1.0)'],
    [
      '  owner: Host;\n',
      `  price: decimal(max: 9999.99, min: 0) = 50;
  kind: enum(house, flat, boat) = house;
  district: string(80)?;
  owner: Host;
`,
    ],
    [
      HOME_END,
      HOME_END.replace('  #enumerable', '  #timestamps;\n  #enumerable(filter: [kind], sort: [price])'),
    ],
  ],
  options: ['--allow-data-loss', 'Home.Picture,Review'],
}

export const NEW_YEAR: Change = {
  what: [
    'the service is added again',
    'a service is renamed',
    'bounds are removed',
    'an enum loses a value',
    'a decimal gets more digits',
    'a default is changed',
    'an attribute becomes required, and another one optional',
    '#unique is added',
  ],
  edits: [
    ['Note: service {\n', `${LATER_REVIEW}\nMemo: service {\n  #was(Note);\n`],
    ['string(500)', 'string'],
    ['enum(house, flat, boat) = house', 'enum(house, flat) = flat'],
    ['min: 0) = 50', 'min: 0, scale: 4) = 50'],
    ['district: string(80)?', 'district: string(80)'],
    ['float(max: 10.0, min: 1.0)', 'float(max: 10.0, min: 1.0)?'],
    ['  #timestamps;', '  #unique[address, owner];\n  #timestamps;'],
  ],
  options: ['--allow-data-loss', 'Home.kind', '--backfill', 'Home.district=Centre'],
}

export const WITHOUT_TIMES: Change = {
  what: ['#timestamps is removed', '#unique is removed', 'an attribute with a filter is renamed'],
  edits: [
    ['  #unique[address, owner];\n  #timestamps;\n', ''],
    ['kind: enum(house, flat) = flat', 'form: enum(house, flat) @was(kind)'],
    ['filter: [kind]', 'filter: [form]'],
  ],
  options: ['--allow-data-loss', 'Home.createdAt,Home.updatedAt'],
}

/** The text of a definition after a change. */
export function changed(text: string, { edits }: Change): string {
  return edits.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`The definition has no ${from}`)
    return before.replace(from, () => to)
  }, text)
}
