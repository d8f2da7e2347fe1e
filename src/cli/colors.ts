import pc from 'picocolors'

/** Functions that color text, or return it unchanged if colors are off. */
export type Colors = ReturnType<typeof pc.createColors>

/** The values of `--color`. */
export type ColorMode = 'auto' | 'always' | 'never'

/** Returns the colors of a stream: `--color` decides, then `NO_COLOR` (no-color.org), then whether it is a terminal. */
export function colorsFor(
  mode: ColorMode,
  isTerminal: boolean | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Colors {
  return pc.createColors(usesColors(mode, isTerminal, env))
}

function usesColors(
  mode: ColorMode,
  isTerminal: boolean | undefined,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (mode !== 'auto') return mode === 'always'
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false
  return isTerminal === true && env['TERM'] !== 'dumb'
}

/** Sets the environment variables that the libraries of prompts and spinners read when they are loaded. */
export function exportColorSetting({ isColorSupported }: Colors): void {
  process.env['FORCE_COLOR'] = isColorSupported ? '1' : '0'
  if (isColorSupported) delete process.env['NO_COLOR']
  else process.env['NO_COLOR'] = '1'
}
