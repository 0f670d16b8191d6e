import type { ListedFlow } from '../../api/shapes.ts'

export interface Folder {
  readonly context: string
  readonly flows: readonly ListedFlow[]
}

/** Flows by the context that they live in: a context comes right before those below it, and flows keep their order. */
export function groupFlows(flows: readonly ListedFlow[]): Folder[] {
  return [...Map.groupBy(flows, ({ context }) => context)]
    .map(([context, inside]): Folder => ({ context, flows: inside }))
    .sort((a, b) => comparePaths(a.context, b.context))
}

/** Name by name: as text, "/a b" would come between "/a" and "/a/c". */
function comparePaths(one: string, other: string): number {
  const [names, others] = [one, other].map((path) => path.split('/').filter(Boolean)) as [string[], string[]]
  for (const [at, name] of names.entries()) {
    const against = others[at]
    if (against === undefined) return 1
    if (name !== against) return name.localeCompare(against) || (name < against ? -1 : 1)
  }
  return names.length - others.length
}

/** Every tag that some flow has, those that most have first. */
export function knownTags(flows: readonly Pick<ListedFlow, 'tags'>[]): string[] {
  const counts = new Map<string, number>()
  for (const { tags = [] } of flows) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts].sort(([a, many], [b, few]) => few - many || a.localeCompare(b)).map(([tag]) => tag)
}
