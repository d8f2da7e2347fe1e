import { readFileSync } from 'node:fs'
import path from 'node:path'
import { wholeDefinition } from '../../example-definition.ts'

const ROOT = path.join(import.meta.dirname, '../../..')

/** Two services of which one asks the other, and users: the least that has every kind of container. Its rows can be large. */
export const SMALL = `Small: project {
  #authMethod(email);
}

Owner: service {
  name: string(80, 1);
  #auth;
  #readable(by: all);
}

Home: service {
  address: string(200, 1);
  plan: data(10M)?;
  owner: Owner;
  #enumerable;
  #readable(by: all);
}
`

/** A definition with all services in Go. */
export function inGo(text: string): string {
  return text.replace('#language(typescript);', '').replace(/: project \{/, '$& #language(go);')
}

/** A definition with every second service in Go. */
export function inBothLanguages(text: string): string {
  let count = 0
  return text.replaceAll(/: service \{/g, (block) => (count++ % 2 === 0 ? `${block} #language(go);` : block))
}

/** A definition with one Postgres for all services. */
export function onOneServer(text: string): string {
  return text
    .replace('#database(postgres);', '')
    .replace(/: project \{/, '$& #database(postgres, server: shared);')
}

/** `desk`, with every second service in Go. */
export function deskInBothLanguages(): string {
  return inBothLanguages(wholeDefinition(path.join(ROOT, 'examples/desk/desk.portico')))
}

/** The text of an example's definition, by its path below `examples/`. */
export function example(file: string): string {
  return readFileSync(path.join(ROOT, 'examples', file), 'utf8')
}
