import type { GatewayRules } from '../../../src/dev/gateway/gateway.ts'
import type { TestPlatform } from '../platform.ts'

/** The platform that faults are planted in: every kind of access, reference and struct. */
export const DEFINITION = `
Faults: project { #authMethod(email); }
Host: service {
  name: string(20, 1);
  Visit: struct { note: string(30); #enumerable; }
  #auth;
  #readable(by: all);
}
Home: service {
  owner: Host;
  address: string(30, 2);
  beds: int(max: 40, min: 1);
  rate: float(min: 0.0);
  code: string(12, 4) @unique;
  listedAt: datetime @serverSet;
  secret: string @server;
  pin: string(8) @client;
  Photo: struct { caption: string(20) @unique; taken: date; #enumerable; }
  Tag: struct { photo: Photo; label: string(10); }
  #enumerable;
  #readable(by: all);
}
Note: service { text: string(50); image: data(100); at: datetime; share: float(precision: 4); #enumerable; }
Memo: service { note: Note; home: Home; late: bool; opens: time; }
`

/** One way to break the platform, and the check that has to find it. */
export interface Fault {
  readonly what: string
  /** Group and sentence of the check, or how they begin: `Home: only the creator can read (3 users)`. */
  readonly foundBy: string
  /** Changes of generated files: by path, what is replaced (once, it has to be there) and by what. */
  readonly files?: Readonly<Record<string, readonly (readonly [RegExp | string, string])[]>>
  /** SQL that breaks a service's schema, and SQL that mends it. */
  readonly sql?: { readonly service: string; readonly breaks: string; readonly mends: string }
  /** Other rules for the gateway. */
  readonly rules?: (platform: TestPlatform) => GatewayRules
}

/** The check of what create answers. */
export const CREATES = 'create answers 201 with what is stored and where it is'

/** The check of what read answers. */
export const READS = 'read answers 200 with the entity, whatever the case of the id, and HEAD without it'

/** The check of what a list looks like. */
export const HOME_LIST = 'Home: list answers 200 with {"HomeList": [...]} in the order of ids'

/** The check of pages. */
export const PAGES = 'a list is paged: each page links to the next, the last to none'

/** The check of tokens that anybody can make. */
export const TOKENS = 'a token that is malformed or forged is 401, in the query it does not count'
