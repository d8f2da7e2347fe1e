import { accessSync, constants } from 'node:fs'

/** The environment, or a part of it. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A variable that has no usable value; the message is a sentence that names it. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** The value of a variable, or the default where it is not set or empty. */
export function text(env: Environment, name: string, fallback: string): string {
  const value = env[name]
  return value === undefined || value === '' ? fallback : value
}

/** An integer between the bounds, which are inclusive. Throws ConfigError. */
export function integer(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const value = text(env, name, String(fallback))
  const number = Number(value)
  if (/^\d+$/.test(value) && number >= min && number <= max) return number
  throw new ConfigError(`${name} must be an integer from ${min} to ${max}, not \`${value}\`.`)
}

/** One of the values. Throws ConfigError. */
export function oneOf<Value extends string>(
  env: Environment,
  name: string,
  fallback: Value,
  values: readonly Value[],
): Value {
  const value = text(env, name, fallback)
  const found = values.find((candidate) => candidate === value)
  if (found !== undefined) return found
  throw new ConfigError(`${name} must be one of ${values.join(', ')}, not \`${value}\`.`)
}

/** An absolute URL of one of the schemes, as given. Throws ConfigError, without the value: it may hold a password. */
export function url(env: Environment, name: string, fallback: string, schemes: readonly string[]): string {
  const value = text(env, name, fallback)
  const scheme = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : ''
  if (schemes.includes(scheme)) return value
  throw new ConfigError(`${name} must be a URL that begins with ${schemes.join(':// or ')}://.`)
}

/** The path of a file that can be read, or `undefined` where the variable is not set. Throws ConfigError. */
export function readableFile(env: Environment, name: string): string | undefined {
  const file = text(env, name, '')
  if (file === '') return undefined
  try {
    accessSync(file, constants.R_OK)
    return file
  } catch {
    throw new ConfigError(`${name} must name a file that can be read, not \`${file}\`.`)
  }
}
