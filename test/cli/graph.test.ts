import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { run, runProcess, temporaryDirectory } from './harness.ts'

const SHOP = `/// Where things are sold.
Shop: project {
  #authMethod(email);
}
Customer: service {
  name: string(80);
  #auth;
  #readable(by: all);
}
Order: service {
  customer: Customer;
  Line: struct {
    product: string;
  }
}
`

let cwd = ''

beforeEach(() => {
  cwd = temporaryDirectory()
  writeFileSync(join(cwd, 'shop.portico'), SHOP)
})

describe('portico graph', () => {
  it('prints a Mermaid diagram', async () => {
    expect(await runProcess(['graph', 'shop.portico'], { cwd })).toEqual({
      status: 0,
      stdout: `classDiagram
  direction LR
  class Customer {
    <<all read, creator writes>>
    name: string
  }
  class Order {
    <<creator reads and writes>>
    customer: Customer
  }
  class Line {
    <<struct>>
    product: string
  }
  Order *-- "*" Line
  Order --> Customer : customer
`,
      stderr: '',
    })
  })

  it('prints an SVG, also from standard input, and in a selected theme', async () => {
    const { status, stdout, stderr } = await run(['graph', '-', '--format', 'svg'], { stdin: SHOP })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^]*<\/svg>\n$/)
    expect(stdout).toContain('prefers-color-scheme')
    for (const name of ['Customer', 'Order', 'Line']) expect(stdout).toContain(`data-declaration="${name}"`)
    const dark = await run(['graph', 'shop.portico', '--format', 'svg', '--theme', 'dark'], { cwd })
    expect(dark.stdout).not.toContain('prefers-color-scheme')
  })

  it('reports errors and prints no partial diagram', async () => {
    const stdin = 'Shop: project {} Order: service { customer: Custmer; }'
    const { status, stdout, stderr } = await run(['graph', '-'], { stdin })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain('error[unknown-type]')
    expect(stderr).toContain('<stdin>: 1 error')
  })

  it('exits with status 2 or 3 for incorrect use or a missing file', async () => {
    expect(await run(['graph', 'shop.portico', '--theme', 'dark'], { cwd })).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('`--theme` requires `--format svg`') as string,
    })
    expect(await run(['graph', 'none.portico'], { cwd })).toMatchObject({ status: 3, stdout: '' })
  })
})
