/**
 * What keeps a platform from running, for the user: `message` says what is wrong, `advice` (a sentence of its
 * own) what to do about it.
 */
export class PlatformProblem extends Error {
  override readonly name = 'PlatformProblem'
  readonly advice: string | undefined
  /** `answer`: a question stayed open that an option answers. `surroundings`: the machine does not let us. */
  readonly kind: 'surroundings' | 'answer'

  constructor(message: string, advice?: string, kind: 'surroundings' | 'answer' = 'surroundings') {
    super(message)
    this.advice = advice
    this.kind = kind
  }
}
