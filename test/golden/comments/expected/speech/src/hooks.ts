import type { Hono } from 'hono'
import type { Config } from './config.ts'
import type { Datastore } from './datastore.ts'
import type {
  Applause,
  ApplauseRequest,
  CreateApplause,
  CreateSpeech,
  Speech,
  SpeechRequest,
  UpdateApplause,
  UpdateSpeech,
} from './entities.ts'
import type { Hook, Registrar } from './hook-lists.ts'
import type { Caller } from './identity.ts'
import type { Page } from './lists.ts'
import type { Log } from './log.ts'
import type { EntryLookup, Lookup } from './lookups.ts'
import type { Bindings } from './server.ts'

export { HookError } from './errors.ts'

/** Runs before an operation that has a body. */
type BodyHook<Body, Input> = Hook<[env: Env, request: Body, input: Input, caller: Caller]>

/** Runs before an operation without a body. */
type LookupHook<Input> = Hook<[env: Env, input: Input, caller: Caller]>

/** Runs after an operation and may change its answer. */
type AfterHook<Result> = Hook<[env: Env, result: Result, caller: Caller]>

/** The hooks on Speech. */
type SpeechHooks = {
  readonly beforeCreate: BodyHook<SpeechRequest, CreateSpeech>[]
  readonly afterCreate: AfterHook<Speech>[]
  readonly beforeRead: LookupHook<Lookup>[]
  readonly afterRead: AfterHook<Speech>[]
  readonly beforeUpdate: BodyHook<SpeechRequest, UpdateSpeech>[]
  readonly afterUpdate: AfterHook<Speech>[]
  readonly beforeDelete: LookupHook<Lookup>[]
  readonly afterDelete: AfterHook<string>[]
}

/** The hooks on Applause. */
type ApplauseHooks = {
  readonly beforeCreate: BodyHook<ApplauseRequest, CreateApplause>[]
  readonly afterCreate: AfterHook<Applause>[]
  readonly beforeRead: LookupHook<EntryLookup>[]
  readonly afterRead: AfterHook<Applause>[]
  readonly beforeUpdate: BodyHook<ApplauseRequest, UpdateApplause>[]
  readonly afterUpdate: AfterHook<Applause>[]
  readonly beforeDelete: LookupHook<EntryLookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page & { parentId: string }>[]
  readonly afterList: AfterHook<Applause[]>[]
}

/** All hooks, in the order in which they were registered. */
export interface HookLists {
  readonly speech: SpeechHooks
  readonly applause: ApplauseHooks
}

/** Registers hooks: those of Speech itself, and those of each struct. */
export type Hooks = Registrar<SpeechHooks> & {
  readonly applause: Registrar<ApplauseHooks>
}

/** What hooks and the user's own routes work with. */
export interface Env {
  readonly config: Config
  readonly log: Log
  readonly datastore: Datastore
  readonly hooks: Hooks
}

/** What Hono's context holds in routes. */
export interface ApiEnv {
  Bindings: Bindings
  Variables: {
    caller: Caller
    /** Answers with the status and `{"error": message}`. */
    fail: (status: number, message: string) => Response
  }
}

/** Takes further routes under the service's own path: `/speech/...`. */
export type Router = Hono<ApiEnv>

/** Makes the lists that setup.ts fills. */
export function createHookLists(): HookLists {
  return {
    speech: {
      beforeCreate: [],
      afterCreate: [],
      beforeRead: [],
      afterRead: [],
      beforeUpdate: [],
      afterUpdate: [],
      beforeDelete: [],
      afterDelete: [],
    },
    applause: {
      beforeCreate: [],
      afterCreate: [],
      beforeRead: [],
      afterRead: [],
      beforeUpdate: [],
      afterUpdate: [],
      beforeDelete: [],
      afterDelete: [],
      beforeList: [],
      afterList: [],
    },
  }
}
