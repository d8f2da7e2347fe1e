import { diagramStyle } from '../../../src/emit/diagram/style.ts'

/** Addresses of what a page loads, and what it is about. */
export interface PageParts {
  /** The origin that a webview loads an extension's own files from. */
  readonly source: string
  readonly script: string
  readonly style: string
  /** Said once: what is inline without it is not used. */
  readonly nonce: string
  /** Of the definition. */
  readonly uri: string
}

/**
 * The page that shows a diagram. Its policy (Content Security Policy Level 3) lets in one script, one style sheet
 * and the style of diagrams, and nothing from anywhere else: no images, fonts, frames or requests.
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
<button type="button" id="zoom" title="Own size (0)" aria-label="Zoom: own size">100%</button>
<button type="button" id="zoom-in" title="Zoom in (+)" aria-label="Zoom in">+</button>
<button type="button" id="fit" title="Fit to the window (f)">Fit</button>
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
