// Builds the page when a file that went into it has changed. Plain JavaScript without dependencies, as all in
// scripts/: it runs on whatever Node is there.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { pinnedNode, root } from './install.mjs'
import { run } from './run-command.mjs'

const dist = join(root, 'web', 'dist')
const inputsFile = '.vite/inputs.json'
const hashFile = '.vite/built-from.json'
// Besides the modules that the build itself writes down.
const always = ['package-lock.json', 'web/index.html', 'web/vite.config.ts', 'scripts/build-page.mjs']
const folders = ['web/public', 'web/build']

/**
 * Makes web/dist what the sources say; false where that failed, after saying why. Costs a few milliseconds when it is
 * that already.
 */
export async function ensurePage(start = run) {
  if (isFresh()) return true
  const begun = Date.now()
  process.stderr.write('Building the page…\n')
  // Built beside the old one and put in its place at once: a service that is running serves one or the other.
  const fresh = `${dist}-${process.pid}`
  const old = `${fresh}-old`
  try {
    await build(fresh, start)
    noteInputs(fresh, begun)
    if (existsSync(dist)) renameSync(dist, old)
    renameSync(fresh, dist)
  } catch (error) {
    console.error(`The page could not be built: ${error.message}`)
    console.error('Remedy: fix what is named above, or run `npm ci` once if a package is missing.')
    return false
  } finally {
    for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true })
  }
  process.stderr.write(`The page was built in ${((Date.now() - begun) / 1000).toFixed(1)} s.\n`)
  return true
}

function isFresh() {
  if (!existsSync(join(dist, 'index.html')) || !existsSync(join(dist, hashFile))) return false
  const inputs = JSON.parse(readFileSync(join(dist, inputsFile), 'utf8'))
  const { looks, hash } = JSON.parse(readFileSync(join(dist, hashFile), 'utf8'))
  // To look at some hundred files takes 5 ms, to read them all 30. A clone or a checkout changes how they look only.
  if (looks === undefined) return false
  if (looksOf(inputs) === looks) return true
  if (hashOf(inputs) !== hash) return false
  try {
    noteInputs(dist, Number.POSITIVE_INFINITY)
  } catch {
    // A disk that is read-only: the next start reads the files again, which is slower but right.
  }
  return true
}

/** What changed after the build had begun may have been read before: then nothing is noted, and the next start builds. */
function noteInputs(folder, begun) {
  const inputs = JSON.parse(readFileSync(join(folder, inputsFile), 'utf8'))
  const isSettled = inputs.every((path) => statSync(join(root, path)).mtimeMs < begun)
  const noted = isSettled ? { looks: looksOf(inputs), hash: hashOf(inputs) } : {}
  writeFileSync(join(folder, hashFile), JSON.stringify(noted))
}

/** Undefined when one of the files is gone, as for the next one. */
function looksOf(inputs) {
  return digest(inputs, (file) => {
    const facts = statSync(file, { throwIfNoEntry: false })
    return facts && `${facts.size} ${facts.mtimeMs}`
  })
}

function hashOf(inputs) {
  return digest(inputs, (file) => (existsSync(file) ? readFileSync(file) : undefined))
}

function digest(inputs, look) {
  const listed = folders.flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)
  )
  const hash = createHash('sha256')
  for (const path of [...always, ...listed, ...inputs]) {
    const seen = look(`${root}/${path}`)
    if (seen === undefined) return undefined
    hash.update(path).update(seen)
  }
  return hash.digest('hex')
}

async function build(folder, start) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const chunks = []
  const code = await start(
    pinnedNode(),
    [vite, 'build', '--config', 'web/vite.config.ts', '--outDir', folder],
    {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
      onOutput: (chunk) => chunks.push(chunk)
    }
  )
  // Stopped by a signal (Ctrl-C): the person knows why.
  if (code > 128) process.exit(code)
  if (code === 0) return
  console.error(stripVTControlCharacters(Buffer.concat(chunks).toString()).trimEnd())
  throw new Error(`Vite ended with code ${code}, its words are above.`)
}

if (process.argv[1] === fileURLToPath(import.meta.url) && !(await ensurePage())) process.exitCode = 1
