import type { Attribute } from '../../model/platform.ts'
import type { GoFile } from './go-file.ts'
import { block } from './layout.ts'
import { exported } from './names.ts'
import type { EntityScope, ServiceScope } from './scope.ts'

/** What the functions that emit the endpoints of an entity share. */
export interface RouteScope extends ServiceScope, EntityScope {
  readonly file: GoFile
  readonly platform_: string
  /** The name of the entity as a literal. */
  readonly declared: string
}

/** Runs what may fail. */
export const check = (expression: string) => block(`if err := ${expression}; err != nil`, ['return err'])
/** Returns the error of the statement before. */
export const returned = block('if err != nil', ['return err'])

/** The field of an attribute. */
export function fieldOf({ names }: EntityScope, { names: { declared } }: Attribute): string {
  return names.fields.get(declared) ?? exported(declared)
}
