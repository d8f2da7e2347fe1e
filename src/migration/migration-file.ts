import { sha256 } from '../sha256.ts'

/** A migration's file. */
export interface MigrationFile {
  /** `0007_rename_rate.expand.sql` */
  readonly name: string
  readonly content: string
  /** What a new one says about the locks on whole tables that it holds for longer than a moment. */
  readonly locks?: readonly string[]
}

/** The number of a migration's file. */
export function migrationNumber(name: string): number {
  return Number.parseInt(name, 10)
}

/** The hash of a migration that databases record. Version control may convert the ends of its lines. */
export function migrationHash(content: string): string {
  return sha256(withLineFeeds(content))
}

/** The comments at the start of a file. */
const HEADER = /^(?:--[^\n]*\n|\n)*/
const STATE = '[0-9a-f]{64}(?:[-~]\\d+)?!?'
const STATES = new RegExp(`(?<![^\\n])-- schema: (none|${STATE}) -> (${STATE})\\n`)

const NO_TRANSACTION = /(?<![^\n])-- no transaction\n/

/** Whether a file runs in a transaction, which its header can deny. */
export function isTransaction(content: string): boolean {
  return !NO_TRANSACTION.test(headerOf(content))
}

/** Whether a file has more than comments. */
export function hasStatements(content: string): boolean {
  return content.replaceAll(/--[^\n]*|\/\*[^]*?\*\//g, '').trim() !== ''
}

function headerOf(content: string): string {
  return HEADER.exec(`${withLineFeeds(content)}\n`)?.[0] ?? ''
}

/** The states of the database before and after a file, which its header names. */
export function migrationStates(content: string): { readonly from: string; readonly to: string } | undefined {
  const [, from, to] = STATES.exec(headerOf(content)) ?? []
  return from === undefined || to === undefined ? undefined : { from, to }
}

function withLineFeeds(content: string): string {
  return content.replaceAll('\r\n', '\n')
}
