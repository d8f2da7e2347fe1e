// Replaces the packages of the language server protocol, from which Langium's core imports these names, in the command
// line.
const none = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) }

export const CancellationToken = { None: none, Cancelled: none, is: (value) => value === none }
export class CancellationTokenSource {
  token = none
  cancel() {}
  dispose() {}
}
export const Emitter = Object
export const Disposable = {}
export const Event = {}
export const LSPErrorCodes = {}
export class ResponseError extends Error {}
export const DiagnosticSeverity = { Error: 1, Warning: 2, Information: 3, Hint: 4 }
export const Position = {}
export const Range = {}
export const LLStarLookaheadStrategy = Object
