import { testRunners } from '../../migration/runner.ts'

testRunners(['typescript', 'go'])
