// `npm run check:container`: what Dockerfile, .dockerignore and compose.yaml say exists and works, as far as that can be
// told without Docker. Their tests run, then the image is built in a folder, and its command is started, asked for its
// health, and stopped. It takes minutes and the network, so it is no part of `npm test`; a release needs it.
import { createHash } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled, root } from '../install.mjs'
import { beginCheck } from '../release/tested.mjs'
import { runSteps } from '../steps.mjs'
import { readDockerfile } from './dockerfile.mjs'
import { playBuild } from './play.mjs'
import { tryImage } from './try-image.mjs'

const passed = beginCheck(root, 'npm run check:container')
const node = await ensureInstalled()
await runSteps([{ title: 'Container files', args: ['--test', 'test/container-files.test.ts'] }])
const folder = mkdtempSync(join(tmpdir(), 'millrace-container-'))
try {
  console.log('\n── Image')
  const instructions = readDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'))
  const image = await playBuild({ root, instructions, folder, node })
  await tryImage(instructions, image)
  passed({ sha512: hashOfPackage(folder) })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function hashOfPackage(folder) {
  const [file] = globSync(join(folder, '*/*/out/*.tgz'))
  return createHash('sha512').update(readFileSync(file)).digest('hex')
}
