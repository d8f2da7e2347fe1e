import { describe, expect, test } from 'vitest'
import { diagram } from '../../../src/emit/diagram/diagram.ts'
import { diagramStyle } from '../../../src/emit/diagram/style.ts'
import { diagramSvg } from '../../../src/emit/diagram/svg.ts'
import { platformOf } from '../platform.ts'
import { LINKS } from './definitions.ts'

const picture = diagram(platformOf(LINKS))

describe('a drawn diagram', () => {
  test('is a picture with a title and sentences', () => {
    const svg = diagramSvg(picture)
    expect(svg).toContain('role="img"')
    expect(svg).toContain('<title>Diagram of Links</title>')
    expect(svg).toContain('Slot.of refers to User. Book.shelf refers to Shelf. Book uses User.')
    expect(svg).not.toContain('role="link"')
  })

  test('names every service and struct for a host that follows them', () => {
    const svg = diagramSvg(picture, { interactive: true })
    const links = [...svg.matchAll(/data-declaration="(\w+)" tabindex="0" role="link" aria-label="([^"]+)"/g)]
    expect(links.map(([, name, label]) => [name, label])).toEqual([
      ['User', 'Service User: all read, creator writes'],
      ['Shelf', 'Service Shelf: all read and write'],
      ['Slot', 'Struct Slot'],
      ['Label', 'Struct Label'],
      ['Book', 'Service Book: creator reads and writes'],
    ])
    expect(svg).toContain('role="group"')
  })

  test('brings nothing that a strict policy forbids', () => {
    const svg = diagramSvg(picture, { interactive: true, standalone: false })
    expect(svg).not.toMatch(/<script|<style|style=|href|url\(|\bon\w+=|\bid=/)
  })

  test('is light, dark, or as its reader has it', () => {
    expect(diagramSvg(picture)).toContain('@media(prefers-color-scheme:dark)')
    for (const theme of ['light', 'dark'] as const)
      expect(diagramSvg(picture, { theme })).not.toContain('prefers-color-scheme')
    expect(diagramStyle('dark')).not.toBe(diagramStyle('light'))
  })

  test('escapes what documentation says', () => {
    const text = `Odd: project {} /** </title><script>alert("'&")</script> \u0001 */ Thing: service {}`
    const svg = diagramSvg(diagram(platformOf(text)))
    expect(svg).toContain('&#60;/title&#62;&#60;script&#62;alert(&#34;&#39;&#38;&#34;)&#60;/script&#62;')
    expect(svg).not.toContain('\u0001')
  })
})
