// A file of its own, so that the bundle takes these three kinds of question and not all that there are.
export { confirm, input, select } from '@inquirer/prompts'
