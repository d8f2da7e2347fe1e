/** A JSON answer that no cache may keep: it holds an entity, a token or an error. */
export function answer(status: number, value: unknown, headers?: Readonly<Record<string, string>>): Response {
  return answerText(status, JSON.stringify(value), headers)
}

/** The same from text that is JSON already, whole or in parts. */
export function answerText(
  status: number,
  json: string | ReadableStream<Uint8Array>,
  headers?: Readonly<Record<string, string>>,
): Response {
  return new Response(json, {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers },
  })
}

/** `{"error": message}`. */
export function answerError(
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
): Response {
  return answer(status, { error: message }, headers)
}
