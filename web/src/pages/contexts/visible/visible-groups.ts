import { parentPath } from '../../../../../src/contexts/context-path.ts'
import { isRunHook } from '../../../../../src/runs/steps/run-hooks.ts'
import type { ContextFacts, Registration, RegistrationKind, SeenRegistration } from '../../../api/contexts.ts'

/** What is registered is told apart a little finer than by its kind: hooks of runs and of requests differ. */
type Group =
  | 'components'
  | 'variables'
  | 'connections'
  | 'run members'
  | 'run hooks'
  | 'request hooks'
  | 'decorators'
  | 'routes'
  | 'plugins'

interface GroupFacts {
  readonly title: string
  /** What it is, for those who do not know the word. */
  readonly help: string
}

/** In the order in which they are shown: what whoever builds flows asks for first. */
export const GROUPS: Readonly<Record<Group, GroupFacts>> = {
  components: { title: 'Components', help: 'What flows here can be built of' },
  variables: { title: 'Variables', help: 'What {$name} reads in templates and fields' },
  connections: { title: 'Connections', help: 'Addresses that nodes call by name, with their secrets' },
  'run members': { title: 'Members of run', help: 'What the steps of a run are given' },
  'run hooks': { title: 'Run hooks', help: 'Code around every run and every step' },
  'request hooks': { title: 'Request hooks', help: 'Guards and other code around requests' },
  decorators: { title: 'Decorators', help: 'Members of the server, its requests and replies' },
  routes: { title: 'Routes', help: 'Addresses that plugins answer' },
  plugins: { title: 'Plugins', help: 'What registered all of it' }
}

const GROUP_NAMES = Object.keys(GROUPS) as Group[]

function groupOf({ kind, name }: Pick<Registration, 'kind' | 'name'>): Group {
  switch (kind) {
    case 'component':
      return 'components'
    case 'variable':
      return 'variables'
    case 'connection':
      return 'connections'
    case 'decoration':
      return 'run members'
    case 'hook':
      return isRunHook(name) ? 'run hooks' : 'request hooks'
    case 'decorator':
      return 'decorators'
    case 'route':
      return 'routes'
    case 'plugin':
      return 'plugins'
  }
}

/** Something that a context sees, and the nearest one of the same name above, which it therefore does not see. */
export interface Visible extends SeenRegistration {
  readonly hides: Registration | undefined
}

/** Routes answer to HEAD wherever they answer to GET; it would only double the list. */
function isDoubled({ kind, name }: Registration, all: readonly Registration[]): boolean {
  if (kind !== 'route' || !name.startsWith('HEAD ')) return false
  return all.some((other) => other.kind === 'route' && other.name === `GET ${name.slice(5)}`)
}

/** What a context sees, by group. Groups without anything are left out. */
export function visibleGroups(contexts: readonly ContextFacts[], path: string): [Group, Visible[]][] {
  const seen = contexts.find((context) => context.path === path)?.sees ?? []
  const shown = seen
    .filter((registration) => !isDoubled(registration, seen))
    .map((registration) => ({ ...registration, hides: hiddenBy(contexts, registration) }))
  const groups = Map.groupBy(shown, groupOf)
  return GROUP_NAMES.flatMap((group) => {
    const found = groups.get(group)
    return found === undefined ? [] : [[group, found] satisfies [Group, Visible[]]]
  })
}

/** Hooks, routes and plugins stand side by side; everything else has one meaning, the nearest one. */
const REPEATABLE: readonly RegistrationKind[] = ['hook', 'route', 'plugin']

function hiddenBy(
  contexts: readonly ContextFacts[],
  { kind, name, context }: Registration
): Registration | undefined {
  if (REPEATABLE.includes(kind)) return undefined
  for (let above = parentPath(context); above !== undefined; above = parentPath(above)) {
    const registers = contexts.find(({ path }) => path === above)?.registers ?? []
    const found = registers.find((other) => other.kind === kind && other.name === name)
    if (found !== undefined) return found
  }
  return undefined
}

/** What is registered somewhere, and not seen from here under any such name. */
export function hiddenFrom(contexts: readonly ContextFacts[], path: string): Registration[] {
  const seen = contexts.find((context) => context.path === path)?.sees ?? []
  const keys = new Set(seen.map(keyOf))
  const elsewhere = contexts.flatMap(({ registers }) => registers)
  const hidden = new Map<string, Registration>()
  for (const registration of elsewhere) {
    const key = keyOf(registration)
    if (!keys.has(key) && !hidden.has(key) && !isDoubled(registration, elsewhere))
      hidden.set(key, registration)
  }
  return [...hidden.values()]
}

/** The names of a kind that are registered anywhere: what somebody may ask for. */
export function knownNames(contexts: readonly ContextFacts[], kind: RegistrationKind): string[] {
  const all = contexts
    .flatMap(({ registers }) => registers)
    .filter((registration) => registration.kind === kind)
  return [...new Set(all.map(({ name }) => name))].sort()
}

function keyOf({ kind, name }: Registration): string {
  return `${kind} ${name}`
}
