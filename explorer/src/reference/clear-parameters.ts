import type { OpenApi, Parameter } from './excerpt.ts'

/**
 * Returns a document whose optional query parameters have no value until the reader sets one. The viewer sends every
 * parameter that has an example or an enum: all filters of a list at once, which no entity matches. Their examples
 * move into the descriptions.
 */
export function clearParameters(document: OpenApi): OpenApi {
  return {
    ...document,
    paths: mapValues(document.paths, (item) =>
      mapValues(item, (operation) =>
        operation.parameters === undefined
          ? operation
          : { ...operation, parameters: operation.parameters.map(clearParameter) },
      ),
    ),
  }
}

function clearParameter(parameter: Parameter): Parameter {
  if (parameter.in !== 'query' || parameter.required === true) return parameter
  const { example, description = '', ...rest } = parameter
  return {
    ...rest,
    description: example === undefined ? description : `${description} For example \`${String(example)}\`.`,
    // The viewer leaves out optional parameters whose value is empty, and includes them when they are edited.
    examples: { default: { value: '' } },
  }
}

function mapValues<T>(
  record: Readonly<Record<string, T>>,
  change: (value: T) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}
