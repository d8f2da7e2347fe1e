import type { Question } from '../../src/cli/questions.ts'

/** A question such as a target might have. */
export const MODULE: Question = {
  key: 'module',
  message: 'What is the name of the module?',
  flag: '--module <name>',
  validate: (answer) =>
    /^[a-z./]+$/.test(answer) ? undefined : 'It has small letters, dots and slashes alone.',
}
