import { type Breach, breachesOfImports, targetOf } from './breaches.ts'
import { type Import, linesMatching, type SourceFile } from './read-imports.ts'

/** The rules of the house (see CONTRIBUTING.md), each a function from the files of src/ to what breaks it. */

const LONGEST_FILE = 300

// What a pure room may import besides packages and errors.ts.
const PURE_ROOMS: Record<string, string[]> = {
  contexts: ['contexts', 'flows'],
  flows: ['flows', 'contexts'],
  engine: ['engine', 'flows', 'contexts'],
  import: ['import', 'flows', 'contexts'],
  'flow-files': ['flow-files', 'flows', 'contexts']
}
const PURE_PACKAGES = ['typebox']
/** What one pure room alone is built on: it is as pure. */
const OWN_PACKAGES: Readonly<Record<string, string>> = { 'flow-files': 'yaml' }

const IMPURE_CODE: [name: string, pattern: RegExp, remedy: string][] = [
  ['Date.now()', /\bDate\.now\(/, 'take the time as an argument or from the effects'],
  ['new Date()', /\bnew Date(?:\(\s*\)|(?!\s*\(|\w))/, 'take the time as an argument or from the effects'],
  ['performance.now()', /\bperformance\.now\(/, 'take the time as an argument or from the effects'],
  ['Math.random()', /\bMath\.random\(/, 'take the random value or the id as an argument'],
  ['a timer', /(?<![\w$.])set(?:Timeout|Interval|Immediate)\(/, 'ask the effects to wait'],
  ['fetch()', /(?<![\w$.])fetch\(/, 'ask the effects to reach outside'],
  ['process', /(?<![\w$.])process\./, 'take what is needed as an argument']
]

// Outermost first; rooms of one line are neighbours. An import goes down this list or stays on its line.
const FLOORS = [
  ['main', 'cli', 'simulation'],
  ['runtime', 'millrace'],
  ['service', 'startup'],
  ['http'],
  ['triggers', 'assistant'],
  ['runs'],
  ['library', 'keys', 'connections', 'files', 'knowledge'],
  ['egress', 'documents'],
  ['sandbox'],
  ['components'],
  ['plugin-api'],
  ['engine', 'import', 'flow-files'],
  ['flows', 'contexts']
]

const COMPONENT_LIST = 'src/components/built-in.ts'
// What a component in a folder of its own is built on, besides what all see. It is loaded when a step first needs it.
const COMPONENT_PACKAGES: Record<string, string[]> = {
  'language-model': [
    '@ai-sdk/openai',
    '@ai-sdk/anthropic',
    '@ai-sdk/google',
    '@ai-sdk/openai-compatible',
    'node:module',
    'node:path',
    'node:url'
  ],
  schedule: ['croner', 'node:module'],
  code: ['node:module'],
  http: ['node:buffer', 'node:crypto'],
  mcp: ['node:crypto'],
  'send-email': ['nodemailer/lib/smtp-connection', 'nodemailer/lib/mail-composer'],
  data: ['node:crypto', 'node:module', 'css-what'],
  expression: ['@marcbachmann/cel-js', 'node:module'],
  schema: ['re2js', 'node:module'],
  sql: [
    'pg',
    'mysql2',
    'node:sqlite',
    'node:worker_threads',
    'node:child_process',
    'node:events',
    'node:path',
    'node:url'
  ]
}
/** Folders with what several components share that needs a package, and so cannot be in plugin-api.ts: the page reads that. */
const SHARED_BY_COMPONENTS = ['expression', 'schema']
const STORE_FREE_FILES = ['src/errors.ts', 'src/flows/json/exact-json.ts']
// A driver belongs to the one store that is built on it.
const STORE_DRIVERS: Record<string, string[]> = { 'src/store/postgres/': ['pg', 'pg-boss'] }

/** Types count: two files that need each other's types are as hard to read apart as two that call each other. */
export function importCycles(files: SourceFile[]): Breach[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const finished = new Set<string>()
  const breaches: Breach[] = []

  const visit = (file: SourceFile, way: SourceFile[]) => {
    if (finished.has(file.path)) return
    for (const { next, line } of neighbours(file, byPath)) {
      const start = [...way, file].indexOf(next)
      if (start === -1) visit(next, [...way, file])
      else breaches.push(cycleBreach([...way, file].slice(start), line))
    }
    finished.add(file.path)
  }

  for (const file of files) visit(file, [])
  return breaches
}

function neighbours(file: SourceFile, byPath: Map<string, SourceFile>) {
  return file.imports.flatMap((imported) => {
    const next = byPath.get(targetOf(file, imported) ?? '')
    return next === undefined ? [] : [{ next, line: imported.line }]
  })
}

function cycleBreach(cycle: SourceFile[], line: number): Breach {
  const way = [...cycle, cycle[0]!].map(({ path }) => path).join(' → ')
  return {
    file: cycle.at(-1)!.path,
    line,
    rule: `closes an import cycle: ${way}`,
    remedy: 'move what both need into a file of its own, or pass it in as an argument'
  }
}

export function impureImports(files: SourceFile[]): Breach[] {
  return breachesOfImports(files, (file, imported, target) => {
    const room = roomOf(file.path)
    const mayImport = PURE_ROOMS[room]
    if (mayImport === undefined || isPureImport(mayImport, imported, target)) return undefined
    if (imported.specifier === OWN_PACKAGES[room]) return undefined
    return {
      rule: `is in ${room}/, a pure room, and imports '${imported.specifier}'`,
      remedy: `${room}/ may import ${mayImport.join(', ')}, errors.ts, types of plugin-api.ts and ${PURE_PACKAGES.join(', ')}; let the caller pass in the rest`
    }
  })
}

function isPureImport(rooms: string[], imported: Import, target: string | undefined): boolean {
  if (target === undefined) return PURE_PACKAGES.includes(imported.specifier.split('/')[0]!)
  if (target === 'src/plugin-api.ts') return imported.typeOnly
  return target === 'src/errors.ts' || rooms.includes(roomOf(target))
}

export function impureCode(files: SourceFile[]): Breach[] {
  const pure = files.filter((file) => roomOf(file.path) in PURE_ROOMS)
  return pure.flatMap((file) =>
    IMPURE_CODE.flatMap(([name, pattern, remedy]) =>
      linesMatching(file.code, pattern).map((line) => {
        return {
          file: file.path,
          line,
          rule: `is in ${roomOf(file.path)}/, a pure room, and uses ${name}`,
          remedy
        }
      })
    )
  )
}

export function componentsBeyondPluginApi(files: SourceFile[]): Breach[] {
  return breachesOfImports(files, (file, imported, target) => {
    if (roomOf(file.path) !== 'components') return undefined
    const isListed = file.path === COMPONENT_LIST && target !== undefined && roomOf(target) === 'components'
    const isOwnFolder = target !== undefined && componentFolder(file.path) === componentFolder(target)
    const isShared = target !== undefined && SHARED_BY_COMPONENTS.includes(componentFolder(target))
    if (target === 'src/plugin-api.ts' || isListed || isOwnFolder || isShared) return undefined
    const packages = COMPONENT_PACKAGES[componentFolder(file.path)] ?? []
    if (target === undefined && packages.some((name) => name === imported.specifier)) return undefined
    // What a connection hands out is one; only the guard makes it.
    if (imported.specifier === 'node:net' && imported.typeOnly) return undefined
    return {
      rule: `is a component and imports '${imported.specifier}'`,
      remedy: `a component sees plugin-api.ts only, and src/components/${SHARED_BY_COMPONENTS.join(', ')}; what every component needs is exported there`
    }
  })
}

// 'src/components/http-request/send.ts' → 'http-request'; a component in one file has no folder to share.
function componentFolder(path: string): string {
  const [, room, folder, file] = path.split('/')
  return room === 'components' && file !== undefined ? folder! : path
}

export function arrowsAgainstTheStream(files: SourceFile[]): Breach[] {
  return breachesOfImports(files, (file, imported, target) => {
    const from = floorOf(file.path)
    const to = target === undefined ? -1 : floorOf(target)
    if (from === -1 || to === -1 || to >= from) return undefined
    return {
      rule: `is in ${roomOf(file.path)} and imports '${imported.specifier}', which lies further out`,
      remedy: `arrows point one way (${FLOORS.map((rooms) => rooms.join(' | ')).join(' → ')}): let the outer room pass it in`
    }
  })
}

export function storeBeyondItsInterface(files: SourceFile[]): Breach[] {
  return breachesOfImports(files, (file, imported, target) => {
    if (roomOf(file.path) !== 'store' || imported.typeOnly) return undefined
    if (target === undefined && isDriver(file.path, imported.specifier)) return undefined
    if (target !== undefined && (roomOf(target) === 'store' || STORE_FREE_FILES.includes(target)))
      return undefined
    return {
      rule: `is in store/ and imports the value of '${imported.specifier}'`,
      remedy:
        'a store implements an interface: import types (import type), errors.ts, exact-json.ts, Node itself and its driver'
    }
  })
}

function isDriver(path: string, specifier: string): boolean {
  if (specifier.startsWith('node:')) return true
  return Object.entries(STORE_DRIVERS).some(
    ([folder, packages]) => path.startsWith(folder) && packages.includes(specifier)
  )
}

/** Packages that open sockets, and where they may be: there the socket is the guard's, or is no step's. */
const SOCKET_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  undici: ['src/egress/'],
  'node:http': ['src/http/'],
  'node:https': [],
  'node:http2': [],
  'node:dgram': [],
  'node:tls': [],
  pg: ['src/store/postgres/', 'src/components/sql/', 'src/simulation/postgres/'],
  mysql2: ['src/components/sql/'],
  // It speaks over a socket of the guard that is connected already.
  nodemailer: ['src/components/send-email/']
}
/**
 * The guard itself, drivers that are handed its sockets, and what reaches no address of a step: the place of files, whose address
 * is the operator's, the command line, whose address is its user's, and connections that callers opened.
 */
const MAY_OPEN = [
  'src/egress/',
  'src/components/sql/',
  'src/files/object-store-place.ts',
  'src/cli/remote/',
  'src/http/requests/taken-connection.ts'
]
const SOCKET_CODE = /(?<![\w$.]|get )fetch\(|\bnew Socket\(|\bcreateConnection\(|\bnet\.connect\(/

export function socketsBesideTheGuard(files: SourceFile[]): Breach[] {
  const remedy = 'ask egress/ for it: step.fetch, step.request, or the fetch and the socket of a connection'
  const imported = breachesOfImports(files, (file, { specifier, typeOnly }) => {
    const places = SOCKET_PACKAGES[specifier.split('/').slice(0, 1)[0]!]
    if (places === undefined || typeOnly || places.some((place) => file.path.startsWith(place)))
      return undefined
    return { rule: `imports '${specifier}', which opens sockets`, remedy }
  })
  const opened = files
    .filter(({ path }) => !MAY_OPEN.some((place) => path.startsWith(place)))
    .flatMap((file) =>
      linesMatching(file.code, SOCKET_CODE).map((line) => ({
        file: file.path,
        line,
        rule: 'opens a socket beside the guard',
        remedy
      }))
    )
  return [...imported, ...opened]
}

/** What brings hundreds of files along, or 20 ms, with every start; and what does the same without. */
const SLOW_IMPORTS: Readonly<Record<string, string>> = {
  typebox: 'import its types only (import type); src/flows/json/schema-builder.ts builds schemas',
  'typebox/type': 'import its types only (import type); src/flows/json/schema-builder.ts builds schemas',
  'typebox/value': "use Check and Errors of 'typebox/schema'",
  'typebox/compile': "use Compile of 'typebox/schema'",
  'node:http': 'import its types only (import type): a value of it loads all of fetch too'
}

export function importsThatSlowTheStart(files: SourceFile[]): Breach[] {
  return breachesOfImports(files, (_file, { specifier, typeOnly }) => {
    const remedy = typeOnly ? undefined : SLOW_IMPORTS[specifier]
    return remedy === undefined
      ? undefined
      : { rule: `imports '${specifier}', which slows every start`, remedy }
  })
}

export function environmentReaders(files: SourceFile[]): Breach[] {
  const rule = 'reads the environment'
  const remedy = 'only src/main.ts does; it passes the value on as configuration'
  return files
    .filter((file) => file.path !== 'src/main.ts')
    .flatMap((file) => {
      const imports = file.imports.filter(({ specifier }) => /^(?:node:)?process$/.test(specifier))
      const lines = [...linesMatching(file.code, /\bprocess\.env\b/), ...imports.map(({ line }) => line)]
      return lines.map((line) => ({ file: file.path, line, rule, remedy }))
    })
}

/** Each of these is a process, or tells of the one that it is in. */
const MODULES_WITH_STATE = new Set([
  'src/components/sql/sqlite-process.ts',
  'src/documents/document-process.ts',
  'src/http/operations/process-metrics.ts'
])

export function modulesWithState(files: SourceFile[]): Breach[] {
  const rule = 'keeps state in a module'
  const remedy = 'make a part that holds it, and pass that to whoever needs it'
  return files
    .filter(({ path }) => !MODULES_WITH_STATE.has(path))
    .flatMap(({ path: file, code }) =>
      linesMatching(code, /(?<![^\n])(?:export )?let\s/).map((line) => ({ file, line, rule, remedy }))
    )
}

export function longFiles(files: SourceFile[]): Breach[] {
  return files
    .filter((file) => file.lineCount > LONGEST_FILE)
    .map((file) => ({
      file: file.path,
      line: file.lineCount,
      rule: `has ${file.lineCount} lines, more than ${LONGEST_FILE}`,
      remedy: 'find the second thing that the file is about and give it a file of its own'
    }))
}

/** 'src/store/sqlite/open.ts' → 'store'; 'src/main.ts' → 'main'; nothing outside of src/ is a room. */
function roomOf(path: string): string {
  const [top, room] = path.split('/')
  return top === 'src' ? room!.replace(/\.ts$/, '') : ''
}

function floorOf(path: string): number {
  return FLOORS.findIndex((rooms) => rooms.includes(roomOf(path)))
}
