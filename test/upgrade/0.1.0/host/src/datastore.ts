import { DataAccess } from './data-access.ts'

/**
 * What hooks and routes have as `env.datastore`: the generated statements, and yours.
 * This file is yours: it is never written again.
 */
export class Datastore extends DataAccess {}
