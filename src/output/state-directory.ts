/** The directory of what generation itself keeps, in the output directory. */
export const STATE_DIRECTORY = '.portico'
