/** Default colors, light and dark. A host can override them with `--portico-<name>` on a parent element. */
const COLORS = {
  background: ['#f6f7f9', '#12151c'],
  card: ['#ffffff', '#1c212b'],
  border: ['#cfd5df', '#3b4454'],
  head: ['#e9eefb', '#26304a'],
  struct: ['#f4f6fa', '#232936'],
  text: ['#171c26', '#e9edf5'],
  muted: ['#566072', '#a7b1c2'],
  reference: ['#3453c4', '#93adff'],
  line: ['#6b7fc4', '#7088cc'],
  focus: ['#b3470a', '#ffb070'],
} as const

type Color = keyof typeof COLORS

/** The theme of a diagram. `auto` follows the reader's system. */
export type Theme = 'auto' | 'light' | 'dark'

/**
 * The style sheet of diagrams, for pages whose content security policy does not allow inline styles. Hosts can set
 * each color with a custom property: `--portico-background`, `-card`, `-border`, `-head`, `-struct`, `-text`,
 * `-muted`, `-reference`, `-line` and `-focus`.
 */
export function diagramStyle(theme: Theme = 'auto'): string {
  const light = defaults(theme === 'dark' ? 1 : 0)
  const dark = theme === 'auto' ? `@media(prefers-color-scheme:dark){.portico-diagram{${defaults(1)}}}` : ''
  return `.portico-diagram{${light}}${dark}${RULES}`
}

function defaults(index: 0 | 1): string {
  return Object.entries(COLORS)
    .map(([name, values]) => `--_${name}:${values[index]}`)
    .join(';')
}

function color(name: Color): string {
  return `var(--portico-${name},var(--_${name}))`
}

const SANS = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif'
const MONOSPACE = 'ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace'

const RULES = [
  `.portico-diagram{font-family:${SANS};font-size:12px}`,
  `.portico-diagram text{fill:${color('text')};dominant-baseline:central;pointer-events:none}`,
  `.portico-diagram .background{fill:${color('background')}}`,
  `.portico-diagram .card{fill:${color('card')};stroke:${color('border')}}`,
  `.portico-diagram .head{fill:${color('head')}}`,
  `.portico-diagram .struct{fill:${color('struct')};stroke:${color('border')}}`,
  '.portico-diagram .name{font-size:16px;font-weight:650}',
  '.portico-diagram .struct-name{font-size:13px;font-weight:600}',
  `.portico-diagram .access{font-size:11px;fill:${color('muted')}}`,
  `.portico-diagram .row{font-family:${MONOSPACE}}`,
  `.portico-diagram .detail,.portico-diagram .step,.portico-diagram .more{fill:${color('muted')}}`,
  `.portico-diagram .more{font-family:${SANS};font-style:italic}`,
  '.portico-diagram .detail{text-anchor:end}',
  `.portico-diagram .refers{fill:${color('reference')};font-weight:600}`,
  `.portico-diagram .mark{pointer-events:none;fill:none;stroke:${color('muted')};stroke-width:1.5}`,
  `.portico-diagram .line{fill:none;stroke:${color('line')};stroke-width:1.5}`,
  '.portico-diagram .uses{stroke-dasharray:5 4}',
  `.portico-diagram .arrow{fill:${color('line')}}`,
  '.portico-diagram [role=link]{cursor:pointer;outline:none}',
  `.portico-diagram [role=link]:hover>.card,.portico-diagram [role=link]:hover>.struct{stroke:${color('reference')}}`,
  `.portico-diagram [role=link]:focus-visible>.card,.portico-diagram [role=link]:focus-visible>.struct{stroke:${color('focus')};stroke-width:3}`,
].join('')
