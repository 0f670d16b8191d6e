import { posix } from 'node:path'
import type { Breach } from './breaches.ts'
import { maskSource } from './read-imports.ts'

/** A file of the repository, as it is written. */
export interface ProjectFile {
  readonly path: string
  readonly source: string
}

/** What others than this repository's files import, or by a name that is put together. */
const SURFACES = [
  'src/millrace.ts',
  'src/plugin-api.ts',
  'src/cli/main.ts',
  // Loaded by the watchdog's thread, as a source or from the bundle.
  'src/startup/watchdog/note-hung-step.ts',
  // Stand in the page for the files of these names in src/flows/json, and offer what those do.
  'web/src/api/exact-numbers/json-tokens.ts',
  'web/src/api/exact-numbers/read-exactly.ts'
]

/** Types that the package's own declarations have to name. */
const NAMED_BY_DECLARATIONS = ['src/components/http/paginate.ts: Pagination']

const EXPORTED =
  /^export\s+(?:async\s+|abstract\s+)*(?:function\*?|const|let|class|interface|type)\s+(?<name>[\w$]+)/gm
const IMPORTED =
  /(?<![\w$.])(?:import|export)\s+(?:type\s+)?(?<names>[^'"`;()]*?)\s*from\s*(?=['"])|(?<![\w$.])import\s*\(\s*(?=['"])|\bnew URL\(\s*(?=['"])/g
const LITERAL = /(['"])(.*?)\1/y

/** A newcomer takes what is exported for what others use. Tests count as others; `all` are the files that may import something. */
export function unimportedExports(all: readonly ProjectFile[]): Breach[] {
  const files = all.map(({ path, source }) => ({ path, source, code: maskSource(source) }))
  const imported = new Set(files.flatMap(importedBy))
  return files.filter(isJudged).flatMap(({ path, code }) => {
    if (imported.has(`${path}: *`)) return []
    const names = [...code.matchAll(EXPORTED)].map(({ groups, index }) => ({ name: groups!.name!, index }))
    return names
      .filter(({ name }) => !imported.has(`${path}: ${name}`))
      .filter(({ name }) => !NAMED_BY_DECLARATIONS.includes(`${path}: ${name}`))
      .map(({ name, index }) => ({
        file: path,
        line: code.slice(0, index).split('\n').length,
        rule: `exports ${name}, which no other file imports`,
        remedy: 'leave the word export out; where nothing in the file uses it either, delete it'
      }))
  })
}

function isJudged({ path }: ProjectFile): boolean {
  return (
    /^(?:src|web\/src)\/.*(?<!\.d)\.tsx?$/.test(path) && !path.includes('.test.') && !SURFACES.includes(path)
  )
}

/** "path: name" of each thing that it imports; "path: *" where that is not known. */
function importedBy({ path, source, code }: ProjectFile & { readonly code: string }): string[] {
  return [...code.matchAll(IMPORTED)].flatMap((match) => {
    LITERAL.lastIndex = match.index + match[0].length
    const specifier = LITERAL.exec(source)?.[2] ?? ''
    if (!specifier.startsWith('.')) return []
    const target = posix.join(posix.dirname(path), specifier)
    return namesIn(match.groups?.names).map((name) => `${target}: ${name}`)
  })
}

function namesIn(clause: string | undefined): string[] {
  const listed = clause === undefined ? null : /^[^{*]*\{([^}]*)\}\s*$/.exec(clause)
  if (listed === null) return ['*']
  return listed[1]!.split(',').map(
    (name) =>
      name
        .trim()
        .replace(/^type\s+/, '')
        .split(/\s+as\s+/)[0]!
  )
}
