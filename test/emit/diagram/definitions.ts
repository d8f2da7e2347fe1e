import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hundred } from '../../../scripts/hundred-definition.ts'
import type { Platform } from '../../../src/model/platform.ts'
import { platformOf } from '../platform.ts'

/** The platform of one of the examples. */
export function exampleOf(name: string): Platform {
  return platformOf(
    readFileSync(join(import.meta.dirname, '../../../examples', name, `${name}.portico`), 'utf8'),
  )
}

/** Platforms of all sizes by name: those of examples, and one of a hundred services. */
export const PLATFORMS: readonly (readonly [name: string, platform: Platform])[] = [
  ...['stays', 'booking', 'chat', 'types', 'tiny'].map((name) => [name, exampleOf(name)] as const),
  ['a hundred services', platformOf(hundred(100))],
]

/** Every kind of link: to another service, from a struct, to a sibling, to the own service, by use, both ways. */
export const LINKS = `
/// Where <things> & "words" are.
Links: project { #authMethod(email); }
User: service { name: string @unique; #auth; #readable(by: all); }
Shelf: service {
  owner: User;
  last: Book @server;
  Slot: struct { at: Shelf; of: User; note: string; }
  Label: struct { slot: Slot; }
  #readable(by: all); #writable(by: all);
}
Book: service { shelf: Shelf; #uses[User]; }
`
