import pc from 'picocolors'

/** Functions that colour text, or leave it alone where colours are off. */
export type Colors = ReturnType<typeof pc.createColors>

/** What `--color` says. */
export type ColorMode = 'auto' | 'always' | 'never'

/** Colours for a stream: `--color` first, then `NO_COLOR` (no-color.org), then what the stream is. */
export function colorsFor(
  mode: ColorMode,
  isTerminal: boolean | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Colors {
  return pc.createColors(wantsColors(mode, isTerminal, env))
}

function wantsColors(
  mode: ColorMode,
  isTerminal: boolean | undefined,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (mode !== 'auto') return mode === 'always'
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false
  return isTerminal === true && env['TERM'] !== 'dumb'
}

/**
 * Tells libraries that colour by themselves whether to: those of prompts and spinners look at the environment
 * when they are loaded.
 */
export function passColorsOn({ isColorSupported }: Colors): void {
  process.env['FORCE_COLOR'] = isColorSupported ? '1' : '0'
  if (isColorSupported) delete process.env['NO_COLOR']
  else process.env['NO_COLOR'] = '1'
}
