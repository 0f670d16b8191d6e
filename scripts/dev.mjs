import { ensureInstalled, root } from './install.mjs'
import { run } from './run-command.mjs'

const node = await ensureInstalled()

// One entry per process that stays up while developing. None ends by itself: after a crash the watcher waits
// for the next change.
const parts = [['--watch', '--watch-preserve-output', 'src/main.ts']]

const codes = await Promise.all(parts.map((args) => run(node, args, { cwd: root })))
process.exitCode = codes.find((code) => code !== 0) ?? 0
