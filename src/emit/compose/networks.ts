import type { DatabaseServer } from '../../model/database-servers.ts'
import { commented, flow, type YamlObject } from '../codegen/yaml.ts'

/** Docker's default address pools have room for about 30 networks on a machine. */
const MAX_POOLED = 12
/** Databases of larger platforms take subnets of 64 addresses from this /16 network. */
const SUBNETS = `\${DATABASE_SUBNETS:-10.213}`

/** A network for each database server, which only its services share, and from which nothing else can be reached. */
export function networks(all: readonly DatabaseServer[]): YamlObject {
  return Object.fromEntries(
    all.map(({ name }, index) => [
      name,
      all.length > MAX_POOLED ? { internal: true, ipam: addresses(index) } : flow({ internal: true }),
    ]),
  )
}

function addresses(index: number): YamlObject {
  const config = [flow({ subnet: `${SUBNETS}.${index >> 2}.${(index & 3) * 64}/26` })]
  if (index > 0) return { config }
  return {
    config: commented(
      "This many networks exceed Docker's default address pools. Set `DATABASE_SUBNETS` if 10.213.0.0/16 is taken.",
      config,
    ),
  }
}
