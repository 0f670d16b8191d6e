// Builds what is published: out/millrace-<version>.tgz. JavaScript with types and source maps, the page as it is served,
// and no tools.
import { cpSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { ensurePage } from '../build-page.mjs'
import { ensureInstalled, root } from '../install.mjs'
import { run } from '../run-command.mjs'
import { publishedPackageJson } from './package-json.mjs'
import { packagesIn, reachedFrom } from './read-imports.mjs'

const out = join(root, 'out')
const folder = join(out, 'package')
const dist = join(folder, 'dist')
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

await ensureInstalled()
if (!(await ensurePage())) process.exit(1)
rmSync(out, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
await compile()
copyResources()
publishTypes()
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageJson(), null, 2)}\n`)
await command('npm', ['pack', '--silent', '--pack-destination', out], folder)
console.log(`out/millrace-${own.version}.tgz`)

/** Besides src/, package.json is read by it: it lands where it will be. */
async function compile() {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  await command(process.execPath, [tsc, '--project', join(root, 'scripts', 'package', 'tsconfig.json')], root)
  renameSync(join(folder, 'src'), dist)
}

/** What is not compiled: SQL, files of JavaScript, the template of a plugin, the page, and the command. */
function copyResources() {
  const files = globSync('**/*.{sql,js,json,md}', { cwd: join(root, 'src'), exclude: ['cli/template/**'] })
  for (const file of files.filter((name) => !isTestCase(name))) copy(join('src', file), join('dist', file))
  copy('src/cli/template', 'dist/cli/template')
  copy('web/dist', 'web/dist', (path) => !/[\\/]\.vite(?:[\\/]|$)/.test(relative(root, path)))
  for (const file of ['LICENSE', 'README.md', 'CHANGELOG.md']) copy(file, file)
  for (const file of ['run-command.mjs', 'service-process.mjs'])
    copy(join('scripts', file), join('bin', file))
  copy('scripts/package/millrace.mjs', 'bin/millrace.mjs')
}

function isTestCase(file) {
  return /-cases\.json$|\.test\.js$/.test(file)
}

function copy(from, to, filter = () => true) {
  mkdirSync(dirname(join(folder, to)), { recursive: true })
  cpSync(join(root, from), join(folder, to), { recursive: true, filter })
}

/** Only those that the public surface leads to, and with the names that the files beside them have. */
function publishTypes() {
  const types = globSync('**/*.d.ts', { cwd: dist }).map((file) => join(dist, file))
  for (const file of types) {
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace(/(from\s*|import\()(['"])(\.[^'"]*)\.ts\2/g, '$1$2$3.js$2'))
  }
  const published = reachedFrom(join(dist, 'millrace.d.ts'))
  for (const file of types) if (!published.has(file)) rmSync(file)
}

function packageJson() {
  const files = globSync('{dist,bin}/**/*.{js,mjs,d.ts}', { cwd: folder, exclude: ['dist/cli/template/**'] })
  const imported = packagesIn(files.map((file) => join(folder, file)))
  imported.delete(own.name)
  return publishedPackageJson(own, imported)
}

async function command(program, args, cwd) {
  const code = await run(program, args, { cwd })
  if (code !== 0) process.exit(code)
}
