import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Platform } from '../../../src/model/platform.ts'
import { platformOf } from '../platform.ts'

/** The platform of one of the examples. */
export function exampleOf(name: string): Platform {
  return platformOf(
    readFileSync(join(import.meta.dirname, '../../../examples', name, `${name}.portico`), 'utf8'),
  )
}

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
