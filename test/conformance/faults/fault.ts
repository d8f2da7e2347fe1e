import type { GatewayConfig } from '../../../src/dev/gateway/gateway.ts'
import type { TestPlatform } from '../platform.ts'

/** The platform to break: it has every kind of access, reference, struct and endpoint. */
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
  fee: decimal(max: 99.99, min: 0);
  state: enum(open, sold-out, closed);
  code: string(12, 4) @unique;
  listedAt: datetime @serverSet;
  secret: string @server;
  pin: string(8) @client;
  Photo: struct { caption: string(20) @unique; taken: date; #enumerable; }
  Tag: struct { photo: Photo; label: string(10); #timestamps; #versioned; #unique[parent, label]; }
  Invite: endpoint { #post("{id}/invitations"); guests: int(20, 1) @client; note: Note @client; }
  Nearby: endpoint { #get("nearby/{place}"); place: string(20, 2); radius: int(90, 1) @client; #returns(list: Home); }
  #enumerable;
  #readable(by: all);
}
Note: service {
  text: string(50);
  image: data(100);
  at: datetime;
  share: float(precision: 4);
  status: enum(draft, sent, paid, void) @transitions(draft: [sent, void], sent: [paid, void]);
  Reminders: endpoint { #get("{id}/reminders"); since: date @client; count: int @serverSet; }
  Import: endpoint { #put("import"); from: Home @client; }
  #enumerable(filter: [text, share], sort: [at]);
  #idempotent;
}
Topic: service {
  title: string(20);
  parent: Topic?;
  slug: string(20)? @unique;
  rank: int(9, 1) = 3;
  weight: int(9, 1)? = 3;
  made: datetime = now;
  closed: date? @serverSet;
  #enumerable;
}
Memo: service { note: Note; home: Home; late: bool; opens: time; #unique[note, opens]; #versioned(required: true); }
`

/** A way to break the platform, and the check that must find it. */
export interface Fault {
  readonly description: string
  /** Group and title of the check, or their beginning: `Home: only the creator can read (3 users)`. */
  readonly foundBy: string
  /** Replacements in generated files, by path. Each replaces the first occurrence, which must exist. */
  readonly files?: Readonly<Record<string, readonly (readonly [RegExp | string, string])[]>>
  /** SQL that breaks a service's schema, and SQL that fixes it. */
  readonly sql?: { readonly service: string; readonly breaks: string; readonly fixes: string }
  /** Another configuration of the gateway. */
  readonly gatewayConfig?: (platform: TestPlatform) => GatewayConfig
}

/** The check of create. */
export const CREATES = 'create returns 201 with the entity and its location'

/** The check of read. */
export const READS = 'read returns 200 with the entity for an id in either case; HEAD returns no body'

/** The check of lists. */
export const HOME_LIST = 'Home: list returns 200 with {"HomeList": [...]} in id order'

/** The check of pages. */
export const PAGES = 'each page of a list links to the next one; the last page has no link'

/** The check of lists of some ids. */
export const BY_IDS = '`id[in]` returns those of up to 100 entities that the caller may read'

/** The check of invalid tokens. */
export const TOKENS = 'malformed and forged tokens return 401, tokens in the query or in cookies are ignored'

/** Returns a function that makes these replacements. Throws if one changes nothing. */
export function replacing(
  replacements: readonly (readonly [RegExp | string, string])[],
): (text: string) => string {
  return (text) =>
    replacements.reduce((before, [from, to]) => {
      // A replacement string would interpret `$`.
      const after = typeof from === 'string' ? before.replace(from, () => to) : before.replace(from, to)
      if (after === before) throw new Error(`${from} does not occur in\n${before}`)
      return after
    }, text)
}
