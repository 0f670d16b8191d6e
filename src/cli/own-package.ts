import { readFile } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }

/** The folder of the package or of the clone that this runs from. */
const OWN_FOLDER = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/** Members of a plugin's package.json that bring it this Millrace. */
interface WaysToMillrace {
  readonly devDependencies: Readonly<Record<string, string>>
  readonly allowScripts?: Readonly<Record<string, boolean>>
}

/**
 * What a package.json in this folder writes to get the Millrace that is running: its version where npm has it from a
 * registry, else a link. A clone runs on the Node that it pins alone, so the plugin gets that as well: npm then finds it
 * before the machine's own.
 */
export async function waysToMillrace(folder: string, own = OWN_FOLDER): Promise<WaysToMillrace> {
  if (await isFromRegistry(own)) return { devDependencies: { millrace: `^${packageJson.version}` } }
  const link = `file:${relative(folder, own).split(sep).join('/')}`
  // The published package.json has no such dependency.
  const pinnedNode: string | undefined = packageJson.dependencies.node
  if (pinnedNode === undefined) return { devDependencies: { millrace: link } }
  return { devDependencies: { millrace: link, node: pinnedNode }, allowScripts: { node: true } }
}

/** What a range of versions never begins with: the address or the path of a file or folder. */
const PLACE = /^(?:(?!npm:)[a-z+]+:|\.{0,2}\/|~\/)/i

async function isFromRegistry(own: string): Promise<boolean> {
  if (basename(dirname(own)) !== 'node_modules') return false
  const from = (await notedByNpm(own)) ?? (await namedByProject(own))
  return from === undefined || !PLACE.test(from) || /^https?:/.test(from)
}

/** npm notes where it has each package from; registries may be left out. */
async function notedByNpm(own: string): Promise<string | undefined> {
  const notes = await readJson<{ packages: Record<string, { resolved?: string }> }>(
    join(dirname(own), '.package-lock.json')
  )
  return notes?.packages[`node_modules/${packageJson.name}`]?.resolved
}

/** What the package.json of the project writes: the first one above that names Millrace. */
async function namedByProject(own: string): Promise<string | undefined> {
  for (let folder = dirname(own); folder !== dirname(folder); folder = dirname(folder)) {
    const project = await readJson<Partial<Record<Group, Record<string, string>>>>(
      join(folder, 'package.json')
    )
    const named = GROUPS.map((group) => project?.[group]?.[packageJson.name]).find(Boolean)
    if (named !== undefined) return named
  }
  return undefined
}

const GROUPS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
type Group = (typeof GROUPS)[number]

async function readJson<Shape>(file: string): Promise<Shape | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as Shape)
}
