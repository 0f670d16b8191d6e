import { childPath, isWithin, nameOf, parentPath, ROOT } from '../contexts/context-path.ts'
import type { ContextTree } from '../contexts/context-tree.ts'
import type { Origin } from '../contexts/registration.ts'
import { MillraceError } from '../errors.ts'
import type { JsonValue } from '../flows/json/exact-json.ts'
import type { ContextMove, ContextStore } from '../store/contexts.ts'
import { contextExists, inhabited, noParent } from './context-refusals.ts'
import { type ContextSettings, type MadeContext, madeFrom, moved, storedContext } from './made-context.ts'
import { assertRootHolds, rootStays, UNSET_ROOT } from './root-context.ts'

export interface NewContext {
  readonly parent: string
  readonly name: string
  readonly variables: Readonly<Record<string, JsonValue>>
  readonly settings: ContextSettings
}

interface ContextChange extends Partial<Omit<NewContext, 'settings'>> {
  /** What becomes of the settings, from what they are when the change has its turn: another may come before it. */
  readonly settings?: (before: ContextSettings) => ContextSettings
}

interface ContextLibraryDeps {
  readonly store: ContextStore
  readonly tree: ContextTree
  /** Whether a flow lives in the context or below it, or a key is bound there. */
  readonly isInhabited: (path: string) => boolean
  /** Whether runs that began in the context or below it have not ended. */
  readonly hasUnfinishedRuns: (path: string) => Promise<boolean>
  /** Resolves when other processes have what was changed here; absent where there are none. */
  readonly confirmed?: () => Promise<void>
  readonly newId: () => string
  readonly now: () => number
}

/**
 * Contexts that are made, renamed, moved and deleted while the service runs, and the variables of the root. They
 * hold data, never code.
 */
export class ContextLibrary {
  readonly #deps: ContextLibraryDeps
  readonly #byPath = new Map<string, MadeContext>([[ROOT, UNSET_ROOT]])
  /**
   * Kept in the store and not shown: a plugin made the parent and has gone, or makes a context of this very path
   * now. They come back when there is a place for them.
   */
  readonly #hidden = new Map<string, MadeContext>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(deps: ContextLibraryDeps) {
    this.#deps = deps
  }

  async load(): Promise<void> {
    for (const stored of await this.#deps.store.list()) this.#take(madeFrom(stored))
  }

  /** Into the tree, where there is a place for it. */
  #take(context: MadeContext): void {
    const { tree } = this.#deps
    const { path } = context
    const isFree = this.#byPath.has(path) || (tree.has(parentPath(path)!) && !tree.has(path))
    if (isFree) this.#place(context)
    else this.#hidden.set(path, context)
  }

  /**
   * Takes over what other processes have made, changed and removed. Flows move to a new context after it is made,
   * and out of an old one before it goes: so they are brought in between.
   */
  refresh(bringInFlows: () => Promise<void>): Promise<void> {
    return this.#inTurn(async () => {
      const stored = (await this.#deps.store.list()).map(madeFrom)
      for (const context of stored) this.#take(context)
      await bringInFlows()
      const wanted = new Set(stored.map(({ path }) => path))
      for (const path of [...this.#hidden.keys()]) if (!wanted.has(path)) this.#hidden.delete(path)
      for (const path of [...this.#byPath.keys()]) {
        if (!wanted.has(path) && this.mayGo(path)) this.#uproot(path)
      }
    })
  }

  /** By id or path. */
  find(reference: string): MadeContext | undefined {
    return this.#byPath.get(reference) ?? this.#byPath.values().find(({ id }) => id === reference)
  }

  get(reference: string): MadeContext {
    const found = this.find(reference)
    if (found !== undefined) return found
    if (!this.#deps.tree.has(reference)) {
      throw new MillraceError(
        'context_not_found',
        `There is no context "${reference}". GET /api/v1/contexts lists the contexts.`
      )
    }
    throw new MillraceError(
      'context_is_code',
      `The context "${reference}" is made by a plugin, so it cannot be changed here. Make a context below it.`
    )
  }

  /** Whether somebody may take it away: what moves in has to look whether it is there still. The root stays. */
  mayGo(path: string): boolean {
    return path !== ROOT && this.#byPath.has(path)
  }

  /** What the nearest context that says anything of it sets. */
  setting<K extends keyof ContextSettings>(path: string, name: K): ContextSettings[K] | undefined {
    for (let at: string | undefined = path; at !== undefined; at = parentPath(at)) {
      const value = this.#byPath.get(at)?.settings[name]
      if (value !== undefined) return value
    }
    return undefined
  }

  create(news: NewContext): Promise<MadeContext> {
    return this.#confirmed(this.#inTurn(() => this.#create(news)))
  }

  /** Whether there is one of this path that has no place at the moment. */
  isHidden(path: string): boolean {
    return this.#hidden.has(path)
  }

  /** For contexts that are written together with something else: `place` takes them over when they are in the store. */
  during<T>(work: (place: (contexts: readonly MadeContext[]) => void) => Promise<T>): Promise<T> {
    return this.#inTurn(() =>
      work((contexts) => {
        for (const context of contexts) this.#place(context)
      })
    )
  }

  /** Renames or moves the context, with all below it, and sets what is given. */
  change(reference: string, change: ContextChange): Promise<MadeContext> {
    return this.#confirmed(this.#inTurn(() => this.#change(reference, change)))
  }

  remove(reference: string): Promise<void> {
    return this.#confirmed(this.#inTurn(() => this.#remove(reference)))
  }

  /** One after the other: whether a path is free is only known when those before are durable. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(change, change)
    this.#last = turn
    return turn
  }

  /** After its turn: two processes that change something at once would else wait for each other. */
  async #confirmed<T>(change: Promise<T>): Promise<T> {
    const changed = await change
    await this.#deps.confirmed?.()
    return changed
  }

  async #create(news: NewContext): Promise<MadeContext> {
    const { variables, settings } = news
    const path = this.#freePath(news.parent, news.name)
    const made = { id: this.#deps.newId(), path, variables, settings, createdAt: this.#deps.now() }
    await this.#put([made], {})
    this.#place(made)
    return made
  }

  async #change(reference: string, change: ContextChange): Promise<MadeContext> {
    const before = this.get(reference)
    if (before.path === ROOT) return this.#changeRoot(before, change)
    const parent = change.parent ?? parentPath(before.path)!
    const name = change.name ?? nameOf(before.path)
    const moves = childPath(parent, name) !== before.path
    const path = moves ? await this.#pathToMoveTo(before.path, parent, name) : before.path
    const { variables = before.variables } = change
    const settings = change.settings?.(before.settings) ?? before.settings
    const after = { ...before, path, variables, settings }
    const below = moves ? this.#below(before.path).map((child) => moved(child, before.path, path)) : []
    for (const { path } of below) this.#assertNotHidden(path)
    await this.#put([after, ...below], moves ? { vacates: before.path } : {})
    if (moves) this.#uproot(before.path)
    for (const context of [after, ...below]) this.#place(context)
    return after
  }

  async #changeRoot(before: MadeContext, change: ContextChange): Promise<MadeContext> {
    if (change.name !== undefined || change.parent !== undefined) throw rootStays()
    const { variables = before.variables } = change
    const after = { ...before, variables, settings: change.settings?.(before.settings) ?? before.settings }
    assertRootHolds(after, this.#deps.tree)
    await this.#deps.store.put([storedContext(after)])
    this.#place(after)
    return after
  }

  async #remove(reference: string): Promise<void> {
    const { id, path } = this.get(reference)
    if (path === ROOT) throw rootStays()
    await this.#assertEmpty(path, 'deleted')
    if (this.#below(path).length > 0) {
      throw new MillraceError(
        'context_in_use',
        `The context "${path}" has contexts below it. Delete those first.`
      )
    }
    // Another process may have removed it a moment ago: then it is gone, as it should be.
    if ((await this.#deps.store.remove(id)) === 'inhabited') throw inhabited(path, 'deleted')
    this.#uproot(path)
  }

  /** The first one is what somebody asked for, those below it come along. The store knows what others did meanwhile. */
  async #put(contexts: readonly [MadeContext, ...MadeContext[]], { vacates }: ContextMove): Promise<void> {
    const [{ path }] = contexts
    const parent = parentPath(path)!
    const within = this.mayGo(parent) ? parent : undefined
    switch (await this.#deps.store.put(contexts.map(storedContext), { vacates, within })) {
      case 'path_taken':
        throw contextExists(path)
      case 'parent_gone':
        throw noParent(parent, nameOf(path))
      case 'inhabited':
        throw inhabited(vacates!, 'moved')
    }
  }

  async #pathToMoveTo(from: string, parent: string, name: string): Promise<string> {
    await this.#assertEmpty(from, 'moved')
    if (!isWithin(parent, from)) return this.#freePath(parent, name)
    throw new MillraceError('context_in_use', `The context "${from}" cannot be moved into itself.`)
  }

  #freePath(parent: string, name: string): string {
    const { tree } = this.#deps
    if (!tree.has(parent)) throw noParent(parent, name)
    const path = childPath(parent, name)
    if (tree.has(path)) throw contextExists(path)
    this.#assertNotHidden(path)
    return path
  }

  #assertNotHidden(path: string): void {
    if (this.#hidden.has(path)) throw contextExists(path)
  }

  /** A flow names its context by path: while one lives there, the path must stay. */
  async #assertEmpty(path: string, what: 'moved' | 'deleted'): Promise<void> {
    // Before the look for runs: a flow that lives there may begin one after it, and leave before its answer.
    if (this.#deps.isInhabited(path)) throw inhabited(path, what)
    const hasUnfinishedRuns = await this.#deps.hasUnfinishedRuns(path)
    // After it: a flow may have moved in meanwhile.
    if (this.#deps.isInhabited(path)) throw inhabited(path, what)
    // A run finishes on the version that it began with, and so in the context that this version names.
    if (hasUnfinishedRuns) {
      throw new MillraceError(
        'context_in_use',
        `The context "${path}" cannot be ${what}: runs that began there are not finished. Wait until they have ended, or cancel them.`
      )
    }
  }

  #below(path: string): MadeContext[] {
    return this.#byPath
      .values()
      .filter((context) => context.path !== path && isWithin(context.path, path))
      .toArray()
  }

  #place(context: MadeContext): void {
    const { tree } = this.#deps
    this.#byPath.set(context.path, context)
    if (tree.has(context.path)) tree.setData(context.path, 'variable', context.variables, ORIGIN)
    else tree.graft(context.path, context.variables, ORIGIN)
    for (const hidden of [...this.#hidden.values()]) {
      if (parentPath(hidden.path) === context.path) this.#unhide(hidden)
    }
  }

  #unhide(context: MadeContext): void {
    this.#hidden.delete(context.path)
    this.#place(context)
  }

  #uproot(path: string): void {
    for (const context of [...this.#below(path), { path }]) this.#byPath.delete(context.path)
    this.#deps.tree.uproot(path)
  }
}

const ORIGIN: Origin = { owner: 'the API', source: null }
