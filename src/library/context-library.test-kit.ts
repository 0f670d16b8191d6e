import assert from 'node:assert/strict'
import { NOON } from '../clock.test-kit.ts'
import { ContextTree } from '../contexts/context-tree.ts'
import { MillraceError } from '../errors.ts'
import type { JsonValue } from '../flows/json/exact-json.ts'
import { ContextLibrary, type NewContext } from './context-library.ts'
import { MemoryContextStore } from './context-store.test-kit.ts'

interface Parts {
  readonly store?: MemoryContextStore
  /** Names of contexts that plugins make below the root. */
  readonly code?: readonly string[]
  /** Variables that the host sets in the root. */
  readonly root?: Readonly<Record<string, JsonValue>>
}

/** A library over a frozen tree, as it is while the service runs. */
export async function open({ store = new MemoryContextStore(), code = ['sales'], root = {} }: Parts = {}) {
  const tree = new ContextTree()
  for (const name of code) tree.fork('/', name)
  for (const name of code) {
    const variable = { kind: 'variable', name: 'made_by', value: name, owner: name, source: null } as const
    tree.register(`/${name}`, variable)
  }
  for (const [name, value] of Object.entries(root)) {
    tree.register('/', { kind: 'variable', name, value, owner: 'the host', source: null })
  }
  tree.freeze()
  const [inhabited, unfinished] = [new Set<string>(), new Set<string>()]
  let ids = 0
  let meanwhile = () => {}
  const library = new ContextLibrary({
    store,
    tree,
    newId: () => `id-${store.contexts.size}-${ids++}`,
    now: () => NOON,
    isInhabited: (path) => isAtOrBelow(inhabited, path),
    hasUnfinishedRuns: async (path) => {
      const answer = isAtOrBelow(unfinished, path)
      meanwhile()
      return answer
    }
  })
  await library.load()
  const whileLooking = (then: () => void) => {
    meanwhile = then
  }
  return { library, tree, store, inhabited, unfinished, whileLooking }
}

function isAtOrBelow(places: ReadonlySet<string>, path: string): boolean {
  return [...places].some((place) => place === path || place.startsWith(`${path}/`))
}

export function news(parent: string, name: string, variables: Record<string, JsonValue> = {}): NewContext {
  return { parent, name, variables, settings: {} }
}

export function refusal(code: string, says: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof MillraceError, String(error))
    assert.equal(error.code, code)
    assert.match(error.message, says)
    return true
  }
}
