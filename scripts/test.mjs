import { ensurePage } from './build-page.mjs'
import { ensureInstalled, root } from './install.mjs'
import { browserPackages, ensureBrowser } from './install-browser.mjs'
import { installTogether } from './install-debian-package.mjs'
import { ensureMariaDb, mariaDbPackages } from './install-mariadb.mjs'
import { ensurePostgres, postgresPackages } from './install-postgres.mjs'
import { asPart, partOf, tellPartsAtTheEnd } from './part-times.mjs'
import { beginCheck } from './release/tested.mjs'
import { checks, runSideBySide, runSteps } from './steps.mjs'
import { testProcessFlags } from './test-processes.mjs'
import { buildTestService } from './test-service.mjs'
import { tests } from './test-step.mjs'
import { warmCompileCache } from './warm.mjs'

// What was tested may be published: see release/.
const isWhole = process.argv.length === 2
const passed = isWhole ? beginCheck(root, 'npm test') : () => {}
tellPartsAtTheEnd()
await partOf('Install', () => Promise.all([ensureInstalled(), ensureSystemPackages()]))
// Whoever asks for some tests wants to see them now: `npm run check` is there for lint and types, 40 s of a processor.
// The caches are made once for all: or each of many processes would compile the service for itself.
const forAll = () => [
  runSideBySide(checks),
  warmCompileCache(asPart('Compile cache')),
  warmCompileCache(asPart('Compile cache of the tests'), testProcessFlags)
]
const [isPageBuilt, serviceCode] = await Promise.all([
  ensurePage(asPart('Page')),
  buildTestService(asPart('Service for tests')),
  ...(isWhole ? forAll() : [])
])
if (!isPageBuilt || serviceCode !== 0) process.exit(1)
await runSteps([tests(process.argv.slice(2))])
passed()

/** One after the other: the system's package manager lets in nobody while it is at work. */
async function ensureSystemPackages() {
  await installTogether([browserPackages, postgresPackages, mariaDbPackages])
  await ensureBrowser()
  await ensurePostgres()
  await ensureMariaDb()
}
