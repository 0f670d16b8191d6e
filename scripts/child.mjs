// The pinned Node's side of run-on-pinned-node.mjs.
import { load } from './load.mjs'

// A launcher that was killed cannot forward a signal; without this, the service would live on, unseen,
// and hold the port.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel.unref()

const [file, ...args] = process.argv.slice(2)
await load(file, args)
