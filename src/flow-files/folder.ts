import { isPlainObject, type JsonValue } from '../flows/json/exact-json.ts'
import { contextFile, type FileKind, flowFile, kindOfFile } from './file-names.ts'
import {
  connectionsText,
  contextText,
  type FiledConnection,
  type FiledContext,
  flowText
} from './flow-text.ts'
import { type FilePlace, type ReadYaml, readYaml, YamlFault } from './read-yaml.ts'

type Members = Readonly<Record<string, unknown>>

/** A file of a folder, by its path from the top of it. */
export interface FolderFile {
  readonly path: string
  readonly text: string
}

/** Something that whoever wrote the file has to mend. */
export interface FileFault extends FilePlace {
  readonly file: string
  readonly message: string
}

export interface FiledFlow extends Members {
  readonly slug: string
  readonly context: string
}

/** All that a folder says. */
interface FlowSet {
  readonly flows: readonly FiledFlow[]
  readonly connections: readonly FiledConnection[]
  readonly contexts: readonly FiledContext[]
}

export interface ReadFolder extends FlowSet {
  readonly faults: readonly FileFault[]
  /** Where a part of what was read stands: a pointer such as `/flows/3/nodes/0/type`. */
  placeOf(pointer: string): (FilePlace & { readonly file: string }) | undefined
}

interface Source {
  readonly file: string
  readonly read: ReadYaml
  /** Of the part in its file. */
  readonly pointer: string
}

interface Reading {
  readonly flows: FiledFlow[]
  readonly connections: FiledConnection[]
  readonly contexts: FiledContext[]
  readonly faults: FileFault[]
  readonly sources: { flows: Source[]; connections: Source[]; contexts: Source[] }
}

/** What is in the files; those that are no files of flows are passed over. One that is broken leaves the others as they are. */
export function readFolder(files: readonly FolderFile[]): ReadFolder {
  const reading: Reading = {
    flows: [],
    connections: [],
    contexts: [],
    faults: [],
    sources: { flows: [], connections: [], contexts: [] }
  }
  const known = new Map<string, string>()
  for (const file of files.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    try {
      readFile(file, known, reading)
    } catch (error) {
      if (!(error instanceof YamlFault)) throw error
      reading.faults.push({ file: file.path, ...error.place, message: error.message })
    }
  }
  const { sources, ...rest } = reading
  return { ...rest, placeOf: (pointer) => placeIn(sources, pointer) }
}

const TOP: FilePlace = { line: 1, column: 1 }

function readFile({ path, text }: FolderFile, known: Map<string, string>, reading: Reading): void {
  const kind = kindOfFile(path)
  if (kind === undefined) return
  if ('fault' in kind) throw new YamlFault(kind.fault, TOP)
  const name = kind.kind === 'flow' ? `flow ${kind.slug}` : `${kind.kind} ${kind.context}`
  const other = known.get(name)
  if (other !== undefined) {
    const what = kind.kind === 'flow' ? `The flow "${kind.slug}"` : 'The same'
    throw new YamlFault(
      `${what} is in ${other} too. A slug belongs to one flow: take one of the files out, or rename it.`,
      TOP
    )
  }
  known.set(name, path)
  const read = readYaml(text)
  const source = { file: path, read, pointer: '' }
  if (kind.kind === 'flow') {
    reading.flows.push(flowOf(kind, read))
    reading.sources.flows.push(source)
  } else if (kind.kind === 'context') {
    reading.contexts.push(contextOf(kind, read))
    reading.sources.contexts.push(source)
  } else {
    for (const [connection, value] of Object.entries(objectIn(read))) {
      const pointer = `/${connection.replaceAll('~', '~0').replaceAll('/', '~1')}`
      reading.connections.push(connectionOf(connection, value, kind.context, read.placeOf(pointer)))
      reading.sources.connections.push({ ...source, pointer })
    }
  }
}

function flowOf({ slug, context }: FileKind & { kind: 'flow' }, read: ReadYaml): FiledFlow {
  const document = objectIn(read)
  for (const [name, is] of Object.entries({ slug, context })) {
    const said = document[name]
    if (said === undefined || said === is) continue
    throw new YamlFault(
      `The file says ${name} ${JSON.stringify(said)}, and by its place it is "${is}". Leave ${name} out: the name of the file and its folder say it.`,
      read.placeOf(`/${name}`)
    )
  }
  return { ...document, slug, context }
}

function connectionOf(name: string, value: JsonValue, context: string, place: FilePlace): FiledConnection {
  const { kind, settings = {}, ...others } = isPlainObject(value) ? value : { kind: null }
  if (typeof kind !== 'string' || !isPlainObject(settings))
    throw new YamlFault(
      `The connection "${name}" needs a "kind", such as http, and may have an object of "settings".`,
      place
    )
  const [other] = Object.keys(others)
  if (other !== undefined)
    throw new YamlFault(
      `The connection "${name}" has "${other}". A file says kind and settings; secrets are entered on the page or by the API.`,
      place
    )
  return { name, kind, context, settings }
}

function contextOf({ context }: FileKind, read: ReadYaml): FiledContext {
  const {
    variables = {},
    default_auth = null,
    limits = {},
    ...others
  } = read.value === null ? {} : objectIn(read)
  const [other] = Object.keys(others)
  const isKnown = other === undefined && isPlainObject(variables) && isPlainObject(limits)
  if (isKnown && (default_auth === null || typeof default_auth === 'string'))
    return { path: context, variables, default_auth, limits }
  throw new YamlFault(
    `A context has "variables" and "limits", both objects, and "default_auth".${other === undefined ? '' : ` Take "${other}" out.`}`,
    read.placeOf(other === undefined ? '' : `/${other}`)
  )
}

function objectIn({ value, placeOf }: ReadYaml): { [name: string]: JsonValue } {
  if (isPlainObject(value)) return value
  throw new YamlFault('The file holds no object. Begin with a line such as "name: Orders".', placeOf(''))
}

function placeIn(sources: Reading['sources'], pointer: string): (FilePlace & { file: string }) | undefined {
  const [, list, index, rest = ''] = /^\/(flows|connections|contexts)\/(\d+)(\/.*)?$/.exec(pointer) ?? []
  const source = sources[list as keyof Reading['sources']]?.[Number(index)]
  return source && { file: source.file, ...source.read.placeOf(source.pointer + rest) }
}

/** The files of a set, by their paths. */
export function filesOf({ flows, connections, contexts }: FlowSet): Map<string, string> {
  const files = new Map<string, string>()
  for (const context of contexts) files.set(contextFile('context', context.path), contextText(context))
  const byContext = Map.groupBy(connections, ({ context }) => context)
  for (const [context, own] of byContext) files.set(contextFile('connections', context), connectionsText(own))
  for (const flow of flows) files.set(flowFile(flow.slug, flow.context), flowText(flow))
  return new Map([...files].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
