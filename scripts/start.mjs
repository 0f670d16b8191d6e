import { ensureInstalled } from './install.mjs'
import { runOnPinnedNode } from './run-on-pinned-node.mjs'

await ensureInstalled({ tools: false })
await runOnPinnedNode('src/main.ts', process.argv.slice(2))
