import { lint, runSteps, types } from './steps.mjs'

await runSteps([lint, types])
