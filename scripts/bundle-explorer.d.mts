/** Writes the page into a directory; gives the files, relative to `root`, that went into it. */
export function bundleExplorer(root: string, directory: string): Promise<string[]>
