/** The line that `portico dev` prints when the platform is ready. */
const GATEWAY_ENTRY = /^GATEWAY_ENTRY=(\S+)$/

/**
 * Finds the address of a platform in the output of `portico dev`.
 *
 * @param onAddress is called with `host:port`, for each line that contains it
 * @returns a function that takes the next chunk of the output
 */
export function findGatewayAddress(onAddress: (address: string) => void): (chunk: string) => void {
  let incomplete = ''
  return (chunk) => {
    const lines = (incomplete + chunk).split(/\r?\n/)
    incomplete = lines.pop() ?? ''
    for (const line of lines) {
      const address = GATEWAY_ENTRY.exec(line)?.[1]
      if (address !== undefined) onAddress(address)
    }
  }
}
