/** The name of a built image, which can be pushed to a registry. */
export function imageName(project: string, directory: string): string {
  return `\${REGISTRY:-}${project}/${directory}:\${TAG:-latest}`
}
