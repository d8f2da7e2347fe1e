/**
 * The exit statuses. 0: success. 1: the definition or samples have errors, or a check failed. 2: incorrect use of the command
 * line, or an answer is needed and no terminal can ask for it. 3: the environment (a file that cannot be read, a
 * port in use, a component that did not start) or a bug in Portico.
 */
export const EXIT = { success: 0, failed: 1, usage: 2, environment: 3 } as const

/** One of the statuses of `EXIT`. */
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT]
