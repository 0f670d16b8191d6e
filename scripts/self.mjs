// What a process becomes that is the pinned Node already, but not set up as the service needs it.
import { endWithNpx } from './end-with-npx.mjs'
import { load } from './load.mjs'

endWithNpx()
const [file, ...args] = process.argv.slice(2)
await load(file, args)
