import type { CodeFile } from '../codegen/code-file.ts'
import type { EntityScope, ServiceScope } from './scope.ts'

/** What the functions that emit the routes of an entity share. */
export interface RouteScope extends ServiceScope, EntityScope {
  readonly file: CodeFile
  readonly value: (module: string, name: string) => string
  /** The caller as it is passed on. */
  readonly caller: 'caller' | 'undefined'
  /** The key of the parent's id in a struct. */
  readonly key: string | undefined
}
