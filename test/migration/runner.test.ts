import { testRunners } from './runner.ts'

testRunners(['typescript'])
