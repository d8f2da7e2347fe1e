/** What a host may set to colour a diagram: `--portico-<name>` on an element around it. Light, then dark. */
const COLOURS = {
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

type Colour = keyof typeof COLOURS

/** Whether a diagram follows the reader's system, or is fixed. */
export type Theme = 'auto' | 'light' | 'dark'

/**
 * The style sheet of diagrams, for pages whose content security policy allows none inside a picture. Hosts may
 * set each colour by a custom property: `--portico-background`, `-card`, `-border`, `-head`, `-struct`, `-text`,
 * `-muted`, `-reference`, `-line` and `-focus`.
 */
export function diagramStyle(theme: Theme = 'auto'): string {
  const light = defaults(theme === 'dark' ? 1 : 0)
  const dark = theme === 'auto' ? `@media(prefers-color-scheme:dark){.portico-diagram{${defaults(1)}}}` : ''
  return `.portico-diagram{${light}}${dark}${RULES}`
}

function defaults(index: 0 | 1): string {
  return Object.entries(COLOURS)
    .map(([name, values]) => `--_${name}:${values[index]}`)
    .join(';')
}

function colour(name: Colour): string {
  return `var(--portico-${name},var(--_${name}))`
}

const SANS = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif'
const MONOSPACE = 'ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace'

const RULES = [
  `.portico-diagram{font-family:${SANS};font-size:12px}`,
  `.portico-diagram text{fill:${colour('text')};dominant-baseline:central;pointer-events:none}`,
  `.portico-diagram .background{fill:${colour('background')}}`,
  `.portico-diagram .card{fill:${colour('card')};stroke:${colour('border')}}`,
  `.portico-diagram .head{fill:${colour('head')}}`,
  `.portico-diagram .struct{fill:${colour('struct')};stroke:${colour('border')}}`,
  '.portico-diagram .name{font-size:16px;font-weight:650}',
  '.portico-diagram .struct-name{font-size:13px;font-weight:600}',
  `.portico-diagram .access{font-size:11px;fill:${colour('muted')}}`,
  `.portico-diagram .row{font-family:${MONOSPACE}}`,
  `.portico-diagram .detail,.portico-diagram .more{fill:${colour('muted')}}`,
  `.portico-diagram .more{font-family:${SANS};font-style:italic}`,
  '.portico-diagram .detail{text-anchor:end}',
  `.portico-diagram .refers{fill:${colour('reference')};font-weight:600}`,
  `.portico-diagram .mark{pointer-events:none;fill:none;stroke:${colour('muted')};stroke-width:1.5}`,
  `.portico-diagram .line{fill:none;stroke:${colour('line')};stroke-width:1.5}`,
  '.portico-diagram .uses{stroke-dasharray:5 4}',
  `.portico-diagram .arrow{fill:${colour('line')}}`,
  '.portico-diagram [role=link]{cursor:pointer;outline:none}',
  `.portico-diagram [role=link]:hover>.card,.portico-diagram [role=link]:hover>.struct{stroke:${colour('reference')}}`,
  `.portico-diagram [role=link]:focus-visible>.card,.portico-diagram [role=link]:focus-visible>.struct{stroke:${colour('focus')};stroke-width:3}`,
].join('')
