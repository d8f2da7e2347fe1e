import manifest from '../../package.json' with { type: 'json' }

/** The version of Portico, from its package.json. */
export const VERSION: string = manifest.version
