import { counted } from '../../../flows/counted.ts'
import type { Tone } from '../print/paint.ts'
import { harmless } from '../print/width.ts'
import type { Remote } from '../remote.ts'
import type { Plan } from './plan.ts'

const SIGNS: Readonly<Record<string, readonly [sign: string, tone: Tone | undefined]>> = {
  create: ['+', 'good'],
  change: ['~', 'busy'],
  delete: ['-', 'bad'],
  differs: ['≠', 'dim'],
  missing: ['!', 'bad']
}

interface Line {
  readonly action: string
  readonly name: string
  readonly more: string
}

/** What a push would do, line by line. */
export function tellPlan(plan: Plan, { screen }: Remote): void {
  const lines = [...settingLines(plan), ...plan.flows.map(flowLine)]
  for (const { action, name, more } of lines) {
    const [sign, tone] = SIGNS[action] ?? [undefined, undefined]
    if (sign === undefined) continue
    const told = more === '' ? '' : `  ${harmless(more)}`
    screen.print(`${screen.paint(tone, `${sign} ${harmless(name)}`)}${told}\n`)
  }
  for (const each of plan.missing) screen.note(missingText(each))
  for (const each of plan.left) screen.note(leftText(each))
  screen.note(`${plan.valid ? 'Plan' : 'Not valid'}: ${summary(plan).text}.`)
}

function settingLines({ contexts, connections }: Plan): Line[] {
  return [
    ...contexts.map(({ path, action, changes }) => ({
      action,
      name: `context ${path}`,
      more: told(action, changes)
    })),
    ...connections.map(({ name, context, kind, action, changes }) => ({
      action,
      name: `connection ${name} (${kind}) in ${context}`,
      more: told(action, changes)
    }))
  ]
}

function flowLine({ slug, context, action, changes, edited }: Plan['flows'][number]): Line {
  const by = edited?.author ? ` by ${edited.author}` : ''
  const told = [changes ?? '', edited === null ? '' : `a draft of it${by} stays`]
  return {
    action,
    name: `${context === '/' ? '' : context}/${slug}`,
    more: told.filter((text) => text !== '').join('; ')
  }
}

function missingText({ name, context, kinds, flows }: Plan['missing'][number]): string {
  const names = `${flows.join(', ')} ${flows.length === 1 ? 'names' : 'name'}`
  return `Missing in ${context}: the connection "${harmless(name)}" (${kinds.join(' or ')}), which ${names}. Make it on the page or by the API; until then steps with it fail.`
}

function leftText({ context, flows }: Plan['left'][number]): string {
  const names = flows.length > 5 ? counted(flows.length, 'flow') : flows.join(', ')
  return `Left alone in ${context}: ${names}. The folder has nothing of that context. To delete its flows, push with --context ${context} --delete, or add its context.yaml.`
}

function told(action: string, changes: readonly string[]): string {
  if (action === 'differs') return `${changes.join(', ')} differ; left as they are, --settings changes them`
  if (action === 'missing') return 'needs its secrets: make it on the page or by the API'
  return changes.join(', ')
}

export function summary({ flows, contexts, connections }: Plan): {
  readonly changes: number
  readonly text: string
} {
  const count = (action: string) => flows.filter((flow) => flow.action === action).length
  const settings = [...contexts, ...connections].filter(
    ({ action }) => action === 'create' || action === 'change'
  ).length
  const [made, changed, deleted] = [count('create'), count('change'), count('delete')]
  const parts = [
    made > 0 ? `${counted(made, 'flow')} new` : '',
    changed > 0 ? `${counted(changed, 'flow')} changed` : '',
    deleted > 0 ? `${counted(deleted, 'flow')} deleted` : '',
    settings > 0 ? `${counted(settings, 'setting')} of contexts and connections` : '',
    `${count('unchanged')} unchanged`
  ]
  return {
    changes: made + changed + deleted + settings,
    text: parts.filter((part) => part !== '').join(', ')
  }
}
