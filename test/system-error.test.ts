import { expect, test } from 'vitest'
import { systemErrorMessage } from '../src/system-error.ts'

test('the message of a port that cannot be opened names it', () => {
  const error = Object.assign(new Error('listen EACCES'), { code: 'EACCES', syscall: 'listen', port: 80 })
  expect(systemErrorMessage(error)).toBe('Could not listen on port 80: permission denied')
})
