// node scripts/run.mjs <file.ts> [arguments]: any TypeScript file of this repository on the pinned Node.
import { ensureInstalled } from './install.mjs'
import { runOnPinnedNode } from './run-on-pinned-node.mjs'

const [file, ...args] = process.argv.slice(2)
if (!file) {
  console.error('Usage: node scripts/run.mjs <file.ts> [arguments]')
  process.exit(2)
}
await ensureInstalled()
await runOnPinnedNode(file, args)
