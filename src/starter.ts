import { words } from './model/names.ts'

/** What decides how a first definition looks. */
export interface StarterAnswers {
  /** The name of the project: `MyShop`. */
  readonly name: string
  /** Users log in, and what they create is theirs. */
  readonly authentication: boolean
  /** `example` has services, a reference and a struct to learn from, `minimal` one small service. */
  readonly content: StarterContent
}

export type StarterContent = 'example' | 'minimal'

/** Leaves room for what is put before or behind it, within what Postgres takes. */
const MAX_NAME_LENGTH = 40

/** A name for a project in a directory of this name: `my-shop` gives `MyShop`. */
export function projectNameFor(directory: string): string {
  const name = directory
    .split(/[^A-Za-z0-9]+/)
    .flatMap((part) => (part === '' ? [] : words(part)))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
    .slice(0, MAX_NAME_LENGTH)
  if (name === '') return 'MyPlatform'
  return /^[A-Z]/.test(name) ? name : `My${name}`
}

/** A first definition. It is valid with every name that is a block name and none of its services'. */
export function starterDefinition({ name, authentication, content }: StarterAnswers): string {
  const project = block(`${name}: project`, authentication ? ['#authMethod(email);'] : [])
  const blocks = content === 'example' ? exampleBlocks(authentication) : minimalBlocks(authentication)
  return [`/// What ${name} is for, in a sentence.\n${project}`, ...blocks].join('\n')
}

const AUTHOR = `/// What is kept of a user. Each token has one entity of this service.
Author: service {
  name: string(80, 1);
  #auth;
  #readable(by: all);
}
`

function minimalBlocks(authentication: boolean): string[] {
  const note = `/// Something that ${authentication ? 'a user' : 'somebody'} wrote down.
Note: service {
  text: string(1k, 1);
  #enumerable;
}
`
  return authentication ? [AUTHOR, note] : [note]
}

function exampleBlocks(authentication: boolean): string[] {
  const access = authentication ? '  #readable(by: all);\n' : ''
  const category = `/// What an article is about.
Category: service {
  title: string(80, 1) @unique;
  #enumerable;
${access}}
`
  const article = `/// Something to read.
Article: service {
  title: string(200, 1);
  text: string(100k);
  /// A category that exists: this is checked when an article is stored.
  category: Category;
  /// Set by a hook: clients see it and cannot change it.
  publishedAt: datetime @serverSet;

  /// What somebody says about an article. Comments live under their article.
  Comment: struct {
    text: string(2k, 1);
    stars: int(5, 1);
    #enumerable;
  }

  #enumerable;
${access}}
`
  return authentication ? [AUTHOR, category, article] : [category, article]
}

function block(head: string, members: readonly string[]): string {
  return members.length === 0
    ? `${head} {}\n`
    : `${head} {\n${members.map((line) => `  ${line}\n`).join('')}}\n`
}
