/** What two editors have both changed, each in another way. */
export type ConflictPart =
  | { readonly part: 'flow'; readonly member: string }
  /** One side removed the node and the other changed it or wired it. */
  | { readonly part: 'node'; readonly node: string }
  | { readonly part: 'node member'; readonly node: string; readonly member: string }
  | { readonly part: 'field'; readonly node: string; readonly field: string }
  /** An input that is fed by different outputs. */
  | { readonly part: 'wire'; readonly to: string }
  | { readonly part: 'note'; readonly note: string }
  | { readonly part: 'note member'; readonly note: string; readonly member: string }

export type Choice = 'mine' | 'theirs'
export type Choices = ReadonlyMap<string, Choice>

export type Conflict = ConflictPart & {
  /** The same for as long as both sides disagree about this part. */
  readonly id: string
  /** Undefined is absent: removed, or never there. */
  readonly base: unknown
  readonly mine: unknown
  readonly theirs: unknown
  readonly choice: Choice | undefined
}

export function conflictId(part: ConflictPart): string {
  return Object.values(part)
    .map((value) => encodeURIComponent(value))
    .join('/')
}

/** The title of a conflict, in words; `titleOf` gives the title that a node shows. */
export function describeConflict(conflict: ConflictPart, titleOf: (node: string) => string): string {
  switch (conflict.part) {
    case 'flow':
      return `The ${conflict.member} of the flow`
    case 'node':
      return `The node ${titleOf(conflict.node)} (${conflict.node})`
    case 'node member':
      return `The ${conflict.member.replaceAll('_', ' ')} of ${titleOf(conflict.node)} (${conflict.node})`
    case 'field':
      return `The field ${conflict.field} of ${titleOf(conflict.node)} (${conflict.node})`
    case 'wire':
      return `What feeds ${conflict.to}`
    case 'note':
      return `The note ${conflict.note}`
    case 'note member':
      return `The ${conflict.member} of the note ${conflict.note}`
  }
}
