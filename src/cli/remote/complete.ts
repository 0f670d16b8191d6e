import { nextWords } from '../../../scripts/complete.mjs'
import { type Command, declared } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { Api } from './api.ts'
import type { Given } from './destination.ts'
import { findDestination } from './find-destination.ts'
import { allFlows } from './flows/flow-named.ts'
import type { Outside } from './outside.ts'
import { harmless } from './print/width.ts'
import { profilePath, readProfiles } from './profiles/profile-file.ts'
import { listedRuns } from './runs/run-choice.ts'

type Name = readonly [name: string, does: string]

/** Whoever presses Tab does not wait for longer. */
const TIMEOUT_MS = 2_000
const MOST_RUNS = 50

const ASK: Readonly<Record<string, (api: Api) => Promise<Name[]>>> = {
  flows: async (api) => (await allFlows(api)).map(({ slug, name }) => [slug, name]),
  runs: async (api) =>
    (await Array.fromAsync(listedRuns(api, {}, MOST_RUNS))).map(({ id, status, summary }) => [
      id,
      `${status} ${summary}`
    ]),
  keys: async (api) =>
    (await list<{ id: string; name: string }>(api, 'keys')).map(({ id, name }) => [name, id]),
  connections: async (api) =>
    (await list<{ name: string; kind: string }>(api, 'connections')).map(({ name, kind }) => [name, kind]),
  contexts: async (api) => (await list<{ path: string }>(api, 'contexts')).map(({ path }) => [path, ''])
}

/** The names that only a service or the profiles know; no names where they cannot be had, and never an error. */
export async function complete({ operands }: Command<'complete'>, outside: Outside): Promise<void> {
  const ask = nextWords(declared, operands.words)?.ask
  if (ask === undefined) return
  try {
    const names = await namesOf(ask, operands.words, outside)
    outside.output.write(names.map((name) => `${name.map(harmless).join('\t')}\n`).join(''))
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
  }
}

async function namesOf(ask: string, typed: readonly string[], outside: Outside): Promise<Name[]> {
  const { env, home, platform, signal } = outside
  if (ask === 'profiles') {
    const { profiles } = await readProfiles(profilePath(env, home, platform))
    return Object.entries(profiles).map(([name, { url }]) => [name, url])
  }
  const api = new Api({ ...(await findDestination(givenIn(typed), outside)), signal, timeoutMs: TIMEOUT_MS })
  return (await ASK[ask]?.(api)) ?? []
}

/** The service that is named in what is typed. */
function givenIn(typed: readonly string[]): Given {
  const after = (option: string) => {
    const at = typed.indexOf(option)
    return at === -1 ? undefined : typed[at + 1]
  }
  return { url: after('--url'), key: after('--key'), profile: after('--profile') }
}

async function list<Item>(api: Api, what: string): Promise<readonly Item[]> {
  return (await api.call<Record<string, Item[]>>(`/api/v1/${what}`))[what] ?? []
}
