/**
 * Reads what the steps of a drill wrote to their ledger, with a line `kill` after each death of a process, and
 * judges it by the promise that Millrace makes of steps that reach outside:
 *
 * J1  Within one life of the process that began it a step begins once, wherever.
 * J2  A step begins again only after a kill, and only where it was the last step of its run that had begun: what
 *     came before it was checkpointed when it began. So a kill repeats at most one step of a run, and a step
 *     begins at most once more than kills hit it.
 * J3  A step begins only after the step before it has ended.
 * J4  Each attempt has a higher number than the one before, and all attempts carry one idempotency key.
 * J5  A run that was answered as succeeded never begins a step in a later life.
 * J6  A run that another one waits for begins no step once that one has gone on to a step of its own.
 * J7  What is retried begins no step that was recorded as succeeded before. A line `retry` stands where all had come to
 *     rest and those that had failed were retried. That a step has ended is not enough: a kill may have come before the record.
 *
 * Where processes share a ledger, each writes its name at the end of its lines, and `kill` names the one that died.
 * Lives are then counted over all of them together.
 */
export interface LedgerVerdict {
  /** Steps that ended, by run. */
  readonly ended: ReadonlyMap<string, ReadonlySet<string>>
  /** Steps that a kill cut off between their two lines. */
  readonly cutOff: number
  /** Steps that were begun again. */
  readonly repeated: number
  /** Of those, steps whose effect was complete, and only its checkpoint was not. */
  readonly repeatedAfterEffect: number
  readonly illegal: readonly string[]
}

interface StepHistory {
  readonly writer: string
  /** How often that process had died before. */
  readonly deaths: number
  readonly attempt: number
  readonly key: string
  isOpen: boolean
  hasEnded: boolean
}

interface WayHistory {
  /** The furthest step that has begun, as its place in the flow. */
  furthest: number
  readonly steps: Map<string, StepHistory>
}

interface Line {
  readonly text: string
  readonly run: string
  readonly node: string
  readonly attempt: number
  readonly key: string
  readonly mark: 'begin' | 'end'
  readonly writer: string
}

/** To be written when a process has died and before anything else happens. */
export function killLine(writer = ''): string {
  return writer === '' ? 'kill\n' : `kill ${writer}\n`
}

/** To be written when all runs have come to rest and before the first of them is retried. */
export const RETRY_LINE = 'retry\n'

/** Whether a step has begun and not ended since the last kill. */
export function hasOpenStep(text: string): boolean {
  const open = new Set<string>()
  for (const line of text.split('\n')) {
    const [, step, mark] = /^(.*) (begin|end)$/.exec(line) ?? []
    if (line === 'kill') open.clear()
    else if (mark === 'begin') open.add(step!)
    else if (mark === 'end') open.delete(step!)
  }
  return open.size > 0
}

export interface LedgerToJudge {
  readonly text: string
  /** The nodes that write to the ledger: those of one run, in the order in which they run. */
  readonly ways: readonly (readonly string[])[]
  /** Runs that were answered as succeeded, with the life that answered; lives count from 1. */
  readonly answered?: ReadonlyMap<string, number>
  /** Runs that another one waits for, with that one; it reaches outside only after their end. */
  readonly parents?: ReadonlyMap<string, string>
  /** Steps that were recorded as succeeded when runs were retried, by run. */
  readonly recorded?: ReadonlyMap<string, { has(node: string): boolean }>
}

export function judgeLedger({
  text,
  ways,
  answered = new Map(),
  parents = new Map(),
  recorded = new Map()
}: LedgerToJudge): LedgerVerdict {
  const judge = new Judge({ ways, answered, parents, recorded })
  for (const line of text.split('\n')) {
    const killed = /^kill(?: (\S+))?$/.exec(line)
    if (killed !== null) judge.kill(killed[1] ?? '')
    else if (`${line}\n` === RETRY_LINE) judge.retry()
    else if (line !== '') judge.read(readLine(line))
  }
  return judge.verdict()
}

class Judge {
  readonly #facts: Required<Omit<LedgerToJudge, 'text'>>
  /** By run, and by the first node of the way. */
  readonly #runs = new Map<string, Map<string, WayHistory>>()
  readonly #open = new Set<StepHistory>()
  readonly #deaths = new Map<string, number>()
  readonly #illegal: string[] = []
  #life = 1
  #isRetried = false
  #cutOff = 0
  #repeated = 0
  #repeatedAfterEffect = 0

  constructor(facts: Required<Omit<LedgerToJudge, 'text'>>) {
    this.#facts = facts
  }

  kill(writer: string): void {
    for (const step of this.#open) {
      if (step.writer !== writer) continue
      this.#cutOff++
      this.#open.delete(step)
    }
    this.#deaths.set(writer, this.#deathsOf(writer) + 1)
    this.#life++
  }

  retry(): void {
    this.#isRetried = true
  }

  #deathsOf(writer: string): number {
    return this.#deaths.get(writer) ?? 0
  }

  #isAlive(step: StepHistory | undefined): boolean {
    return step !== undefined && step.deaths === this.#deathsOf(step.writer)
  }

  read(line: Line): void {
    const nodes = this.#facts.ways.find((way) => way.includes(line.node)) ?? []
    const ways = this.#runs.get(line.run) ?? new Map<string, WayHistory>()
    const way = ways.get(nodes[0] ?? '') ?? { furthest: -1, steps: new Map() }
    if (line.mark === 'begin') this.#begin(line, way, nodes)
    else this.#end(line, way.steps.get(line.node))
    this.#runs.set(line.run, ways.set(nodes[0] ?? '', way))
  }

  #begin(line: Line, way: WayHistory, nodes: readonly string[]): void {
    const before = way.steps.get(line.node)
    for (const fault of this.#faults(line, way, nodes)) this.#illegal.push(`${fault}: ${line.text}`)
    if (before !== undefined) this.#repeated++
    if (before?.hasEnded === true) this.#repeatedAfterEffect++
    const { attempt, key, writer } = line
    const deaths = this.#deathsOf(writer)
    const step = { writer, deaths, attempt, key, isOpen: true, hasEnded: before?.hasEnded === true }
    way.steps.set(line.node, step)
    way.furthest = Math.max(way.furthest, nodes.indexOf(line.node))
    this.#open.add(step)
  }

  #faults(line: Line, way: WayHistory, nodes: readonly string[]): string[] {
    const place = nodes.indexOf(line.node)
    const before = way.steps.get(line.node)
    const ahead = way.steps.get(nodes[place - 1] ?? '')
    const answeredIn = this.#facts.answered.get(line.run) ?? Number.POSITIVE_INFINITY
    const checks: [isFault: boolean, what: string][] = [
      [place < 0, 'begun by a node that the flow does not have'],
      [this.#isAlive(before), 'J1: begun twice in one life'],
      [place < way.furthest, 'J2: begun again after a later step had begun'],
      [place > 0 && ahead?.hasEnded !== true, 'J3: begun before the step ahead of it had ended'],
      [before !== undefined && line.attempt <= before.attempt, 'J4: its attempt was not counted up'],
      [before !== undefined && line.key !== before.key, 'J4: another idempotency key'],
      [this.#life > answeredIn, 'J5: begun after its run had ended'],
      [
        this.#isRetried && this.#facts.recorded.get(line.run)?.has(line.node) === true,
        'J7: begun again by a retry after it was recorded as succeeded'
      ],
      [
        this.#runs.has(this.#facts.parents.get(line.run) ?? ''),
        'J6: begun after the run that waits for it had gone on'
      ]
    ]
    return checks.filter(([isFault]) => isFault).map(([, what]) => what)
  }

  #end(line: Line, step: StepHistory | undefined): void {
    if (step === undefined || !step.isOpen || !this.#isAlive(step) || step.writer !== line.writer) {
      this.#illegal.push(`ended without having begun: ${line.text}`)
      return
    }
    step.isOpen = false
    step.hasEnded = true
    this.#open.delete(step)
  }

  verdict(): LedgerVerdict {
    const ended = new Map<string, Set<string>>()
    for (const [run, ways] of this.#runs) {
      const steps = [...ways.values()].flatMap((way) => [...way.steps])
      ended.set(run, new Set(steps.filter(([, step]) => step.hasEnded).map(([node]) => node)))
    }
    return {
      ended,
      cutOff: this.#cutOff,
      repeated: this.#repeated,
      repeatedAfterEffect: this.#repeatedAfterEffect,
      illegal: this.#illegal
    }
  }
}

function readLine(text: string): Line {
  const match = /^(\S+) (\S+) (\d+) (\S+) (begin|end)(?: (\S+))?$/.exec(text)
  if (match === null) throw new Error(`the ledger has a line that nobody wrote: ${text}`)
  const [, run, node, attempt, key, mark, writer = ''] = match
  return {
    text,
    run: run!,
    node: node!,
    attempt: Number(attempt),
    key: key!,
    mark: mark as Line['mark'],
    writer
  }
}
