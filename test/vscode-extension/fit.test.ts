import { expect, test } from 'vitest'
import { firstZoom, fittingZoom } from '../../vscode-extension/webview/fit.ts'

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

test.each([
  ['a small diagram has its actual size', { width: 500, height: 300 }, 1],
  ['a diagram that is readable when it fits, fits', { width: 700, height: 400 }, 600 / 700],
  ['four services are readable, and scrolled', { width: 1300, height: 700 }, 0.8],
  ['a large diagram shows its names', { width: 2400, height: 1600 }, 0.25],
])('at first, %s', (_, diagram, zoom) => {
  expect(firstZoom(diagram, PANEL, 40)).toBe(zoom)
})
