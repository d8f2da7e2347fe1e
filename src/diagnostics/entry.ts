export type Severity = 'error' | 'warning' | 'hint'

/** What is known of a diagnostic before it occurs; `portico explain` and the reference page show it. */
export interface CatalogueEntry {
  readonly severity: Severity
  /** A few words, without a full stop. */
  readonly title: string
  /** What it means and what to do about it: plain text, code in backquotes. */
  readonly explanation: string
  /** A whole definition that has this diagnostic and no other one of its severity or above. */
  readonly bad: string
  /** The same definition mended. */
  readonly good: string
}

/** A whole definition around the members of one service `Home`. */
export function inService(...members: readonly string[]): string {
  return `Stays: project {}\n\n${block('Home: service', members)}`
}

/** A whole definition with authentication around the members of one service `Home`. */
export function withAuthentication(...members: readonly string[]): string {
  return `${block('Stays: project', ['#authMethod(email);'])}\n${block('User: service', ['#auth;'])}\n${block('Home: service', members)}`
}

/** A whole definition around the metadata of the project block. */
export function inProject(...members: readonly string[]): string {
  return `${block('Stays: project', members)}\nHome: service {}\n`
}

function block(head: string, members: readonly string[]): string {
  return `${head} {\n${members.map((member) => `  ${member}\n`).join('')}}\n`
}
