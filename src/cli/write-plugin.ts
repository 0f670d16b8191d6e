import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtInComponents } from '../components/built-in.ts'
import { messageOf } from '../errors.ts'
import { namesOf, type PluginNames } from './plugin-names.ts'
import { CommandError } from './read-command.ts'

/** A plugin that works as it stands. What is written is a copy of it, under another name. */
const TEMPLATE = fileURLToPath(new URL('template', import.meta.url))
const FILES = ['package.json', 'index.js', 'index.test.js', 'README.md']

export interface PluginOrder {
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
  await makeFolder(folder)
  for (const file of FILES) {
    const text = await readFile(join(TEMPLATE, file), 'utf8')
    await writeFile(join(folder, file), rename(file, text, { ...names, folder: basename(folder) }))
  }
  return tidings(names, relativePath(workingFolder, folder))
}

/** In the plugin's context its component would stand before Millrace's own, and flows there could not use that. */
function refuseBuiltIn(type: string): void {
  if (!builtInComponents.some((component) => component.type === type)) return
  throw new CommandError(
    `Millrace has a component "${type}" itself, which the plugin's would hide. Choose another name, for example my-${type}.`
  )
}

/** Not recursive for the last one: a folder that is there already is somebody's work. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(dirname(folder), { recursive: true })
    await mkdir(folder)
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST'
    throw new CommandError(
      isThere
        ? `There is something at ${folder} already, and it stays as it is. Choose another name, or another folder with --directory.`
        : `The folder cannot be made: ${messageOf(error)}.`
    )
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

${FILES.map((file) => `  ${join(folder, file)}`).join('\n')}

Test it:   cd ${folder} && npm test
Load it:   MILLRACE_PLUGINS=${folder}/index.js npm start
           (npx millrace instead of npm start, where Millrace is a dependency)

Its context is /${identifier}: flows there can use the component. Its README.md has the commands, and what to change.
`
}

/** With a leading dot: that is how MILLRACE_PLUGINS knows a file from a package. */
function relativePath(from: string, folder: string): string {
  const path = relative(from, folder)
  return path.startsWith('..') ? folder : `./${path}`
}
