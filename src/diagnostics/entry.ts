export type Severity = 'error' | 'warning' | 'hint'

/** The documentation of a diagnostic, which `portico explain` and the reference page show. */
export interface CatalogueEntry {
  readonly severity: Severity
  /** A few words, without a full stop. */
  readonly title: string
  /** What it means and how to fix it: plain text, code in backticks. */
  readonly explanation: string
  /** A whole definition that has this diagnostic and no other of its severity or above. */
  readonly bad: string
  /** The same definition without the problem. */
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

/** A whole definition with roles around the members of one service `Home`. */
export function withRoles(roles: string, ...members: readonly string[]): string {
  const project = block('Stays: project', ['#authMethod(email);', `#roles[${roles}];`])
  return `${project}\n${block('User: service', ['#auth;'])}\n${block('Home: service', members)}`
}

/** A whole definition around the metadata of the project block. */
export function inProject(...members: readonly string[]): string {
  return `${block('Stays: project', members)}\nHome: service {}\n`
}

function block(head: string, members: readonly string[]): string {
  return `${head} {\n${members.map((member) => `  ${member}\n`).join('')}}\n`
}
