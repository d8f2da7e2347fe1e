/** What `portico dev` prints when the platform answers requests. */
const ENTRY = /^GATEWAY_ENTRY=(\S+)$/

/**
 * Finds the address of a platform in what the command line prints, which comes in pieces of any size.
 *
 * @param found gets `host:port`, once for each line that names it
 * @returns takes the next piece
 */
export function watchForGateway(found: (address: string) => void): (piece: string) => void {
  let line = ''
  return (piece) => {
    const lines = (line + piece).split(/\r?\n/)
    line = lines.pop() ?? ''
    for (const one of lines) {
      const address = ENTRY.exec(one)?.[1]
      if (address !== undefined) found(address)
    }
  }
}
