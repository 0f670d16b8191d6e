import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Scenario } from './life/scenario.ts'
import { runMutations } from './mutations/run-mutations.ts'
import { foundBy, search } from './search.ts'
import { simulate } from './simulate.ts'
import { tellFound, tellScenario } from './tell.ts'
import { type Ground, prepareGround } from './template-store.ts'

const HELP = `npm run simulate -- [options]

Plays the life of a service, with all that can go wrong, under a clock and an order of events that a seed decides.

  --seed <n>      one seed, played twice, and shrunk where it breaks a rule
  --store <name>  sqlite (where it is left out), or postgres: on a server of its own, with one or two processes
  --trace         with --seed: everything that happens, in order
  --minutes <m>   fresh seeds for so long (1)
  --from <n>      the first of them; by the time of day where it is left out
  --mutations     puts thirty small faults into a copy of the code, and counts which are found
  --features <a,b,-c>  only seeds that have all of these, and none of those with a minus
  --only <text>   with --mutations: those whose names contain it
  --seeds <n>     with --mutations: by so many seeds each (200)
  --list <n,n,…>  these seeds, a line of JSON for each, up to the first that breaks a rule; --all: all of them
  --pass-over <rule>  a rule whose breach is known, and hides others; may be given several times`

/** For one mutation. */
const MUTATION_MS = 600_000

/** A commit waits for the disk; nobody needs these stores afterwards. */
const MEMORY = '/dev/shm'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    store: { type: 'string', default: 'sqlite' },
    trace: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '1' },
    from: { type: 'string' },
    list: { type: 'string' },
    all: { type: 'boolean', default: false },
    mutations: { type: 'boolean', default: false },
    features: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    seeds: { type: 'string', default: '200' },
    'pass-over': { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean', short: 'h', default: false }
  }
})

const say = (text: string) => void process.stdout.write(`${text}\n`)

const below = existsSync(MEMORY) ? MEMORY : undefined

if (values.help) say(HELP)
else process.exit((await play()) ? 0 : 1)

async function play(): Promise<boolean> {
  if (values.mutations) return playMutations()
  const ground = { ...(await prepare()), passedOver: new Set(values['pass-over']) }
  try {
    if (values.list !== undefined) return await playList(ground, values.list.split(',').map(Number))
    return values.seed === undefined ? await playMany(ground) : await playOne(ground, Number(values.seed))
  } finally {
    await ground.end()
  }
}

async function prepare(): Promise<Ground> {
  if (values.store !== 'postgres') return prepareGround(below)
  const { prepareOwnServer } = await import('./postgres/own-server.ts')
  return prepareOwnServer()
}

function playMutations(): Promise<boolean> {
  const { only } = values
  return runMutations({ below, say, only, seeds: Number(values.seeds), ms: MUTATION_MS })
}

async function playList(ground: Ground, seeds: readonly number[]): Promise<boolean> {
  for (const seed of seeds) {
    if (leavesOut(ground.scenarioOf(seed))) continue
    const { violation } = await simulate(ground.scenarioOf(seed), ground)
    const rule = violation?.rule ?? null
    say(JSON.stringify({ seed, rule }))
    if (rule !== null && !values.all) return false
  }
  return true
}

async function playOne(ground: Ground, seed: number): Promise<boolean> {
  const scenario = ground.scenarioOf(seed)
  const verdict = await simulate(scenario, { ...ground, keepsTrace: values.trace })
  const again = await simulate(scenario, ground)
  for (const line of [...verdict.trace, ...tellScenario(scenario)]) say(line)
  say(`${verdict.steps} steps, ${verdict.runs} runs, ${verdict.effects} effects, hash ${verdict.hash}`)
  if (again.hash !== verdict.hash) {
    say(`Played again it came out another way: hash ${again.hash}. The simulation itself is at fault.`)
    return false
  }
  if (verdict.violation === undefined) return true
  say(tellFound(await foundBy(seed, verdict, ground)))
  return false
}

function leavesOut({ features }: Scenario): boolean {
  const wanted = values.features.split(',').filter((feature) => feature !== '')
  return !wanted.every((one) =>
    one.startsWith('-') ? !features.includes(one.slice(1)) : features.includes(one)
  )
}

async function playMany(ground: Ground): Promise<boolean> {
  const from = values.from === undefined ? Math.floor(Date.now() / 1000) : Number(values.from)
  const until = performance.now() + Number(values.minutes) * 60_000
  const { seeds, played, found } = await search({
    ground,
    from,
    shouldContinue: () => performance.now() < until,
    leavesOut,
    onBroken: (seed, { rule }) => say(`Seed ${seed} breaks a rule, and is being shrunk: ${rule}.`),
    onFound: (one) => say(tellFound(one))
  })
  say(`${played} of ${seeds} seeds from ${from} on; ${found.length} rules were broken.`)
  return found.length === 0
}
