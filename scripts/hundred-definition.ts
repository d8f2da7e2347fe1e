const SUBJECTS = [
  'Order',
  'Invoice',
  'Parcel',
  'Ticket',
  'Course',
  'Recipe',
  'Vehicle',
  'Garden',
  'Letter',
  'Concert',
  'Lesson',
  'Repair',
  'Survey',
  'Meeting',
  'Voucher',
  'Auction',
  'Journey',
  'Contract',
  'Museum',
  'Harvest',
] as const

/** Which subject the service at `index` (from 0, the identity service left out) is about. */
function nameOf(index: number): string {
  const subject = SUBJECTS[index % SUBJECTS.length] ?? 'Order'
  const round = Math.floor(index / SUBJECTS.length)
  return round === 0 ? subject : `${subject}${round + 1}`
}

/**
 * Gives a definition with `services` services (from 2) of about 13 lines each, for measuring: one identity
 * service, and others that refer to earlier ones, a struct in every second, and every type and annotation.
 * The same number gives the same text.
 */
export function hundred(services: number): string {
  const blocks = [
    [
      `/// ${services} services, made by scripts/hundred-definition.ts for measuring.`,
      'Hundred: project {',
      '  #authMethod(email);',
      '}',
    ],
    [
      '/// The users of the platform.',
      'Member: service {',
      '  name: string(80, 1);',
      '  joinedAt: datetime @serverSet;',
      '  #auth;',
      '  #readable(by: all);',
      '}',
    ],
  ]
  for (let index = 0; index < services - 1; index++) blocks.push(service(index))
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function service(index: number): string[] {
  const lines = [`${nameOf(index)}: service {`, '  title: string(120, 1);']
  if (index % 2 === 0) lines.unshift(`/// Number ${index + 1}.`)
  const attributes = [
    'amount: int(max: 1M, min: 0);',
    'price: float(min: 0.0);',
    'due: date;',
    'opens: time;',
    'startsAt: datetime;',
    'active: bool;',
    'code: string(40) @unique;',
    'createdAt: datetime @serverSet;',
    'score: int @server;',
    'preview: data(64k);',
  ]
  for (let offset = 0; offset < 3; offset++)
    lines.push(`  ${attributes[(index * 3 + offset) % attributes.length]}`)
  lines.push('  member: Member;')
  if (index % 3 !== 0) lines.push(`  previous: ${nameOf(index - 1)};`)
  if (index % 2 === 1) {
    lines.push(`  ${nameOf(index)}Line: struct {`)
    lines.push('    text: string(200);', '    position: int(1k, 0);')
    if (index % 4 === 3) lines.push(`    related: ${nameOf(index - 2)};`)
    lines.push('    #enumerable;', '  }')
  }
  lines.push('  #enumerable;')
  if (index % 2 === 0) lines.push('  #readable(by: all);')
  if (index % 5 === 4) lines.push('  #omit[delete];')
  lines.push('}')
  return lines
}

/** Makes each service refer to the one before it. */
export function withReferences(text: string): string {
  let last: string | undefined
  return text.replaceAll(/^(\w+): service \{$/gm, (line, name: string) => {
    const reference = last === undefined ? '' : `\n  last: ${last};`
    last = name
    return line + reference
  })
}

/** The same definition in a number of files, by name. The first one, `several.portico`, imports the others. */
export function inFiles(text: string, count: number): ReadonlyMap<string, string> {
  const [project = '', ...blocks] = text.split(/\n\n(?=\S)/)
  const size = Math.ceil(blocks.length / (count - 1))
  const parts = Array.from({ length: count - 1 }, (_, index): [string, string] => [
    `part-${index}.portico`,
    `${blocks.slice(index * size, (index + 1) * size).join('\n\n')}\n`,
  ])
  const imports = parts.map(([name]) => `import "${name}";\n`).join('')
  return new Map([['several.portico', `${imports}\n${project}\n`], ...parts])
}
