/** Each kind of change for clients, and whether it is breaking: whether a client that worked before can fail. */
export const RULES = {
  'endpoint-removed': true,
  'path-changed': true,
  'status-changed': true,
  'authentication-added': true,
  'access-narrowed': true,
  'type-changed': true,
  'attribute-renamed': true,
  'request-attribute-required': true,
  'request-attribute-removed': true,
  'request-bounds-narrowed': true,
  'unique-added': true,
  'transition-removed': true,
  'response-attribute-removed': true,
  'response-bounds-widened': true,
  'response-attribute-nullable': true,
  'list-key-changed': true,
  'filter-removed': true,
  'filter-narrowed': true,
  'order-removed': true,
  'unknown-parameters-rejected': true,
  'version-required': true,
  'version-removed': true,
  'key-removed': true,
  'endpoint-added': false,
  'filter-added': false,
  'order-added': false,
  'authentication-removed': false,
  'access-widened': false,
  'request-bounds-widened': false,
  'request-attribute-added': false,
  'request-attribute-optional': false,
  'request-default-changed': false,
  'unique-removed': false,
  'transition-added': false,
  'response-attribute-added': false,
  'response-bounds-narrowed': false,
  'response-attribute-never-null': false,
  'version-added': false,
  'key-added': false,
  'version-optional': false,
} as const satisfies Readonly<Record<string, boolean>>

/** The id of a rule. */
export type ApiRule = keyof typeof RULES

/** A change of one endpoint that its clients can notice. */
export interface ApiChange {
  readonly rule: ApiRule
  /** Whether a client that worked before can fail. */
  readonly breaking: boolean
  /**
   * The endpoint by its method and path, as clients knew it if it is gone: `GET /api/home/{id}`. For a path of `#public`,
   * what is below it: `/api/home/webhook/...`.
   */
  readonly endpoint: string
  /** The change, as a phrase: `` Responses no longer contain `Home.beds` ``. */
  readonly reason: string
}
