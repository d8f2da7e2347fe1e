import { Buffer, isUtf8 } from 'node:buffer'
import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** The variables of a `.env` file, as Node reads it; none if it does not exist. Throws if it is not UTF-8. */
export function readEnvFile(file: string): NodeJS.Dict<string> {
  return existsSync(file) ? parseEnvFile(readFileSync(file), file) : {}
}

function parseEnvFile(content: Buffer, name: string): NodeJS.Dict<string> {
  if (!isUtf8(content)) throw new Error(`${name} is not UTF-8 text`)
  // Editors on Windows may write a byte order mark, which Node would take for a part of the first name.
  return parseEnv(content.toString().replace(/^\ufeff/, ''))
}

// In containers, `node --import` loads this file before the service. Compose passes the service's .env on in base64, because
// its own way to read such files differs. Kubernetes mounts the file. What else the container sets takes precedence.
const { ENV_BASE64: content, ENV_FILE: file } = process.env
const variables = {
  ...(file !== undefined && readEnvFile(file)),
  ...(content !== undefined && parseEnvFile(Buffer.from(content, 'base64'), '.env')),
}
for (const [name, value] of Object.entries(variables)) process.env[name] ??= value
