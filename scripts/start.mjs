import { ensurePage } from './build-page.mjs'
import { ensureInstalled } from './install.mjs'
import { runOnPinnedNode, serviceProcess } from './run-on-pinned-node.mjs'
import { warmCompileCache } from './warm.mjs'

await ensureInstalled({ tools: false })
// A page that cannot be built, as on a disk that is read-only, does not keep the webhooks from being served.
await ensurePage()
await warmCompileCache()
await runOnPinnedNode('src/main.ts', process.argv.slice(2), serviceProcess)
