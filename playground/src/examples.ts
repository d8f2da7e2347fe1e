import type { Definition } from './definition.ts'

/** An example of the repository. */
export interface Example {
  readonly name: string
  readonly definition: Definition
}

/** Loads the examples, which the bundle has in a file of its own. */
export async function loadExamples(): Promise<readonly [Example, ...Example[]]> {
  const response = await fetch('examples.json')
  if (!response.ok) throw new Error(`The examples could not be loaded: ${response.status}`)
  return response.json()
}
