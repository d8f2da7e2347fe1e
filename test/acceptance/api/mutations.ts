/** A way to change a definition, in one place at a time. */
export interface Mutation {
  readonly name: string
  /** Where the change is possible; every match is a place. */
  readonly place: RegExp
  /** Replaces the match, as in `String.replace`, or changes the whole text. */
  readonly change: string | ((text: string, match: RegExpExecArray) => string)
}

/** Renames what the match declares, and all references to it. */
const rename = (text: string, [, name = '']: RegExpExecArray): string =>
  text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `${name}New`)

/** Adds to the number in the match, after the text in its first group. */
const add = (difference: number) => (text: string, match: RegExpExecArray) => {
  const [whole, before = '', number = ''] = match
  const after = text.slice(match.index + whole.length)
  return `${text.slice(0, match.index)}${before}${Number(number) + difference}${after}`
}

/** Changes that a definition goes through in its life. */
export const MUTATIONS: readonly Mutation[] = [
  { name: 'attribute added', place: /: (?:service|struct) \{\n/g, change: '$&  added: int;\n' },
  { name: '@serverSet attribute added', place: /: service \{\n/g, change: '$&  added: int @serverSet;\n' },
  { name: '@client attribute added', place: /: service \{\n/g, change: '$&  added: int @client;\n' },
  { name: '@server attribute added', place: /: service \{\n/g, change: '$&  added: int @server;\n' },
  { name: 'attribute removed', place: /^ +[a-z]\w*: [^{}\n]*;\n/gm, change: '' },
  { name: 'attribute renamed', place: /^( +)[a-z]\w*: (?=[^{}\n]*;\n)/gm, change: '$1renamed: ' },
  { name: '@serverSet added', place: /(: [A-Za-z]+(?:\([^)]*\))?);/g, change: '$1 @serverSet;' },
  { name: '@client added', place: /(: [A-Za-z]+(?:\([^)]*\))?);/g, change: '$1 @client;' },
  { name: '@server added', place: /(: [A-Za-z]+(?:\([^)]*\))?);/g, change: '$1 @server;' },
  { name: '@serverSet removed', place: / @serverSet/g, change: '' },
  { name: '@client removed', place: / @client/g, change: '' },
  { name: '@server removed', place: / @server\b/g, change: '' },
  { name: '@unique added', place: /(: [a-z]+(?:\([^)]*\))?);/g, change: '$1 @unique;' },
  { name: '@unique removed', place: / @unique/g, change: '' },

  { name: 'maximum length added', place: /: string(?!\()/g, change: ': string(50)' },
  { name: 'maximum length raised', place: /(: string\()(\d+)/g, change: add(1) },
  { name: 'maximum length lowered', place: /(: string\()(\d+)/g, change: add(-1) },
  { name: 'bounds of a string removed', place: /: string\([^)]*\)/g, change: ': string' },
  { name: 'minimum length added', place: /: string\((\d+)\)/g, change: ': string($1, 1)' },
  { name: 'maximum added', place: /: int(?!\()/g, change: ': int(max: 1k)' },
  { name: 'maximum raised', place: /(: int\()(\d+)/g, change: add(1) },
  { name: 'maximum lowered', place: /(: int\()(\d+)/g, change: add(-1) },
  { name: 'bounds of an integer removed', place: /: int\([^)]*\)/g, change: ': int' },
  { name: 'precision of an integer raised', place: /: int(?!\()/g, change: ': int(precision: 8)' },
  { name: 'precision of an integer lowered', place: /: int(?!\()/g, change: ': int(precision: 2)' },
  { name: 'minimum of a number added', place: /: float(?!\()/g, change: ': float(min: 0.0)' },
  { name: 'bounds of a number removed', place: /: float\([^)]*\)/g, change: ': float' },
  { name: 'precision of a number lowered', place: /: float(?!\()/g, change: ': float(precision: 4)' },
  { name: 'maximum size raised by a byte', place: /(: data\()(\d+)(?=\))/g, change: add(1) },
  { name: 'maximum size raised', place: /(: data\()(\d+)/g, change: add(3) },
  { name: 'maximum size removed', place: /: data\([^)]*\)/g, change: ': data' },

  { name: 'maximum of a decimal raised', place: /(: decimal\(max: )(\d+)/g, change: '$19$2' },
  { name: 'bounds of a decimal removed', place: /: decimal\([^)]*\)/g, change: ': decimal' },
  { name: 'bounds of a decimal added', place: /: decimal(?!\()/g, change: ': decimal(max: 9, min: 0)' },
  { name: 'scale of a decimal raised', place: /: decimal(?!\()/g, change: ': decimal(scale: 4)' },
  { name: 'scale of a decimal lowered', place: /: decimal(?!\()/g, change: ': decimal(scale: 0)' },
  { name: 'decimal to number', place: /: decimal(?:\([^)]*\))?/g, change: ': float' },
  { name: 'integer to decimal', place: /: int(?:\([^)]*\))?/g, change: ': decimal' },
  { name: 'value of an enum added', place: /(: enum\([^)]*)\)/g, change: '$1, another)' },
  { name: 'first value of an enum removed', place: /(: enum\()[^,)]*, /g, change: '$1' },
  { name: 'values of an enum in another order', place: /(: enum\()([^,)]*), ([^)]*)/g, change: '$1$3, $2' },
  { name: 'enum to string', place: /: enum\([^)]*\)/g, change: ': string(80)' },
  { name: 'string to enum', place: /: string(?:\([^)]*\))?/g, change: ': enum(one, other)' },

  { name: 'string to integer', place: /: string(?:\([^)]*\))?/g, change: ': int' },
  { name: 'integer to number', place: /: int(?:\([^)]*\))?/g, change: ': float' },
  { name: 'number to integer', place: /: float(?:\([^)]*\))?/g, change: ': int' },
  { name: 'date to date and time', place: /: date(?!time)/g, change: ': datetime' },
  { name: 'time to string', place: /: time/g, change: ': string' },
  { name: 'data to string', place: /: data(?:\([^)]*\))?/g, change: ': string' },
  { name: 'reference to string', place: /: [A-Z]\w*(?=[^\n]*;)/g, change: ': string' },
  {
    name: 'reference to another service',
    place: /^ +[a-z]\w*: ([A-Z]\w*)/gm,
    change: (text, { 0: match, 1: target = '', index }) =>
      `${text.slice(0, index)}${match.replace(target, 'Other')}${text.slice(index + match.length)}\nOther: service {}`,
  },

  { name: 'list added', place: /: (?:service|struct) \{\n/g, change: '$&  #enumerable;\n' },
  { name: 'list removed', place: / +#enumerable;\n/g, change: '' },
  { name: 'endpoint omitted', place: /: (?:service|struct) \{\n/g, change: '$&  #omit[update];\n' },
  { name: 'endpoints no longer omitted', place: / +#omit[^;]*;\n/g, change: '' },
  { name: 'service added', place: /^\w+: project/gm, change: 'Added: service {}\n$&' },
  { name: 'service renamed', place: /^(\w+): service/gm, change: rename },
  { name: 'struct renamed', place: /^ +(\w+): struct/gm, change: rename },
  { name: 'struct removed', place: / +\w+: struct \{[^}]*\}\n/g, change: '' },
  { name: 'struct added', place: /: service \{\n/g, change: '$&  Added: struct { note: string; }\n' },

  { name: 'readable by all', place: /: service \{\n/g, change: '$&  #readable(by: all);\n' },
  { name: 'no longer readable by all', place: / +#readable\(by: all\);\n/g, change: '' },
  { name: 'writable by all', place: /#readable\(by: all\);\n/g, change: '$&  #writable(by: all);\n' },
  { name: 'no longer writable by all', place: / +#writable\(by: all\);\n/g, change: '' },
  { name: '#auth added', place: /: service \{\n/g, change: '$&  #auth;\n' },
  {
    name: 'authentication added',
    place: /: project \{/g,
    change: (text, { 0: match }) =>
      `${text.replace(match, `${match} #authMethod(email);`)}\nAccount: service { #auth; }`,
  },
  {
    name: 'authentication removed',
    place: /#authMethod/g,
    change: (text) => text.replaceAll(/ *#(?:auth|authMethod|readable|writable)\b[^;]*;\n/g, ''),
  },

  { name: 'documentation removed', place: /^ *\/\/\/.*\n/gm, change: '' },
  { name: 'metrics added', place: /: project \{/g, change: '$& #metrics(prometheus);' },
]

/** Every definition that a mutation makes of another one, valid or not, in the order of the text. */
export function mutants(text: string, { place, change }: Mutation): string[] {
  return [...text.matchAll(place)].map((match) => {
    if (typeof change !== 'string') return change(text, match)
    const single = new RegExp(place.source, `${place.flags.replace('g', '')}y`)
    single.lastIndex = match.index
    return text.replace(single, change)
  })
}
