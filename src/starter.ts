import { DEFAULT_LANGUAGE, type Language } from './language/builtins.ts'
import { words } from './naming.ts'

/** The choices for a starter definition. */
export interface StarterAnswers {
  /** The project name: `MyShop`. */
  readonly name: string
  /** The language of all services. */
  readonly language: Language
  /** Whether users log in and own what they create. */
  readonly authentication: boolean
  /** `example` has several services, a reference and a struct; `minimal` has one small service. */
  readonly content: StarterContent
}

export type StarterContent = 'example' | 'minimal'

/** Leaves room for prefixes and suffixes within the limit of Postgres. */
const MAX_NAME_LENGTH = 40

/** Returns a project name for a directory name: `MyShop` for `my-shop`, `Cafe` for `café`. */
export function projectNameFor(directory: string): string {
  const name = directory
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .flatMap((part) => (part === '' ? [] : words(part)))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
    .slice(0, MAX_NAME_LENGTH)
  if (name === '') return 'MyPlatform'
  return /^[A-Z]/.test(name) ? name : `My${name}`
}

/** Returns a starter definition. It is valid with every block name that is not the name of one of its services. */
export function starterDefinition({ name, language, authentication, content }: StarterAnswers): string {
  const project = block(`${name}: project`, [
    ...(language === DEFAULT_LANGUAGE ? [] : [`#language(${language});`]),
    ...(authentication ? ['#authMethod(email);'] : []),
  ])
  const blocks = content === 'example' ? exampleBlocks(authentication) : minimalBlocks(authentication)
  return [`/// Describe ${name} here.\n${project}`, ...blocks].join('\n')
}

const AUTHOR = `/// The profile of a user. Every user has one.
Author: service {
  name: string(80, 1);
  #auth;
  #readable(by: all);
}
`

function minimalBlocks(authentication: boolean): string[] {
  const note = `/// A text note.
Note: service {
  text: string(1k, 1);
  #enumerable;
}
`
  return authentication ? [AUTHOR, note] : [note]
}

function exampleBlocks(authentication: boolean): string[] {
  const access = authentication ? '  #readable(by: all);\n' : ''
  const category = `/// A topic of articles.
Category: service {
  title: string(80, 1) @unique;
  #enumerable;
${access}}
`
  const article = `/// An article.
Article: service {
  title: string(200, 1);
  text: string(100k);
  /// Must be an existing category.
  category: Category;
  /// Set by a hook. Clients can read it, but not write it.
  publishedAt: datetime @serverSet;

  /// A comment on this article.
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
