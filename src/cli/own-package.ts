import { readFile } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }

/** The folder of the package or of the clone that this runs from. */
const OWN_FOLDER = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/** Members of a plugin's package.json that bring it this Millrace. */
export interface WaysToMillrace {
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

/** npm notes where it has each package from. Other package managers do not, and are mostly given names. */
async function isFromRegistry(own: string): Promise<boolean> {
  if (basename(dirname(own)) !== 'node_modules') return false
  const notes = await readFile(join(dirname(own), '.package-lock.json'), 'utf8').catch(() => '{}')
  const { packages = {} } = JSON.parse(notes) as { packages?: Record<string, { resolved?: string }> }
  return packages[`node_modules/${packageJson.name}`]?.resolved?.startsWith('file:') !== true
}
