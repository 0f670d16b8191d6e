import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtInComponents } from '../components/built-in.ts'
import { makeFolder } from '../store/sqlite/file/make-folder.ts'
import { CommandError } from './command-error.ts'
import { fileFault } from './file-fault.ts'
import { waysToMillrace } from './own-package.ts'
import { namesOf, type PluginNames } from './plugin-names.ts'

/** A plugin that works as it stands. What is written is a copy of it, under another name. */
const TEMPLATE = fileURLToPath(new URL('template', import.meta.url))
/** What the files of the template are called in the plugin; npm leaves a .gitignore out of what it packs. */
const FILES: Readonly<Record<string, string>> = {
  'index.js': 'index.js',
  'index.test.js': 'index.test.js',
  'service.test.js': 'service.test.js',
  'package.json': 'package.json',
  'tsconfig.json': 'tsconfig.json',
  gitignore: '.gitignore',
  'README.md': 'README.md'
}

interface PluginOrder {
  readonly plugin: string
  /** The folder to write; the one that is named after the plugin where it is left out. */
  readonly directory: string | undefined
}

/** Writes a plugin into a new folder, and returns what to tell whoever asked for it. */
export async function writePlugin(
  { plugin, directory }: PluginOrder,
  workingFolder: string
): Promise<string> {
  const names = namesOf(plugin)
  refuseBuiltIn(names.type)
  const folder = resolve(workingFolder, directory ?? names.folder)
  await makeEmptyFolder(folder)
  for (const [template, file] of Object.entries(FILES)) {
    const text = await readFile(join(TEMPLATE, template), 'utf8')
    await writeFile(join(folder, file), rename(file, text, { ...names, folder: basename(folder) }))
  }
  await nameMillrace(folder)
  return tidings(names, relativePath(workingFolder, folder))
}

async function nameMillrace(folder: string): Promise<void> {
  const file = join(folder, 'package.json')
  const plugin = JSON.parse(await readFile(file, 'utf8')) as { devDependencies: Record<string, string> }
  const { devDependencies, ...more } = await waysToMillrace(folder)
  const all = { ...plugin.devDependencies, ...devDependencies }
  const written = { ...plugin, devDependencies: all, ...more }
  await writeFile(file, `${JSON.stringify(written, null, 2)}\n`)
}

/** In the plugin's context its component would stand before Millrace's own, and flows there could not use that. */
function refuseBuiltIn(type: string): void {
  if (!builtInComponents.some((component) => component.type === type)) return
  throw new CommandError(
    `Millrace has a component "${type}" itself, which the plugin's would hide. Choose another name, for example my-${type}.`
  )
}

/** As the system would have it, unless the mask of the process denies it. */
const FOR_ALL = 0o777

/** A folder with something in it is somebody's work. A repository that has just been made has nothing but `.git`. */
async function makeEmptyFolder(folder: string): Promise<void> {
  const contents = await contentsOf(folder)
  if (contents.every((name) => name === '.git')) return
  throw new CommandError(
    `There is something in ${folder} already, and it stays as it is. Choose another name, or another folder with --directory.`
  )
}

async function contentsOf(folder: string): Promise<string[]> {
  try {
    makeFolder(folder, FOR_ALL)
    return await readdir(folder)
  } catch (error) {
    throw new CommandError(`The folder ${folder} cannot be made: ${fileFault(error)}.`)
  }
}

function rename(file: string, text: string, names: PluginNames): string {
  const renamed: Record<string, string> = {
    './my-plugin/': `./${names.folder}/`,
    'my-plugin': file === 'package.json' ? names.package : names.type,
    myPlugin: names.identifier,
    'My Plugin': names.title
  }
  return text.replaceAll(/\.\/my-plugin\/|my-plugin|myPlugin|My Plugin/g, (name) => renamed[name]!)
}

function tidings({ package: name, identifier, type }: PluginNames, folder: string): string {
  return `The plugin ${name} is written, with one component, "${type}":

${Object.values(FILES)
  .map((file) => `  ${join(folder, file)}`)
  .join('\n')}

${folder === '.' ? '' : `  cd ${folder}\n`}  npm install
  npm test             tests the component, by itself and in Millrace
  npm run dev          starts Millrace with the plugin, and again whenever a file changes

Its context is /${identifier}: flows there can use the component. README.md says how, and what to change.
To load it elsewhere: MILLRACE_PLUGINS=${folder}/index.js npx millrace
`
}

/** With a leading dot: that is how MILLRACE_PLUGINS knows a file from a package. */
function relativePath(from: string, folder: string): string {
  const path = relative(from, folder)
  if (path === '') return '.'
  return path.startsWith('..') ? folder : `./${path}`
}
