// `timed-part.mjs <title> <command> <arguments>`: runs a command as a part of `npm test`. In a process of its own, because
// parts run side by side, and Linux counts together what all children of a process take.
import { noteThisProcess } from './part-times.mjs'
import { run } from './run-command.mjs'

const [title, command, ...args] = process.argv.slice(2)
noteThisProcess(title)
process.exitCode = await run(command, args)
