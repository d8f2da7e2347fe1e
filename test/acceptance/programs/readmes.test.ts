import { EXAMPLES_TO_RUN, FIRST } from '../../examples/example.ts'
import { readmeCommands } from '../../examples/readme-commands.ts'

readmeCommands([FIRST, ...EXAMPLES_TO_RUN.filter(({ isInGo }) => !isInGo)])
