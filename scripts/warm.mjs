import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { pinnedNode, root } from './install.mjs'
import { compile, compileCache, sources, strippedSources } from './load.mjs'
import { run } from './run-command.mjs'
import { serviceProcess } from './run-on-pinned-node.mjs'
import { writeStripped } from './stripped-sources.mjs'

const thisFile = fileURLToPath(import.meta.url)

/**
 * Fills the compile cache where sources have come or changed, in a process of its own. What strips the types is 23 MB
 * of WebAssembly, and a process that has needed it once keeps it for as long as it lives. It is for processes with the
 * same flags, those of the service if none are given: V8 takes nothing that was compiled with others.
 */
export async function warmCompileCache(start = run, flags = serviceProcess.flags) {
  const stampFile = stampOf(flags)
  if (!isWarm(stampFile) && canBeWritten(compileCache))
    await start(pinnedNode(), [...flags, thisFile, stampFile])
}

function stampOf(flags) {
  const hash = createHash('sha256').update(flags.join(' ')).digest('hex')
  return join(compileCache, `warmed-${hash.slice(0, 8)}.json`)
}

/** Whoever installs, updates or checks out replaces files, which changes the time of their folder: 40 looks, not 600. */
function isWarm(stampFile) {
  if (!existsSync(stampFile)) return false
  const folders = Object.entries(JSON.parse(readFileSync(stampFile, 'utf8')))
  return folders.every(([folder, seconds]) => changedAt(folder) === seconds)
}

/** Where it cannot, as in a container, nothing that is compiled would be kept: every start would do it again. */
function canBeWritten(folder) {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** In whole seconds, which is all that layers of container images keep. */
function changedAt(folder) {
  const facts = statSync(join(root, folder), { throwIfNoEntry: false })
  return facts && Math.floor(facts.mtimeMs / 1000)
}

async function warm(stampFile) {
  const entries = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  const inRoot = ({ parentPath, name }) => join(parentPath, name).slice(root.length)
  const folders = ['src', ...entries.filter((entry) => entry.isDirectory()).map(inRoot)]
  const stamp = Object.fromEntries(folders.map((folder) => [folder, changedAt(folder)]))
  // What every start runs, with the packages that it uses.
  await compile('src/main.ts')
  await compile('src/runtime.ts')
  await import('pino')
  // What is loaded when it is first needed.
  const files = entries.map(inRoot).filter((path) => /(?<!\.d|\.test|\.test-kit)\.ts$/.test(path))
  await compileUnrun(files)
  if (stampFile === stampOf(serviceProcess.flags)) {
    // Node calls its function that takes types out an experiment; the pinned Node has it.
    process.removeAllListeners('warning')
    const paths = files.map((path) => path.slice('src/'.length).replaceAll('\\', '/'))
    writeStripped(strippedSources, sources, paths)
  }
  writeFileSync(stampFile, JSON.stringify(stamp))
}

/** Modules are compiled all before the first one runs: that one throws. */
export async function compileUnrun(files) {
  const addresses = files.map((file) => pathToFileURL(join(root, file)).href)
  const modules = ['data:text/javascript,throw null', ...addresses]
  const all = modules.map((address) => `import ${JSON.stringify(address)}`).join('\n')
  await import(`data:text/javascript,${encodeURIComponent(all)}`).catch((error) => {
    if (error !== null) throw error
  })
}

if (process.argv[1] === thisFile) await warm(process.argv[2])
