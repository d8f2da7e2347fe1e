export function licensesOf(root: string, files: readonly string[]): Promise<string>
