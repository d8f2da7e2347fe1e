import type { Hono } from 'hono'
import type { Config } from './config.ts'
import type { Datastore } from './datastore.ts'
import type {
  CreateDrawing,
  CreateEdge,
  CreateNode,
  CreateNote,
  Drawing,
  DrawingRequest,
  Edge,
  EdgeRequest,
  Node,
  NodeRequest,
  Note,
  NoteRequest,
  UpdateDrawing,
  UpdateEdge,
  UpdateNode,
  UpdateNote,
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

/** The hooks on Drawing. */
type DrawingHooks = {
  readonly beforeCreate: BodyHook<DrawingRequest, CreateDrawing>[]
  readonly afterCreate: AfterHook<Drawing>[]
  readonly beforeRead: LookupHook<Lookup>[]
  readonly afterRead: AfterHook<Drawing>[]
  readonly beforeUpdate: BodyHook<DrawingRequest, UpdateDrawing>[]
  readonly afterUpdate: AfterHook<Drawing>[]
  readonly beforeDelete: LookupHook<Lookup>[]
  readonly afterDelete: AfterHook<string>[]
}

/** The hooks on Node. */
type NodeHooks = {
  readonly beforeCreate: BodyHook<NodeRequest, CreateNode>[]
  readonly afterCreate: AfterHook<Node>[]
  readonly beforeRead: LookupHook<EntryLookup>[]
  readonly afterRead: AfterHook<Node>[]
  readonly beforeUpdate: BodyHook<NodeRequest, UpdateNode>[]
  readonly afterUpdate: AfterHook<Node>[]
  readonly beforeDelete: LookupHook<EntryLookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page & { parentId: string }>[]
  readonly afterList: AfterHook<Node[]>[]
}

/** The hooks on Edge. */
type EdgeHooks = {
  readonly beforeCreate: BodyHook<EdgeRequest, CreateEdge>[]
  readonly afterCreate: AfterHook<Edge>[]
  readonly beforeRead: LookupHook<EntryLookup>[]
  readonly afterRead: AfterHook<Edge>[]
  readonly beforeUpdate: BodyHook<EdgeRequest, UpdateEdge>[]
  readonly afterUpdate: AfterHook<Edge>[]
  readonly beforeDelete: LookupHook<EntryLookup>[]
  readonly afterDelete: AfterHook<string>[]
  readonly beforeList: LookupHook<Page & { parentId: string }>[]
  readonly afterList: AfterHook<Edge[]>[]
}

/** The hooks on Note. */
type NoteHooks = {
  readonly beforeCreate: BodyHook<NoteRequest, CreateNote>[]
  readonly afterCreate: AfterHook<Note>[]
  readonly beforeRead: LookupHook<EntryLookup>[]
  readonly afterRead: AfterHook<Note>[]
  readonly beforeUpdate: BodyHook<NoteRequest, UpdateNote>[]
  readonly afterUpdate: AfterHook<Note>[]
  readonly beforeDelete: LookupHook<EntryLookup>[]
  readonly afterDelete: AfterHook<string>[]
}

/** All hooks, in the order in which they were registered. */
export interface HookLists {
  readonly drawing: DrawingHooks
  readonly node: NodeHooks
  readonly edge: EdgeHooks
  readonly note: NoteHooks
}

/** Registers hooks: those of Drawing itself, and those of each struct. */
export type Hooks = Registrar<DrawingHooks> & {
  readonly node: Registrar<NodeHooks>
  readonly edge: Registrar<EdgeHooks>
  readonly note: Registrar<NoteHooks>
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

/** Takes further routes under the service's own path: `/drawing/...`. */
export type Router = Hono<ApiEnv>

/** Makes the lists that setup.ts fills. */
export function createHookLists(): HookLists {
  return {
    drawing: {
      beforeCreate: [],
      afterCreate: [],
      beforeRead: [],
      afterRead: [],
      beforeUpdate: [],
      afterUpdate: [],
      beforeDelete: [],
      afterDelete: [],
    },
    node: {
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
    edge: {
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
    note: {
      beforeCreate: [],
      afterCreate: [],
      beforeRead: [],
      afterRead: [],
      beforeUpdate: [],
      afterUpdate: [],
      beforeDelete: [],
      afterDelete: [],
    },
  }
}
