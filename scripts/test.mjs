import { ensurePage } from './build-page.mjs'
import { ensureInstalled } from './install.mjs'
import { ensureBrowser } from './install-browser.mjs'
import { ensureMariaDb } from './install-mariadb.mjs'
import { ensurePostgres } from './install-postgres.mjs'
import { browserTestTypes, lint, pageTypes, runSteps, types } from './steps.mjs'
import { tests } from './test-step.mjs'

await ensureInstalled()
await ensureBrowser()
await ensurePostgres()
await ensureMariaDb()
if (!(await ensurePage())) process.exit(1)
await runSteps([lint, types, pageTypes, browserTestTypes, tests(process.argv.slice(2))])
