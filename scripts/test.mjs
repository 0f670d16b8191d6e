import { lint, runSteps, tests, types } from './steps.mjs'

await runSteps([lint, types, tests(process.argv.slice(2))])
