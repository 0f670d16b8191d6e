import type { Flow } from '../../../editor/graph/flow.ts'

export interface ModelChoice {
  readonly connection: string
  readonly model: string
}

const KEY = 'millrace.assistant-model'

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>

/** What was asked last on this machine, else what the flow asks itself, else the first connection: as far as it is offered. */
export function firstChoice(storage: Storage, flow: Flow, offered: readonly string[]): ModelChoice {
  const known = [remembered(storage), ...namedIn(flow)]
  const fitting = known.find((choice) => choice !== undefined && offered.includes(choice.connection))
  return fitting ?? { connection: offered[0] ?? '', model: '' }
}

export function rememberChoice(storage: Storage, choice: ModelChoice): void {
  try {
    storage.setItem(KEY, JSON.stringify(choice))
  } catch {
    // The browser keeps nothing: it is chosen again.
  }
}

const NO_DATA = 'millrace.assistant-no-data'

/** Whether a model may see data of runs: who has said no once is not asked to say it again. */
export function firstMayShow(storage: Storage): boolean {
  return storage.getItem(NO_DATA) === null
}

export function rememberMayShow(
  storage: Storage & Pick<globalThis.Storage, 'removeItem'>,
  may: boolean
): void {
  try {
    if (may) storage.removeItem(NO_DATA)
    else storage.setItem(NO_DATA, 'true')
  } catch {
    // As above.
  }
}

function remembered(storage: Storage): ModelChoice | undefined {
  try {
    return asChoice(JSON.parse(storage.getItem(KEY) ?? 'null'))
  } catch {
    return undefined
  }
}

function namedIn({ nodes }: Flow): (ModelChoice | undefined)[] {
  return nodes
    .filter(({ type }) => type === 'language-model' || type === 'agent')
    .map(({ fields }) => asChoice(fields))
}

function asChoice(value: unknown): ModelChoice | undefined {
  const { connection, model } = Object(value) as Readonly<Record<string, unknown>>
  const isOne = typeof connection === 'string' && typeof model === 'string' && model !== ''
  return isOne ? { connection, model } : undefined
}
