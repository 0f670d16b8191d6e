// Makes `npm start` and `npm test` the only command a fresh clone needs. Everything in scripts/ is plain
// JavaScript without dependencies: it has to run on whatever Node is on the machine, before the pinned
// Node and node_modules exist.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './run-command.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const pinnedVersion = readJson('package.json').dependencies.node

const thisFile = fileURLToPath(import.meta.url)
const stampFile = join(root, 'node_modules', '.millrace-installed')
// Where the Node binary goes when npm does not run install scripts. Inside node_modules, so that deleting
// node_modules deletes it; with a dot, so that `npm install` does not prune it.
const scriptlessFolder = join(root, 'node_modules', '.pinned-node')

/**
 * Installs what the lockfile asks for and node_modules lacks, and returns the path of the pinned Node.
 * Costs a few milliseconds when there is nothing to do.
 * @param {{ tools?: boolean }} needs tools: false is content without the devDependencies, so that an image
 *   built with `npm ci --omit=dev` starts as it is, without a network.
 */
export async function ensureInstalled({ tools = true } = {}) {
  if (isStamped()) return pinnedNode()
  const stamp = installStamp()
  if (isInstalledByHand({ tools }) && answersItsVersion(pinnedNode())) {
    if (isInstalledByHand({ tools: true })) writeStamp(stamp)
    return pinnedNode()
  }
  await install()
  writeStamp(stamp)
  return pinnedNode()
}

/** The same, where others go on meanwhile and the time of each is told. Returns the code of the process that installs. */
export async function installInProcess(start = run) {
  return isStamped() ? 0 : start(process.execPath, [thisFile])
}

function isStamped() {
  return readText(stampFile) === installStamp() && pinnedNode() !== undefined
}

/** The pinned Node's path, or undefined when it is not installed. */
export function pinnedNode() {
  // A machine that runs exactly the pinned version needs no second copy (and musl has no other choice).
  const here = process.versions.node === pinnedVersion ? [process.execPath] : []
  return [...here, ...pinnedNodePlaces()].find((path) => existsSync(path))
}

// The package `node` holds no binary. Its preinstall script installs a package per platform below itself and
// hard-links the binary to node/bin. A later `npm install` prunes that platform package, the link stays.
function pinnedNodePlaces() {
  const binary = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  return [
    join(root, 'node_modules/node', binary),
    join(root, 'node_modules/node/node_modules', nodePackage(), binary),
    join(root, 'node_modules', nodePackage(), binary),
    join(scriptlessFolder, 'node_modules', nodePackage(), binary)
  ]
}

/** What holds the Node of this machine's kind. */
export function nodePackage() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const prefix = platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  return `${prefix}-${platform}-${process.arch}`
}

function installStamp() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  return hash.update(`${process.platform} ${process.arch}`).digest('hex')
}

function writeStamp(stamp) {
  try {
    writeFileSync(stampFile, stamp)
  } catch {
    // A read-only file system: the next start compares the lockfiles again, which is slower but right.
  }
}

// npm keeps a list of what it put into node_modules. It tells whether somebody has run `npm ci` or
// `npm install` already, so that we do not install twice or pull node_modules from under a running service.
function isInstalledByHand({ tools }) {
  const wanted = Object.entries(readJson('package-lock.json').packages)
  const present = readJson('node_modules/.package-lock.json')?.packages ?? {}
  return wanted.every(([path, entry]) => {
    const isTool = entry.dev || entry.devOptional
    if (path === '' || entry.optional || (isTool && !tools)) return true
    return present[path]?.version === entry.version
  })
}

// Also catches a node_modules that came from another platform, as with a folder mounted into a container.
function answersItsVersion(path) {
  try {
    return (
      execFileSync(path, ['--version'], { encoding: 'utf8', stdio: 'pipe' }).trim() === `v${pinnedVersion}`
    )
  } catch {
    return false
  }
}

async function install() {
  const isFirst = !existsSync(join(root, 'node_modules'))
  const finished = showProgress(
    isFirst
      ? 'Installing dependencies (first start, a minute or two)…'
      : 'Installing dependencies (node_modules does not match the lockfile)…'
  )
  const result = await installPackages()
  if (result.code === 0 && !pinnedNode()) await installNodeWithoutScripts()
  finished(result.code === 0)
  if (result.code !== 0) giveUp(result)
  if (!answersItsVersion(pinnedNode())) giveUpOnNode()
}

// --include=dev because NODE_ENV=production would leave out what the tests and the page's build need.
const quiet = ['--include=dev', '--no-audit', '--no-fund', '--no-progress']

async function installPackages() {
  const result = await npm(['ci', ...quiet])
  // A registry mirror may lack some platforms' optional packages; a lockfile written there does not list them
  // and `npm ci` refuses it. `npm install` takes the same locked versions and skips what this platform has no
  // use for. Only then: a lockfile that disagrees with package.json must stay an error.
  if (result.code !== 0 && result.output.includes('EUSAGE') && lockfileMatchesPackageJson()) {
    return npm(['install', '--no-save', ...quiet])
  }
  return result
}

function lockfileMatchesPackageJson() {
  const locked = readJson('package-lock.json').packages['']
  const declared = readJson('package.json')
  const groups = ['dependencies', 'devDependencies', 'optionalDependencies']
  return groups.every((group) => sortedEntries(locked[group]) === sortedEntries(declared[group]))
}

function sortedEntries(group = {}) {
  return JSON.stringify(Object.entries(group).sort())
}

// With `ignore-scripts` set, the package `node` never fetches its binary. The platform's package is only an
// archive with no script of its own, so fetching it directly honours the setting.
async function installNodeWithoutScripts() {
  mkdirSync(scriptlessFolder, { recursive: true })
  const wanted = `${nodePackage()}@${pinnedVersion}`
  await npm(['install', '--prefix', scriptlessFolder, '--no-save', '--no-package-lock', ...quiet, wanted])
}

// npm's output is kept back: under an older Node it warns about packages that only the pinned Node will run,
// which would alarm for nothing. It is shown in full when the install fails.
async function npm(args) {
  const [command, first] = npmCommand()
  const chunks = []
  const code = await run(command, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32' && first.length === 0,
    onOutput: (chunk) => chunks.push(chunk)
  })
  return { code, output: Buffer.concat(chunks).toString() }
}

function npmCommand() {
  const cli = process.env.npm_execpath
  if (!cli || !/npm-cli\.[cm]?js$/.test(cli)) return ['npm', []]
  // Our own Node may be the pinned one, which lives in the very folder that `npm ci` deletes first;
  // npm_node_execpath is the Node that runs npm.
  const node = process.env.npm_node_execpath
  return [node && existsSync(node) ? node : process.execPath, [cli]]
}

function showProgress(text) {
  const { stderr } = process
  const begun = Date.now()
  const seconds = () => `${Math.round((Date.now() - begun) / 1000)} s`
  stderr.write(stderr.isTTY ? text : `${text}\n`)
  const timer = stderr.isTTY ? setInterval(() => stderr.write(`\r${text} ${seconds()}`), 1000) : undefined
  return (succeeded) => {
    clearInterval(timer)
    if (stderr.isTTY) stderr.write('\r\u001b[K')
    if (succeeded) stderr.write(`Dependencies installed in ${seconds()}.\n`)
  }
}

function giveUp({ code, output }) {
  // Stopped by a signal (Ctrl-C): the person knows why.
  if (code > 128) process.exit(code)
  console.error(output.trimEnd())
  console.error(
    `\nMillrace could not install its dependencies: npm ended with code ${code}, its words are above.`
  )
  console.error('Remedy: check the network (or the proxy and registry settings of npm) and start again.')
  console.error('If npm says that package.json and the lockfile disagree, run `npm install` once.')
  process.exit(1)
}

function giveUpOnNode() {
  const found = pinnedNode()
  const what = found ? `the one at ${found} does not run here` : `${nodePackage()} could not be installed`
  console.error(`Millrace runs on Node ${pinnedVersion}, and ${what}.`)
  console.error(
    `Remedy: put Node ${pinnedVersion} itself on the PATH (it is then used as it is), or, if your npm`
  )
  console.error(
    'settings hold `ignore-scripts=true`, run `npm ci --ignore-scripts=false` once, and start again.'
  )
  process.exit(1)
}

function readJson(path) {
  const text = readText(join(root, path))
  return text === undefined ? undefined : JSON.parse(text)
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

if (process.argv[1] === thisFile) await ensureInstalled()
