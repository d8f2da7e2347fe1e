/** What a user can choose about features, under `portico` in the editor's settings. */
export interface EditorSettings {
  readonly inlayHints: {
    /** The names of positional arguments. */
    readonly parameterNames: boolean
    /** Access that a service has without saying so. */
    readonly inheritedAccess: boolean
  }
  readonly codeLens: {
    /** The number of references. */
    readonly references: boolean
    /** The endpoints of a service. */
    readonly endpoints: boolean
    /** Generate and run, over the project. */
    readonly commands: boolean
  }
}

/** What holds until the editor says something else. */
export const DEFAULT_SETTINGS: EditorSettings = {
  inlayHints: { parameterNames: true, inheritedAccess: true },
  codeLens: { references: true, endpoints: true, commands: true },
}

/** The settings in what an editor answers or sends, which may be anything: what is not a boolean is left out. */
export function settingsFrom(given: unknown): EditorSettings {
  const switches = <T extends object>(name: keyof EditorSettings, defaults: T): T => {
    const section = propertyOf(given, name)
    const entries = Object.entries(defaults).map(([key, value]: [string, unknown]) => {
      const chosen = propertyOf(section, key)
      return [key, typeof chosen === 'boolean' ? chosen : value] as const
    })
    return Object.fromEntries(entries) as T
  }
  return {
    inlayHints: switches('inlayHints', DEFAULT_SETTINGS.inlayHints),
    codeLens: switches('codeLens', DEFAULT_SETTINGS.codeLens),
  }
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
