// A separate module, so that the bundle contains only these kinds of prompts.
export { confirm, input, select } from '@inquirer/prompts'
