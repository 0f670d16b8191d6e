import { browserTestTypes, lint, pageTypes, runSteps, types } from './steps.mjs'

await runSteps([lint, types, pageTypes, browserTestTypes])
