// `npm run check:container`: what Dockerfile, .dockerignore and compose.yaml say exists and works, as far as that can be
// told without Docker. Their tests run, then the image is built in a folder, and its command is started, asked for its
// health, and stopped. It takes minutes and the network, so it is no part of `npm test`; a release needs it.
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled, root } from '../install.mjs'
import { beginCheck } from '../release/tested.mjs'
import { runSteps } from '../steps.mjs'
import { readDockerfile, stagesOf, textsOf } from './dockerfile.mjs'
import { playBuild } from './play.mjs'
import { tryImage } from './try-image.mjs'

const passed = beginCheck(root, 'npm run check:container')
const node = await ensureInstalled()
const dockerfile = readDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'))
await runSteps([{ title: 'Container files', args: ['--test', 'test/container-files.test.ts'] }])
const folder = mkdtempSync(join(tmpdir(), 'millrace-container-'))
try {
  console.log('\n── Image')
  const image = await playBuild({ root, instructions: dockerfile, folder, node })
  await tryImage(dockerfile, image)
  passed({ sha512: hashOfPackage(image) })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function hashOfPackage({ places }) {
  const { name, instructions } = stagesOf(dockerfile)[0]
  const out = join(places.get(name), textsOf(instructions, 'WORKDIR')[0], 'out')
  const file = readdirSync(out).find((path) => path.endsWith('.tgz'))
  return createHash('sha512')
    .update(readFileSync(join(out, file)))
    .digest('hex')
}
