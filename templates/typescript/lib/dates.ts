import { z } from 'zod'

/** A day as `YYYY-MM-DD`, from 0001-01-01 to 9999-12-31. */
export const date = z.iso
  .date('must be a valid date in the format YYYY-MM-DD')
  .refine((value) => value >= '0001', 'must be a date from 0001-01-01 to 9999-12-31')
