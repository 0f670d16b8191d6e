import type { FlowDocument, FlowEdge, FlowNode } from '../../flows/document/flow-document.ts'
import {
  type Act,
  type Agent,
  type AgentTool,
  type Each,
  type FlowSpec,
  failsForGood,
  type OffType,
  type Repeat,
  type Segment
} from './flow-spec.ts'

interface DocumentNames {
  readonly slugOf: (flow: number) => string
  readonly contextOf: (context: number) => string
}

/** The document of a generated flow. */
export function documentOf(spec: FlowSpec, names: DocumentNames): FlowDocument {
  const draft = new DocumentDraft(names)
  const { concurrency, everySeconds, watches, list } = spec
  draft.node('start', 'webhook', concurrency === 0 ? {} : { concurrency })
  const starts = ['start.data']
  if (everySeconds > 0) {
    draft.node('ticks', 'schedule', { cron: `*/${everySeconds} * * * * *` })
    draft.node('ticked', 'sim-tick', {}, ['ticks.data'])
    starts.push('ticked.data')
  }
  if (watches !== undefined) {
    draft.node('failures', 'run-failed', { flows: watches.map(names.slugOf) })
    draft.node('told', 'sim-tick', {}, ['failures.data'])
    starts.push('told.data')
  }
  if (list !== undefined) {
    const fields = { every: `${list.everySeconds}s`, url: 'https://list.example/', key: '{id}' }
    draft.node('list', 'watch', { ...fields, first: list.takesFirst ? 'Take all' : 'Skip what is there' })
    starts.push('list.data')
  }
  const ends = draft.sequence(spec.segments, starts)
  if (ends.length > 0) draft.node('end', 'return', {}, ends)
  return {
    name: spec.slug,
    slug: spec.slug,
    context: names.contextOf(spec.context),
    nodes: draft.nodes,
    edges: draft.edges
  }
}

/** What they would do, were they not disabled, would be seen. */
const OFF_FIELDS: Readonly<Record<OffType, Record<string, unknown>>> = {
  'sim-act': { label: 'off', mode: 'fail' },
  delay: { for: '600s' },
  keep: { operation: 'Set', key: 'off' },
  'wait-for-call': { timeout: '' },
  approve: { question: 'Go on?', timeout: '' }
}

class DocumentDraft {
  readonly nodes: FlowNode[] = []
  readonly edges: FlowEdge[] = []
  readonly #names: DocumentNames
  #parent: string | undefined

  constructor(names: DocumentNames) {
    this.#names = names
  }

  node(
    id: string,
    type: string,
    fields: Record<string, unknown>,
    from: readonly string[] = [],
    more: Partial<FlowNode> = {}
  ): void {
    const parent = this.#parent === undefined ? {} : { parent: this.#parent }
    this.nodes.push({ id, type, position: { x: 0, y: 0 }, fields, ...parent, ...more })
    this.wire(from, `${id}.data`)
  }

  wire(from: readonly string[], to: string): void {
    for (const end of from) this.edges.push({ from: end, to })
  }

  /** Returns the outputs that the value leaves by; none where all ways end. */
  sequence(segments: readonly Segment[], from: readonly string[]): readonly string[] {
    let ends = from
    for (const segment of segments) {
      if (ends.length === 0) return ends
      ends = this.#segment(segment, ends)
    }
    return ends
  }

  #segment(segment: Segment, from: readonly string[]): readonly string[] {
    const { id } = segment
    switch (segment.kind) {
      case 'act':
        return this.#act(segment, from)
      case 'if':
        this.node(id, 'if-else', { mode: 'Expression', expression: 'data.v % 2 == 0' }, from)
        return [...this.sequence(segment.yes, [`${id}.true`]), ...this.sequence(segment.no, [`${id}.false`])]
      case 'switch': {
        const cases = segment.cases.map((_, at) => `case ${at}`)
        this.node(id, 'switch', { value: 'case {v}', cases }, from)
        const ways = segment.cases.flatMap((way, at) => this.sequence(way, [`${id}.case-${at}`]))
        return [...ways, ...this.sequence(segment.otherwise, [`${id}.default`])]
      }
      case 'each':
        return this.#each(segment, from)
      case 'repeat':
        return this.#repeat(segment, from)
      case 'agent':
        return this.#agent(segment, from)
      case 'fork':
        return this.#fork(segment, from)
      case 'call':
        this.node(
          id,
          'run-flow',
          { flow: this.#names.slugOf(segment.flow), wait: segment.waits },
          from,
          triedAgain(segment)
        )
        return segment.waits ? [`${id}.data`] : from
      case 'delay':
        this.node(id, 'delay', { for: `${segment.seconds}s` }, from)
        return [`${id}.data`]
      case 'wait':
        this.node(id, 'wait-for-call', { timeout: timeoutOf(segment.seconds) }, from)
        return [`${id}.data`, `${id}.timed_out`]
      case 'approve':
        return this.#approve(segment, from)
      case 'keep':
        this.node(id, 'keep', { operation: 'Set', key: id }, from)
        return [`${id}.data`]
      case 'count':
        this.node(id, 'keep', { operation: 'Increment', key: `count-${id}` }, from)
        return from
      case 'say':
        this.node(`${id}-text`, 'parser', { template: '{v}' }, from)
        this.node(id, 'chat-output', {})
        this.wire([`${id}-text.parsed_text`], `${id}.text`)
        return from
      case 'stop':
        this.node(id, 'stop', { message: 'No further.', code: 'stopped_here' }, from)
        return []
      case 'refer':
        this.node(id, 'sim-refer', { to: `{$nodes.${segment.to}.data.v}` }, from)
        return [`${id}.data`]
      case 'consent':
        return from
      case 'off':
        this.node(id, segment.type, OFF_FIELDS[segment.type], from, { disabled: true })
        return [`${id}.${segment.type === 'approve' ? 'approve' : 'data'}`]
      case 'silent':
        this.node(`${id}-mute`, 'sim-mute', {}, from, { disabled: true })
        this.node(id, 'sim-tick', {}, [`${id}-mute.data`])
        return [...from, `${id}.data`]
    }
  }

  #act(act: Act, from: readonly string[]): readonly string[] {
    const { id } = act
    const isCaught = act.isCaught === true && failsForGood(act)
    this.node(id, typeOf(act), fieldsOf(act), from, {
      ...settingsOf(act),
      ...(isCaught && { on_error: 'output' })
    })
    if (!isCaught) return [`${id}.data`]
    this.node(`${id}-caught`, 'sim-tick', {}, [`${id}.error`])
    return [`${id}.data`, `${id}-caught.data`]
  }

  #each(each: Each, from: readonly string[]): readonly string[] {
    const { id, count, atOnce, failures, body } = each
    this.node(`${id}-list`, 'sim-list', { count }, from)
    this.node(id, 'for-each', { concurrency: atOnce, failures }, [], triedAgain(each))
    this.wire([`${id}-list.items`], `${id}.items`)
    this.#parent = id
    this.wire(this.sequence(body, [`${id}.item`]), `${id}.result`)
    this.#parent = undefined
    this.node(`${id}-fold`, 'sim-fold', {}, [`${id}.results`])
    this.wire([`${id}.errors`], `${id}-fold.errors`)
    return [`${id}-fold.data`]
  }

  #repeat(repeat: Repeat, from: readonly string[]): readonly string[] {
    const { id, most, until, pauseSeconds, body } = repeat
    const fields = { until: `data.v == ${until}`, most, pause: `${pauseSeconds}s` }
    this.node(id, 'repeat', fields, from, triedAgain(repeat))
    this.#parent = id
    this.wire(this.sequence(body, [`${id}.data`]), `${id}.next`)
    this.#parent = undefined
    return [`${id}.data`, `${id}.exhausted`]
  }

  #agent(agent: Agent, from: readonly string[]): readonly string[] {
    const { id, tools, turns, mostSteps, ms, fails } = agent
    const names = turns.map((calls) => calls.map((place) => this.#toolName(tools[place])))
    const fields = { model: 'scripted', max_steps: mostSteps, script: { turns: names, ms, fails } }
    const attempts = fails * (turns.length + 1) + 6
    this.node(id, 'agent', fields, from, { retry: { attempts, backoff_ms: 500, max_backoff_ms: 4_000 } })
    for (const tool of tools) this.#tool(tool, id)
    this.node(`${id}-told`, 'sim-told', {}, [`${id}.text`])
    return [`${id}-told.data`]
  }

  #toolName(tool: AgentTool | undefined): string {
    if (tool === undefined) return 'nobody'
    return tool.does.kind === 'act' ? tool.does.id : this.#names.slugOf(tool.does.flow)
  }

  #tool({ does, asksFirst }: AgentTool, agent: string): void {
    const { id } = does
    if (does.kind === 'act') {
      const tool = { name: id, description: id, arguments: TOOL_ARGUMENTS, ask_first: asksFirst }
      this.node(id, typeOf(does), fieldsOf(does), [], { ...settingsOf(does), tool })
    } else {
      const fields = { flow: this.#names.slugOf(does.flow), wait: true }
      this.node(id, 'run-flow', fields, [], triedAgain(does))
    }
    this.wire([`${id}.tools`], `${agent}.tools`)
  }

  #fork({ id, ways }: Extract<Segment, { kind: 'fork' }>, from: readonly string[]): readonly string[] {
    const ends = ways.map((way) => this.sequence(way, from))
    // What follows would not wait for a way that ends.
    if (ends.some((end) => end.length === 0)) return []
    this.node(id, 'merge', { mode: 'List', inputs: ways.length })
    for (const [at, end] of ends.entries()) this.wire(end, `${id}.in_${at + 1}`)
    this.node(`${id}-join`, 'sim-join', {}, [`${id}.data`])
    return [`${id}-join.data`]
  }

  #approve(
    { id, seconds }: Extract<Segment, { kind: 'approve' }>,
    from: readonly string[]
  ): readonly string[] {
    this.node(id, 'approve', { question: 'Go on with {v}?', timeout: timeoutOf(seconds) }, from)
    const outputs = ['approve', 'reject', 'timed_out'].map((output) => `${id}.${output}`)
    this.node(`${id}-map`, 'sim-decided', {}, outputs)
    return [`${id}-map.data`]
  }
}

const TOOL_ARGUMENTS = { type: 'object', properties: { v: { type: 'number' } }, required: ['v'] }

function typeOf({ isScheduled }: Act): string {
  return isScheduled === true ? 'sim-act-by-schedule' : 'sim-act'
}

function fieldsOf({ id, ms, mode, fails, readsHistory }: Act): Record<string, unknown> {
  return { label: id, ms, mode, fails, history: readsHistory }
}

function settingsOf(act: Act): Partial<FlowNode> {
  return { ...triesOf(act), timeout_ms: act.mode === 'never' ? 5_000 : 3_600_000 }
}

function triesOf({ mode, fails, isScheduled }: Act): Partial<FlowNode> {
  if (mode !== 'flaky') return { retry: { attempts: 1 } }
  // The component has the schedule, and as many attempts.
  return isScheduled === true ? {} : { retry: { attempts: fails + 6, backoff_ms: 500 } }
}

function triedAgain({ attempts = 1 }: { readonly attempts?: number }): Partial<FlowNode> {
  return attempts === 1 ? {} : { retry: { attempts, backoff_ms: 500 } }
}

function timeoutOf(seconds: number): string {
  return seconds === 0 ? '' : `${seconds}s`
}
