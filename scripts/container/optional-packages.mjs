// Prints what the package that was built does not bring along, as npm takes it: libraries for language models, and the
// Fastify that everything is tested with, rather than the newest one.
import { readFileSync } from 'node:fs'

const { peerDependencies } = read('../../out/package/package.json')
const { dependencies } = read('../../package.json')
console.log(
  Object.entries({ ...peerDependencies, fastify: dependencies.fastify })
    .map((entry) => entry.join('@'))
    .join(' ')
)

function read(path) {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
}
