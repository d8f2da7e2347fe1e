/** Writes the explorer to a directory. Returns the files that it is made of, relative to `root`. */
export function bundleExplorer(root: string, directory: string): Promise<string[]>
