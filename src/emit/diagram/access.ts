import type { Service } from '../../model/platform.ts'

/** Who reads and writes the entities of a service, in a few words. */
export function accessWords(
  { readable, writable }: Pick<Service, 'readable' | 'writable'>,
  authenticated: boolean,
): string {
  if (!authenticated) return 'open to everybody'
  if (writable === 'all') return 'all read and write'
  return readable === 'all' ? 'all read, creator writes' : 'creator reads and writes'
}
