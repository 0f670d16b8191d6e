import { ensurePage } from './build-page.mjs'
import { installInProcess, root } from './install.mjs'
import { installSystemPackages } from './install-system-packages.mjs'
import { asPart, tellPartsAtTheEnd } from './part-times.mjs'
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
// Only tests need these: a machine that has none of them downloads for as long as all until the tests takes.
const systemPackages = installSystemPackages(asPart('Install for tests'))
if ((await installInProcess(asPart('Install'))) !== 0) process.exit(1)
// Whoever asks for some tests wants to see them now: `npm run check` is there for lint and types, 40 s of a processor.
// The caches are made once for all: or each of many processes would compile the service for itself.
const forAll = () => [
  runSideBySide(checks),
  warmCompileCache(asPart('Compile cache')),
  warmCompileCache(asPart('Compile cache of the tests'), testProcessFlags)
]
const [isPageBuilt, serviceCode, systemCode] = await Promise.all([
  ensurePage(asPart('Page')),
  buildTestService(asPart('Service for tests')),
  systemPackages,
  ...(isWhole ? forAll() : [])
])
if (!isPageBuilt || serviceCode !== 0 || systemCode !== 0) process.exit(1)
await runSteps([tests(process.argv.slice(2))])
passed()
