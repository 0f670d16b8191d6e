// `npm run package`: leaves out/millrace-<version>.tgz. How it is made is in docs/decisions/039-package.md.
import { fileURLToPath } from 'node:url'
import { ensurePage } from '../build-page.mjs'
import { ensureInstalled } from '../install.mjs'
import { run } from '../run-command.mjs'

const node = await ensureInstalled()
process.exitCode = (await ensurePage())
  ? await run(node, [fileURLToPath(new URL('build-package.mjs', import.meta.url))])
  : 1
