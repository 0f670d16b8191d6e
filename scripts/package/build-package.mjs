// Builds what is published, on the pinned Node: JavaScript with types and source maps, the page as it is served, and no
// tools. Into out/, or another folder that is named.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from '../install.mjs'
import { run } from '../run-command.mjs'
import { bundle, loadedByPath } from './bundle.mjs'
import { publishedPackageJson } from './package-json.mjs'
import { packagesIn } from './read-imports.mjs'
import { writeTypes } from './write-types.mjs'

const out = process.argv[2] ?? join(root, 'out')
const folder = join(out, 'package')
const dist = join(folder, 'dist')
const own = readJson('package.json')

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
await bundle(dist)
await writeTypes(dist, join(out, 'types'))
copyResources()
copyPage()
writeJson('package.json', packageJson())
// For host applications to extend: what is compiled is theirs to say.
writeJson('tsconfig.json', { compilerOptions: readJson('tsconfig.json').compilerOptions })
const code = await run('npm', ['pack', '--silent', '--pack-destination', out], {
  cwd: folder,
  stdio: ['ignore', 'ignore', 'inherit'],
  shell: process.platform === 'win32'
})
if (code === 0) console.log(join(relative(root, out), `millrace-${own.version}.tgz`))
process.exitCode = code

/** What is read or loaded by its path, the template of a plugin, and the command. */
function copyResources() {
  for (const file of [...loadedByPath(), join('cli', 'template')]) copy(join('src', file), join('dist', file))
  for (const file of [
    'LICENSE',
    'README.md',
    'CHANGELOG.md',
    'SECURITY.md',
    ...globSync('docs/*.md', { cwd: root })
  ])
    copy(file, file)
  for (const file of [
    'commands.json',
    'complete.mjs',
    'declared.mjs',
    'end-with-npx.mjs',
    'help.mjs',
    'run-command.mjs',
    'service-process.mjs'
  ])
    copy(join('scripts', file), join('bin', file))
  copy('scripts/package/millrace.mjs', 'bin/millrace.mjs')
}

/** What is there compressed is not there a third time: see page-files.ts. */
function copyPage() {
  const page = join('web', 'dist')
  const files = globSync('**/*', { cwd: join(root, page), withFileTypes: true }).filter((one) => one.isFile())
  const paths = files.map((one) => join(one.parentPath, one.name).slice(root.length))
  for (const path of paths) if (!existsSync(join(root, `${path}.gz`))) copy(path, path)
  copy(join(page, '.vite', 'preloads.json'), join(page, '.vite', 'preloads.json'))
}

function copy(from, to) {
  mkdirSync(dirname(join(folder, to)), { recursive: true })
  cpSync(join(root, from), join(folder, to), { recursive: true })
}

function readJson(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'))
}

function writeJson(file, value) {
  writeFileSync(join(folder, file), `${JSON.stringify(value, null, 2)}\n`)
}

function packageJson() {
  const files = globSync('{dist,bin}/**/*.{js,mjs,d.ts}', { cwd: folder, exclude: ['dist/cli/template/**'] })
  const imported = packagesIn(files.map((file) => join(folder, file)))
  imported.delete(own.name)
  return publishedPackageJson(own, imported)
}
