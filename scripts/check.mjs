import { checks, runSideBySide } from './steps.mjs'

await runSideBySide(checks)
