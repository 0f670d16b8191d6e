#!/usr/bin/env node
// Runs on the Node that happens to be there, as everything in scripts/ does; the command itself is src/cli/.
import { ensureInstalled } from '../scripts/install.mjs'
import { runOnPinnedNode } from '../scripts/run-on-pinned-node.mjs'
import { warmCompileCache } from '../scripts/warm.mjs'

await ensureInstalled({ tools: false })
await warmCompileCache()
await runOnPinnedNode('src/cli/main.ts', process.argv.slice(2))
