/** Why a platform cannot run, for the user. `message` names the problem, `help` says what to do about it. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError'
  readonly help: string | undefined
  /** `usage`: an option or a change to the definition solves it. `environment`: the machine prevents it. */
  readonly kind: 'environment' | 'usage'

  constructor(message: string, help?: string, kind: 'environment' | 'usage' = 'environment') {
    super(message)
    this.help = help
    this.kind = kind
  }
}

/** The definition has errors, which the event `checked` reported. */
export class InvalidDefinitionError extends Error {
  override readonly name = 'InvalidDefinitionError'
}
