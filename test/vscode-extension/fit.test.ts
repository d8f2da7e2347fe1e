import { expect, test } from 'vitest'
import { fittingZoom } from '../../vscode-extension/webview/fit.ts'

const PANEL = { width: 600, height: 400 }

test.each([
  ['a small diagram has its actual size', { width: 500, height: 300 }, 20, 1],
  ['a wide diagram fits its width', { width: 1200, height: 300 }, 20, 0.5],
  ['a high diagram fits its height', { width: 600, height: 1000 }, 20, 0.4],
  ['short names have space in a large diagram', { width: 2000, height: 400 }, 40, 0.3],
  ['long names stay readable in a large diagram', { width: 2000, height: 400 }, 16, 0.5],
  ['the cards of short names stay visible in a large diagram', { width: 6000, height: 400 }, 200, 0.25],
])('%s', (_, diagram, largestName, zoom) => {
  expect(fittingZoom(diagram, PANEL, largestName)).toBe(zoom)
})
