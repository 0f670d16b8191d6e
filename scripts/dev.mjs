import { ensureInstalled, root } from './install.mjs'
import { run } from './run-command.mjs'

const node = await ensureInstalled()
const port = process.env.PORT ?? '7860'
const host = process.env.HOST ?? '127.0.0.1'

// One entry per process that stays up while developing. None ends by itself: after a crash the watcher waits
// for the next change. The page is opened at Vite's address, which hands everything else on to the service.
const parts = [
  ['--watch', '--watch-preserve-output', 'src/main.ts'],
  ['node_modules/vite/bin/vite.js', '--config', 'web/vite.config.ts', '--host', host]
]

const env = { ...process.env, VITE_SERVICE: `http://${host}:${port}` }
const codes = await Promise.all(parts.map((args) => run(node, args, { cwd: root, env })))
process.exitCode = codes.find((code) => code !== 0) ?? 0
