import { writeJson } from '../../../flows/json/exact-json.ts'
import type { Command } from '../../command.ts'
import { FlowNames } from '../flows/flow-names.ts'
import { toneOf } from '../print/paint.ts'
import type { Screen } from '../print/screen.ts'
import { lasting } from '../print/times.ts'
import { harmless, harmlessLines } from '../print/width.ts'
import type { Remote } from '../remote.ts'
import { type Run, runPath } from './run-choice.ts'
import { tookText } from './run-columns.ts'

export async function showRun(
  { operands, options }: Command<'runs show'>,
  { api, screen }: Remote
): Promise<void> {
  const run = await api.call<Run>(runPath(operands.run))
  if (screen.isJson) return screen.json(run)
  printRun(run, await new FlowNames(api).of(run.flow_id), screen, options.outputs)
}

/** For people: what came of it first, then its steps. */
export function printRun(run: Run, flow: string, screen: Screen, withOutputs: boolean): void {
  screen.list(factsOf(run, flow, screen))
  if (run.steps.length > 0) {
    screen.print('\n')
    printSteps(run, screen)
  }
  printValue('Input', run.input, screen)
  if (withOutputs) {
    for (const { node, outputs } of run.steps)
      for (const [name, value] of Object.entries(outputs ?? {})) printValue(`${node}.${name}`, value, screen)
  }
  for (const { sender, text } of run.messages) printValue(`${sender} says`, text, screen)
  if (run.output !== null) printValue('Output', run.output, screen)
}

function factsOf(run: Run, flow: string, { paint }: Screen): (readonly [string, string])[] {
  const facts: [string, string][] = [
    ['Run', run.id],
    ['Flow', `${harmless(flow)}, version ${run.flow_version}`],
    ['Status', paint(toneOf(run.status), run.status)],
    ['Started by', `${run.test ? 'a test, ' : ''}${run.trigger}`],
    ['Accepted', run.created_at],
    ['Took', tookText(run)],
    ['Replay of', run.replay_of ?? ''],
    [
      'Waits for',
      run.waiting
        .map(({ node, kind, until }) => `${node}: ${kind}${until === null ? '' : ` until ${until}`}`)
        .join(', ')
    ],
    ['Error', run.error === null ? '' : harmless(run.error.message)]
  ]
  return facts.filter(([, value]) => value !== '')
}

function printSteps({ steps }: Run, screen: Screen): void {
  screen.table(
    [
      { title: 'STEP', of: ({ node }) => node, tone: () => 'strong', shrinks: true },
      { title: 'TYPE', of: ({ type }) => type, shrinks: true, leaves: 2 },
      { title: 'STATUS', of: ({ status }) => status, tone: ({ status }) => toneOf(status) },
      { title: 'TRIES', of: ({ attempts }) => String(attempts), align: 'right', leaves: 1 },
      {
        title: 'TOOK',
        of: ({ duration_ms }) => (duration_ms === null ? '' : lasting(duration_ms)),
        align: 'right'
      },
      { title: 'ERROR', of: ({ error }) => error?.message ?? '', shrinks: true }
    ],
    steps
  )
}

function printValue(title: string, value: unknown, { print, paint }: Screen): void {
  const text = typeof value === 'string' ? value : writeJson(value, 2)
  print(`\n${paint('dim', harmless(title))}\n${harmlessLines(text).trimEnd()}\n`)
}
