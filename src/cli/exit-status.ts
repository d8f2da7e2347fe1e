/**
 * What the process says when it ends. 0: done. 1: the definition has errors, or a check failed. 2: wrong use
 * of the command line, or an answer missing without a terminal. 3: the surroundings (a file not readable, a
 * port taken, a component that would not start), and faults of Portico itself.
 */
export const EXIT = { done: 0, failed: 1, usage: 2, surroundings: 3 } as const

/** One of the four statuses of `EXIT`. */
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT]
