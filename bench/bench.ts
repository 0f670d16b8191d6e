import { cpus } from 'node:os'
import { capacity } from './capacity.ts'
import { acceptGroup } from './figures/accept.ts'
import { agentGroup } from './figures/agent.ts'
import { answersGroup } from './figures/answers.ts'
import { apiRequestGroup } from './figures/api-request.ts'
import { codeGroup } from './figures/code.ts'
import { contextsGroup } from './figures/contexts.ts'
import { dataGroup } from './figures/data.ts'
import { type Figure, isReached, mustText } from './figures/figure.ts'
import { firstTokenGroup } from './figures/first-token.ts'
import { firstTokenChatsGroup } from './figures/first-token-chats.ts'
import type { Bench, FigureGroup } from './figures/group.ts'
import { inFlightGroup } from './figures/in-flight.ts'
import { knowledgeGroup } from './figures/knowledge.ts'
import { memoryGroup } from './figures/memory.ts'
import { millionGroup } from './figures/million.ts'
import { pageCanvasGroup } from './figures/page-canvas.ts'
import { pageOpenGroup } from './figures/page-open.ts'
import { pageRunsGroup } from './figures/page-runs.ts'
import { postgresGroup } from './figures/postgres.ts'
import { postgresWaitsGroup } from './figures/postgres-waits.ts'
import { sqlGroup } from './figures/sql.ts'
import { startGroup } from './figures/start.ts'
import { streamsGroup } from './figures/streams.ts'
import { uploadsGroup } from './figures/uploads.ts'
import { waitsGroup } from './figures/waits.ts'
import { CONNECTIONS, PAYLOAD } from './load.ts'
import { type BenchOptions, readBenchOptions } from './options.ts'
import { textTable } from './table.ts'
import { openWorkspace } from './workspace.ts'

const GROUPS: readonly FigureGroup[] = [
  acceptGroup,
  answersGroup,
  uploadsGroup,
  apiRequestGroup,
  sqlGroup,
  dataGroup,
  inFlightGroup,
  firstTokenGroup,
  firstTokenChatsGroup,
  agentGroup,
  knowledgeGroup,
  streamsGroup,
  startGroup,
  memoryGroup,
  contextsGroup,
  millionGroup,
  waitsGroup,
  codeGroup,
  pageOpenGroup,
  pageCanvasGroup,
  pageRunsGroup
]

/** They need a PostgreSQL server, which they start. */
const POSTGRES_GROUPS: readonly FigureGroup[] = [postgresGroup, postgresWaitsGroup]

const ABOUT = `The durable path is measured as it is served: every 202 comes after the fsync of its group commit, and the
three steps run and their result is stored. ${CONNECTIONS} connections, POSTs of ${PAYLOAD.length} bytes to the example flow "orders", loopback,
the load generator in a process of its own. Ratios are medians over rounds that alternate with a bare Fastify;
rounds that other work on the machine disturbed are repeated, at most as often again.`

const HELP = `npm run bench -- [options]

${ABOUT}

  --rounds <n>     rounds per ratio (5)
  --seconds <n>    seconds of load per round and server (4)
  --only <list>    of ${GROUPS.map((group) => group.key).join(',')}
  --json           print JSON and nothing else
  --help           print this
  --postgres       instead: ${POSTGRES_GROUPS.map((group) => group.about).join('; ')}
  --capacity       instead: what 1 to 64 workers on one PostgreSQL would do; has a --help of its own

${GROUPS.map(({ key, about }) => `  ${key.padEnd(12)} ${about}`).join('\n')}

Exit code 1 when a figure is missed, 2 when an option is wrong.`

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--capacity')) return capacity(args)
  const groups = args.includes('--postgres') ? POSTGRES_GROUPS : GROUPS
  let options: BenchOptions
  try {
    const keys = groups.map((group) => group.key)
    options = readBenchOptions(args, keys)
  } catch (error) {
    console.error((error as Error).message)
    return 2
  }
  if (options.help) {
    console.log(HELP)
    return 0
  }
  const figures = await measureAll(groups, options)
  console.log(options.json ? JSON.stringify(report(options, figures), null, 2) : print(figures))
  return figures.every(isReached) ? 0 : 1
}

async function measureAll(groups: readonly FigureGroup[], options: BenchOptions): Promise<Figure[]> {
  const say = (line: string) => {
    if (!options.json) console.error(line)
  }
  const figures: Figure[] = []
  for (const group of groups) {
    if (!options.only.includes(group.key)) continue
    figures.push(...(await measureGroup(group, { options, say })))
  }
  return figures
}

/** A group that fails counts as missed; the others are still measured. */
async function measureGroup(group: FigureGroup, bench: Omit<Bench, 'workspace'>): Promise<Figure[]> {
  const workspace = openWorkspace()
  try {
    return await group.measure({ ...bench, workspace })
  } catch (error) {
    const detail = `FAILED: ${error instanceof Error ? error.message : String(error)}`
    bench.say(`${group.key}: ${detail}`)
    return group.targets.map((target) => ({ ...target, measured: null, detail }))
  } finally {
    workspace.close()
  }
}

function print(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    measuredText(figure),
    mustText(figure),
    figure.must === undefined ? '' : isReached(figure) ? 'ok' : 'NOT',
    figure.detail.split('\n')[0]!
  ])
  const table = textTable([['Figure', 'Measured', 'Must reach', '', 'How'], ...rows], [1])
  return `\n${table}\n\n${ABOUT}\n${machine()}`
}

function measuredText({ measured, unit }: Figure): string {
  if (measured === null) return '–'
  return unit === '' ? measured.toFixed(2) : `${measured.toFixed(0)} ${unit}`
}

function report({ rounds, seconds }: BenchOptions, figures: readonly Figure[]) {
  return {
    durable: 'fsync on; every 202 after the commit',
    machine: machine(),
    rounds,
    seconds,
    connections: CONNECTIONS,
    payloadBytes: PAYLOAD.length,
    ok: figures.every(isReached),
    figures: figures.map((figure) => ({ ...figure, ok: isReached(figure) }))
  }
}

function machine(): string {
  const cores = cpus()
  return `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cores.length} × ${cores[0]?.model ?? 'CPU'}`
}

process.exitCode = await main(process.argv.slice(2))
