import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from '../install.mjs'
import { linesOnly } from './line-maps.mjs'
import { publishedPackageJson } from './package-json.mjs'

const src = join(root, 'src')

/** What is imported from outside. The others are named by these. */
const PUBLISHED = { millrace: 'millrace.ts', cli: 'cli/main.ts' }

/** What the service starts by its path. */
const STARTED = {
  'connections/documents/document-process': 'connections/documents/document-process.ts',
  'components/sql/sqlite-process': 'components/sql/sqlite-process.ts',
  'documents/document-process': 'documents/document-process.ts',
  'startup/watchdog/note-hung-step': 'startup/watchdog/note-hung-step.ts'
}

/**
 * Puts our modules together in files, one for what is always loaded and one for each part that is loaded later. As 800
 * files with a map each they would take 8 MB of disk, at 4 KB a file the least; like this they take 3.
 * Packages stay what they are: `npm audit` has to see them, and a host application may share them.
 */
export async function bundle(dist) {
  await write(dist, PUBLISHED, [publishedFacts(), keepPlaces()])
  for (const name of globSync('**/*.map', { cwd: dist })) {
    const file = join(dist, name)
    writeFileSync(file, JSON.stringify(linesOnly(JSON.parse(readFileSync(file, 'utf8')))))
  }
}

/** The service and its command, put together in the same way, in a folder beside src/ and with what this repository is. */
export function bundleService(dist) {
  return write(dist, { main: 'main.ts', cli: 'cli/main.ts' }, [keepPlaces()])
}

async function write(dist, entries, plugins) {
  const input = Object.entries({ ...entries, ...STARTED }).map(([name, file]) => [name, join(src, file)])
  const build = await rolldown({
    cwd: root,
    platform: 'node',
    input: Object.fromEntries(input),
    external: (id) => !/^[./]|^[A-Za-z]:/.test(id) && !isBundled(id),
    plugins
  })
  await build.write({
    dir: dist,
    format: 'es',
    // All side by side: modules find their files from there.
    chunkFileNames: '[name]-[hash].js',
    comments: { legal: true, annotation: false, jsdoc: false },
    sourcemap: true,
    sourcemapExcludeSources: true,
    sourcemapPathTransform: (source, map) => asIfPublished(join(dirname(map), source), map, dist)
  })
}

/** Of its 6.5 MB on a disk, 1,421 files, a tenth of what is installed, the service uses two modules; and it needs no other package. */
const isBundled = (id) => /^typebox(?:\/|$)/.test(id) || id.includes('/node_modules/typebox/')

/** SQL, and threads in JavaScript: below src/. */
export function loadedByPath() {
  return globSync('**/*.{sql,js,cjs}', { cwd: src, exclude: ['cli/template/**'] })
}

/** The sources are not in the package. Their paths are as if they were, at src/, which is where a reader looks for them. */
function asIfPublished(source, map, dist) {
  return relative(dirname(map), join(dirname(dist), relative(root, source))).replaceAll(sep, '/')
}

/** What the service knows of its own package: its name and version, and that it pins no Node. */
function publishedFacts() {
  const file = join(root, 'package.json')
  return {
    name: 'published-facts',
    load(id) {
      if (id !== file) return undefined
      const published = publishedPackageJson(JSON.parse(readFileSync(file, 'utf8')), [])
      return { code: JSON.stringify(published), moduleType: 'json' }
    }
  }
}

/**
 * A module that finds a file beside itself, by `import.meta`, is in another place now; the file is where it was, with
 * dist/ for src/.
 */
function keepPlaces() {
  const moved = new Set()
  return {
    name: 'keep-places',
    transform(code, id) {
      if (!id.startsWith(src + sep) || !PLACE.test(code)) return undefined
      moved.add(id)
      const path = JSON.stringify(`./${relative(src, id).replaceAll(sep, '/').replace(/\.ts$/, '.js')}`)
      return {
        // No line moves, and that of a place has nothing else in it that could fail.
        map: null,
        code: code.replaceAll(PLACES, (_, part) =>
          part === 'url'
            ? `new URL(${path}, import.meta.url).href`
            : `import.meta.dirname + ${JSON.stringify(`/${dirname(relative(src, id)).replaceAll(sep, '/')}`)}`
        )
      }
    },
    generateBundle(_, files) {
      for (const { fileName, moduleIds = [] } of Object.values(files)) {
        const lost = fileName.includes('/') ? moduleIds.find((id) => moved.has(id)) : undefined
        if (lost !== undefined)
          throw new Error(`${lost} is in ${fileName}, where it does not find its files.`)
      }
    }
  }
}

// Packages are found from everywhere in dist/.
const PLACES = /(?<!createRequire\()\bimport\.meta\.(url|dirname)\b/g
const PLACE = new RegExp(PLACES.source)
