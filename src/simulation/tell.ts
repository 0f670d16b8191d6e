import type { Agent, FlowSpec, Segment } from './life/flow-spec.ts'
import type { Scenario } from './life/scenario.ts'
import type { Found } from './search.ts'

/** What somebody needs to see the fault again. */
export function tellFound({ seed, violation, message, shrunk }: Found): string {
  return [
    `Seed ${seed} breaks the rule: ${violation.rule}.`,
    `  ${violation.message}`,
    `  Again: npm run simulate -- ${shrunk.processes === undefined ? '' : '--store postgres '}--seed ${seed}`,
    `  Shrunk: ${message}`,
    ...tellScenario(shrunk).map((line) => `    ${line}`)
  ].join('\n')
}

export function tellScenario({
  flows,
  events,
  answers,
  disorder,
  sizes,
  places,
  retentionMs,
  processes,
  unheard
}: Scenario): string[] {
  const { windowRuns, windowBytes, page, duePage, below } = sizes
  const world = `answers ${answers}, disorder ${disorder}, window ${windowRuns} runs ${windowBytes} bytes, pages ${page.runs} and ${duePage.runs}, below ${below}, places ${places}`
  const shared = processes === undefined ? '' : `, processes ${processes}, unheard ${unheard ?? 0}`
  return [
    `${world}${retentionMs === null ? '' : `, retention ${retentionMs} ms`}${shared}`,
    ...flows.map(tellFlow),
    ...events.map(({ at, kind, ...details }) => `${at} ms: ${kind} ${JSON.stringify(details)}`)
  ]
}

function tellFlow({ slug, context, concurrency, everySeconds, watches, list, segments }: FlowSpec): string {
  const facts = [
    ...(context > 0 ? [`in c${context}`] : []),
    ...(concurrency > 0 ? [`${concurrency} at a time`] : []),
    ...(everySeconds > 0 ? [`every ${everySeconds} s`] : []),
    ...(list === undefined ? [] : [`watches ${JSON.stringify(list)}`]),
    ...(watches === undefined ? [] : [`watches ${watches.map((flow) => `flow-${flow}`).join(' and ')}`])
  ]
  return `${slug}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}: ${tellSegments(segments)}`
}

function tellSegments(segments: readonly Segment[]): string {
  return segments.map(tellSegment).join(' → ')
}

function tellSegment(segment: Segment): string {
  const { kind, id } = segment
  switch (kind) {
    case 'act':
      return `${id} (${segment.mode}, ${segment.ms} ms${segment.readsHistory ? ', reads the session' : ''})`
    case 'if':
      return `${id} {even: ${tellSegments(segment.yes)}; odd: ${tellSegments(segment.no)}}`
    case 'switch':
      return `${id} {${[...segment.cases, segment.otherwise].map(tellSegments).join('; ')}}`
    case 'fork':
      return `${id} {${segment.ways.map(tellSegments).join(' | ')}}`
    case 'each':
      return `${id} (${segment.count} items, ${segment.atOnce} at a time, ${segment.failures}${tellTries(segment)}) {${tellSegments(segment.body)}}`
    case 'repeat':
      return `${id} (until ${segment.until}, ${segment.most} rounds, pause ${segment.pauseSeconds} s${tellTries(segment)}) {${tellSegments(segment.body)}}`
    case 'agent':
      return tellAgent(segment)
    case 'refer':
      return `${id} (to ${segment.to})`
    case 'call':
      return `${id} (${segment.waits ? 'waits for' : 'starts'} flow-${segment.flow}${tellTries(segment)})`
    case 'delay':
    case 'wait':
    case 'approve':
      return `${id} (${segment.seconds} s)`
    default:
      return id
  }
}

function tellAgent({ id, tools, turns, mostSteps, ms, fails }: Agent): string {
  const told = tools.map(({ does, asksFirst }) => `${tellSegment(does)}${asksFirst ? ' asked first' : ''}`)
  return `${id} (${mostSteps} steps, ${ms} ms, refuses ${fails}, calls ${JSON.stringify(turns)}) [${told.join(', ')}]`
}

function tellTries({ attempts = 1 }: { readonly attempts?: number }): string {
  return attempts === 1 ? '' : `, ${attempts} attempts`
}
