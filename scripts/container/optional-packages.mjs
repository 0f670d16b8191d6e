// Prints what the package that was built can use and does not need, as npm takes it.
import { readFileSync } from 'node:fs'

const built = new URL('../../out/package/package.json', import.meta.url)
const { peerDependencies } = JSON.parse(readFileSync(built, 'utf8'))
console.log(
  Object.entries(peerDependencies)
    .map((entry) => entry.join('@'))
    .join(' ')
)
