import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from '../install.mjs'
import { run } from '../run-command.mjs'
import { reachedFrom } from './read-imports.mjs'

/**
 * Only those that the public surface leads to, and with the names that the files beside them would have. Whether they are
 * sound is for `npm run check` to say.
 */
export async function writeTypes(dist, scratch) {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const project = join(root, 'scripts', 'package', 'tsconfig.json')
  const options = ['--singleThreaded', '--project', project, '--outDir', scratch]
  // As in ../steps.mjs: there is hardly any garbage to collect, and to look for it was a quarter of the time.
  const env = { ...process.env, GOGC: 'off' }
  const code = await run(process.execPath, [tsc, ...options], { env })
  if (code !== 0) throw new Error('The types could not be written; the words of tsc are above.')
  const types = join(scratch, 'src')
  for (const file of globSync('**/*.d.ts', { cwd: types })) nameAsPublished(join(types, file))
  for (const file of reachedFrom(join(types, 'millrace.d.ts'))) {
    const target = join(dist, relative(types, file))
    mkdirSync(dirname(target), { recursive: true })
    cpSync(file, target)
  }
  rmSync(scratch, { recursive: true })
}

function nameAsPublished(file) {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/(from\s*|import\()(['"])(\.[^'"]*)\.ts\2/g, '$1$2$3.js$2'))
}
