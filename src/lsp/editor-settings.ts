/** The user's settings of features, in the section `portico` of the editor's settings. */
export interface EditorSettings {
  readonly inlayHints: {
    /** The names of positional arguments. */
    readonly parameterNames: boolean
    /** The default access of services that do not declare it. */
    readonly inheritedAccess: boolean
  }
  readonly codeLens: {
    /** The number of references. */
    readonly references: boolean
    /** The endpoints of a service. */
    readonly endpoints: boolean
    /** Run and Generate, above the project. */
    readonly commands: boolean
  }
}

/** The settings until the editor sends others. */
export const DEFAULT_SETTINGS: EditorSettings = {
  inlayHints: { parameterNames: true, inheritedAccess: true },
  codeLens: { references: true, endpoints: true, commands: true },
}

/** Reads the settings from an untrusted value of the editor. Values that are not booleans are ignored. */
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

/** The initialization option `diagnosticsDelay` in milliseconds; `undefined` if it is missing or invalid. */
export function diagnosticsDelayFrom(initializationOptions: unknown): number | undefined {
  const delay = propertyOf(initializationOptions, 'diagnosticsDelay')
  return typeof delay === 'number' && delay >= 0 ? delay : undefined
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
