import { nameOf, parentPath } from '../../../../src/contexts/context-path.ts'
import type { ContextFacts, Registration } from '../../api/contexts.ts'

/** Contexts for tests, each with what it registers; what they see follows from the rules. */
export function contextsFor(
  registered: Readonly<Record<string, readonly Pick<Registration, 'kind' | 'name'>[]>>
): ContextFacts[] {
  const registers = (path: string): Registration[] =>
    (registered[path] ?? []).map((news) => ({
      ...news,
      context: path,
      owner: 'a plugin',
      source: 'plugin.ts:1'
    }))
  return Object.keys(registered).map((path) => ({
    path,
    name: path === '/' ? '/' : nameOf(path),
    parent: parentPath(path) ?? null,
    kind: 'code',
    id: null,
    owner: 'a plugin',
    source: null,
    registers: registers(path),
    sees: ancestry(path)
      .flatMap(registers)
      .map((seen) => ({ ...seen, inherited_from: seen.context === path ? null : seen.context })),
    flows: []
  }))
}

/** From the root down to the context itself. */
function ancestry(path: string): string[] {
  const parent = parentPath(path)
  return parent === undefined ? [path] : [...ancestry(parent), path]
}
