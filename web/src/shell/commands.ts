import { createContext, useContext, useEffect, useRef, useSyncExternalStore } from 'react'
import type { Icon } from '../design/icons/icon.ts'

/** Something that can be done: by the palette, by its shortcut, or only shown in the sheet of shortcuts. */
export interface Command {
  readonly id: string
  readonly title: string
  /** A heading in the palette and in the sheet of shortcuts: "Go to", "Canvas". */
  readonly group: string
  readonly run: () => void
  readonly icon?: Icon
  /** `mod+k`, `g f`, `?`; see shortcut.ts. */
  readonly keys?: string
  /** Another shortcut that does the same, for hands that learnt it elsewhere. */
  readonly otherKeys?: string
  readonly keywords?: string
  /** Left out of the palette: what makes sense by its key only. */
  readonly isHidden?: boolean
  /** Listed in the sheet of shortcuts, but its key is handled by the part itself. */
  readonly isHandledElsewhere?: boolean
  /** Also while somebody types in a field; combinations with mod only. */
  readonly worksInFields?: boolean
}

/** All shortcuts of a command, the one to learn first. */
export function shortcutsOf({ keys, otherKeys }: Command): string[] {
  return [keys, otherKeys].filter((shortcut) => shortcut !== undefined)
}

/** Where commands come from: what stands around every page, or the page that is shown. */
type CommandPlace = 'shell' | 'page'

interface CommandSet {
  readonly commands: readonly Command[]
  readonly place: CommandPlace
}

/** Commands that only a search brings up, as there may be a thousand: the nodes of a flow, for instance. */
type Finder = (search: string) => readonly Command[]

/** The same where the service has to be asked first. Rejects where it cannot be asked, or nobody waits any more. */
type Asker = (search: string, signal: AbortSignal) => Promise<readonly Command[]>

/** What can be done at the moment: parts of the page add their commands while they are shown. */
export class CommandRegistry {
  readonly #sets = new Map<symbol, CommandSet>()
  readonly #watchers = new Set<() => void>()
  /** See find-commands.ts: who searches loads that. */
  readonly finders = new Set<Finder>()
  readonly askers = new Set<Asker>()
  #all: readonly Command[] = []

  add(owner: symbol, commands: readonly Command[], place: CommandPlace = 'page'): void {
    this.#sets.set(owner, { commands, place })
    this.#tell()
  }

  remove(owner: symbol): void {
    this.#sets.delete(owner)
    this.#tell()
  }

  /** A page's go before the shell's, whichever came first, and of the page's the newest. */
  readonly all = (): readonly Command[] => this.#all

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  #tell(): void {
    const newestFirst = [...this.#sets.values()].toReversed()
    const of = (wanted: CommandPlace) =>
      newestFirst.filter(({ place }) => place === wanted).flatMap(({ commands }) => commands)
    this.#all = [...of('page'), ...of('shell')]
    for (const watcher of [...this.#watchers]) watcher()
  }
}

export const CommandContext = createContext<CommandRegistry | undefined>(undefined)

export function useRegistry(): CommandRegistry {
  const registry = useContext(CommandContext)
  if (registry === undefined) throw new Error('commands are used outside of <CommandContext>')
  return registry
}

/**
 * Adds commands while the part is shown. What `run` does may change with every render; ids, titles and keys are
 * compared, so the array need not be memoised.
 */
export function useCommands(commands: readonly Command[], place: CommandPlace = 'page'): void {
  const registry = useRegistry()
  const newest = useRef(commands)
  useEffect(() => {
    newest.current = commands
  })
  const facts = JSON.stringify(
    commands.map(({ id, title, group, keys, otherKeys }) => [id, title, group, keys, otherKeys])
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: facts says when the commands have changed.
  useEffect(() => {
    const owner = Symbol('commands')
    const current = (id: string) => newest.current.find((command) => command.id === id)
    registry.add(
      owner,
      newest.current.map((command) => ({ ...command, run: () => current(command.id)?.run() })),
      place
    )
    return () => registry.remove(owner)
  }, [registry, facts, place])
}

export function useAllCommands(): readonly Command[] {
  const registry = useRegistry()
  return useSyncExternalStore(registry.watch, registry.all)
}
