import { diagramStyle } from '../../../src/emit/diagram/style.ts'

/** The resources of a page, and its definition. */
export interface PageParts {
  /** The origin of the extension's files in a webview. */
  readonly source: string
  readonly script: string
  readonly style: string
  /** Inline styles and scripts require this nonce. */
  readonly nonce: string
  /** The definition. */
  readonly uri: string
}

/**
 * Returns the HTML of the page that shows a diagram. Its content security policy allows one script, one style sheet and
 * the style of diagrams, but no images, fonts, frames or requests.
 */
export function diagramPage({ source, script, style, nonce, uri }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `style-src ${source} 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Diagram</title>
<style nonce="${nonce}">${diagramStyle('light')}</style>
<link rel="stylesheet" href="${attribute(style)}">
</head>
<body data-uri="${attribute(uri)}">
<div id="toolbar" role="toolbar" aria-label="Diagram">
<button type="button" id="zoom-out" title="Zoom out (-)" aria-label="Zoom out">−</button>
<button type="button" id="zoom" title="Actual size (0)" aria-label="Zoom to actual size">100%</button>
<button type="button" id="zoom-in" title="Zoom in (+)" aria-label="Zoom in">+</button>
<button type="button" id="fit" title="Fit to the panel (f)">Fit</button>
<button type="button" id="export" title="Save as an SVG file">Export</button>
<span id="notice" role="status"></span>
</div>
<main id="diagram" tabindex="-1"></main>
<script nonce="${nonce}" src="${attribute(script)}"></script>
</body>
</html>
`
}

function attribute(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
