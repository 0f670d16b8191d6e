import type { Fault } from '../../../../src/errors.ts'
import type { DraftStanding } from './draft-standing.ts'
import type { Flow } from './flow.ts'
import { openFlow, type ReadFlow } from './saved-flow.ts'
import { withinCanvas } from './within-canvas.ts'

/** What `GET` and `PUT /api/v1/flows/{id}/draft` answer. */
export type ReadDraft = Flow & {
  readonly id: string
  readonly revision: number
  readonly base_version: number
  readonly live_version: number
  readonly behind: boolean
  readonly errors: readonly Fault[]
  readonly warnings?: readonly Fault[]
  readonly author: string | null
  readonly created_at: string
  readonly updated_at: string
}

export interface EditedFlow {
  readonly document: Flow
  readonly standing: DraftStanding
}

/** Parts what the service adds from the document. */
export function openDraft(read: ReadDraft): EditedFlow {
  const {
    id,
    revision,
    base_version: baseVersion,
    live_version: liveVersion,
    behind,
    errors,
    warnings = [],
    author,
    created_at,
    updated_at,
    ...document
  } = read
  return {
    document: drawable(document),
    standing: { revision, baseVersion, liveVersion, faults: errors, warnings }
  }
}

/**
 * A program may have left anything in a draft. What is not a node, note or wire at all cannot be drawn; its fault is among
 * the errors.
 */
function drawable(document: Flow): Flow {
  const { name, nodes, edges, notes } = document
  const hasText = (part: object, ...members: string[]) =>
    members.every((member) => typeof (part as Readonly<Record<string, unknown>>)[member] === 'string')
  const drawn = {
    nodes: oncePerId(nodes.filter((node) => hasText(node, 'id', 'type'))).map(sound),
    edges: edges.filter((edge) => hasText(edge, 'from', 'to')),
    ...(notes && { notes: oncePerId(notes.filter((note) => hasText(note, 'id', 'text'))).map(sound) })
  }
  const isAll =
    isSame(drawn.nodes, nodes) &&
    drawn.edges.length === edges.length &&
    isSame(drawn.notes ?? [], notes ?? [])
  const named = typeof name === 'string' ? document : { ...document, name: '' }
  return withinCanvas(isAll ? named : { ...named, ...drawn })
}

/** What members of nodes and notes are, where they are there: others would fail what draws them. */
const KINDS = new Map<string, (value: unknown) => boolean>([
  ...['title', 'parent', 'on_error', 'colour'].map((name) => [name, isText] as const),
  ...['disabled', 'collapsed'].map((name) => [name, (value: unknown) => typeof value === 'boolean'] as const),
  ['tool', (value) => typeof value === 'object' && value !== null],
  ['nodes', (value) => Array.isArray(value) && value.every(isText)]
])

function sound<T extends object>(part: T): T {
  const entries = Object.entries(part)
  const fitting = entries.filter(([name, value]) => KINDS.get(name)?.(value) ?? true)
  return fitting.length === entries.length ? part : (Object.fromEntries(fitting) as T)
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isSame(parts: readonly unknown[], others: readonly unknown[]): boolean {
  return parts.length === others.length && parts.every((part, at) => part === others[at])
}

function oncePerId<T extends { readonly id: string }>(parts: readonly T[]): readonly T[] {
  const first = new Map(parts.toReversed().map((part) => [part.id, part]))
  return parts.filter((part) => first.get(part.id) === part)
}

/** What there is to edit: the draft, or what is live where there is none. */
export function openEdited(flow: ReadFlow, draft: ReadDraft | null): EditedFlow {
  if (draft !== null) return openDraft(draft)
  const { version, document } = openFlow(flow)
  return { document: withinCanvas(document), standing: standingOfLive(version, flow.warnings) }
}

function standingOfLive(version: number, warnings: readonly Fault[] = []): DraftStanding {
  return { revision: 0, baseVersion: version, liveVersion: version, faults: [], warnings }
}

/** The body of `PUT /api/v1/flows/{id}/draft`. What a draft was made from is known there once there is one. */
export function draftBody(document: Flow, { revision, liveVersion }: DraftStanding): object {
  return { ...document, revision, ...(revision === 0 ? { base_version: liveVersion } : {}) }
}
