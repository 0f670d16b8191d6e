// What Docker would do with a Dockerfile, as far as that goes without Docker: every stage is a folder, in which the
// paths of the image begin. The base image, its users and its libraries are those of this machine.
import { chmodSync, cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, delimiter, dirname, join, relative, sep } from 'node:path'
import { run } from '../run-command.mjs'
import { environmentOf, readCopy, stagesOf, textsOf } from './dockerfile.mjs'
import { isIgnored } from './ignored.mjs'

/**
 * Builds all stages. `places` are their folders by name, that of the last one, which is the image, under ''.
 * @param {{ root: string, instructions: object[], folder: string, node: string }} order root: the repository; folder:
 *   an empty one to build in; node: the Node of the base image
 */
export async function playBuild({ root, instructions, folder, node }) {
  const env = environment(folder, node)
  const known = [...textsOf(instructions, 'WORKDIR'), ...textsOf(instructions, 'VOLUME')]
  const places = new Map()
  for (const [index, stage] of stagesOf(instructions).entries()) {
    const at = join(folder, `stage-${index}`)
    places.set(stage.name, at)
    await playStage(stage.instructions, { at, root, places, env, known })
  }
  return {
    places,
    ...imageOf(stagesOf(instructions).at(-1).instructions, { at: places.get(''), env, known })
  }
}

/** Where and with which variables the command of the image runs. */
function imageOf(instructions, { at, env, known }) {
  const own = Object.entries(environmentOf(instructions))
  const moved = own.map(([name, value]) => [name, movePaths(value, known, at)])
  return {
    cwd: join(at, textsOf(instructions, 'WORKDIR').at(-1)),
    env: { ...env, ...Object.fromEntries(moved) }
  }
}

async function playStage(instructions, { at, root, places, env, known }) {
  let cwd = at
  for (const { name, text } of instructions) {
    if (name === 'WORKDIR') cwd = join(at, text)
    mkdirSync(cwd, { recursive: true })
    if (name === 'COPY') copy(readCopy(text), { root, cwd, places })
    if (name === 'RUN') await runIn(movePaths(text, known, at), cwd, env)
  }
}

/** Files go into the folder that is named last; of folders, what is in them. */
function copy({ from, paths, to }, { root, cwd, places }) {
  const source = from === undefined ? root : places.get(from)
  const ignore = from === undefined ? readFileSync(join(root, '.dockerignore'), 'utf8') : ''
  const isKept = (file) => !isIgnored(ignore, relative(source, file).split(sep).join('/'))
  for (const path of paths) {
    const file = join(source, path)
    if (!isKept(file)) throw new Error(`COPY ${path}: .dockerignore leaves it out.`)
    const target = statSync(file).isDirectory() ? join(cwd, to) : join(cwd, to, basename(file))
    cpSync(file, target, { recursive: true, verbatimSymlinks: true, filter: isKept })
  }
}

async function runIn(script, cwd, env) {
  console.log(`RUN ${script}`)
  const code = await run('sh', ['-c', script], { cwd, env })
  if (code !== 0) throw new Error(`RUN ended with ${code}: ${script}`)
}

/** `/data` in the image is in a folder here. */
function movePaths(text, known, at) {
  const pattern = new RegExp(`(?<![\\w./-])(?:${known.join('|')})(?![\\w.-])`, 'g')
  return text.replaceAll(pattern, (path) => join(at, path))
}

/** Of an npm that runs this, nothing is left; users of the image are not here, so nothing can be given to them. */
function environment(folder, node) {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_(?!config_registry)|INIT_CWD|MILLRACE_)/.test(name)
  )
  const commands = join(folder, 'commands')
  mkdirSync(commands)
  writeFileSync(join(commands, 'chown'), '#!/bin/sh\n')
  chmodSync(join(commands, 'chown'), 0o755)
  const PATH = [commands, dirname(node), process.env.PATH].join(delimiter)
  return { ...Object.fromEntries(kept), PATH }
}
