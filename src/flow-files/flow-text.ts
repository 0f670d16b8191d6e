import { orderedDocument, sortedMembers } from '../flows/document/ordered-document.ts'
import type { JsonValue } from '../flows/json/exact-number.ts'
import { OneLine, writeYaml, type YamlMembers, type YamlValue } from './write-yaml.ts'

type Members = Readonly<Record<string, unknown>>

/** What a connection is, without what is secret. */
export interface FiledConnection {
  readonly name: string
  readonly kind: string
  readonly context: string
  readonly settings: Members
}

/** What a context holds for the flows inside. */
export interface FiledContext {
  readonly path: string
  readonly variables: Members
  readonly default_auth: string | null
  readonly limits: Members
}

/** A flow as its file. Its slug and its context are the name and the folder of it. */
export function flowText(document: object): string {
  const { slug: _slug, context: _context, ...rest } = orderedDocument(document) as Members
  const text: Record<string, YamlValue> = { ...rest } as Record<string, YamlValue>
  for (const part of ['nodes', 'notes']) {
    if (Array.isArray(rest[part])) text[part] = rest[part].map(drawnInOneLine)
  }
  if (Array.isArray(rest.edges)) text.edges = rest.edges.map((edge) => new OneLine(edge as JsonValue))
  return writeYaml(text)
}

function drawnInOneLine(part: unknown): YamlValue {
  const members = { ...(part as Record<string, YamlValue>) }
  for (const name of ['position', 'size', 'retry']) {
    if (members[name] !== undefined) members[name] = new OneLine(members[name] as JsonValue)
  }
  return members
}

export function connectionsText(connections: readonly FiledConnection[]): string {
  const named = connections.map(({ name, kind, settings }) => {
    return [name, { kind, settings: sortedMembers(settings) }] as const
  })
  return writeYaml(sortedMembers(Object.fromEntries(named)) as unknown as YamlMembers)
}

export function contextText({ variables, default_auth, limits }: Omit<FiledContext, 'path'>): string {
  const text = {
    variables: sortedMembers(variables),
    ...(default_auth === null ? {} : { default_auth }),
    ...(Object.keys(limits).length === 0 ? {} : { limits: sortedMembers(limits) })
  }
  return writeYaml(text as YamlMembers)
}
