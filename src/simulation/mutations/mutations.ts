/** A small fault that is put into a copy of the code. */
export interface Mutation {
  readonly name: string
  /** Below `src/`. */
  readonly file: string
  /** Stands there exactly once. */
  readonly from: string
  readonly to: string
  /** Which seeds are to find it, where it shows in few lives: see the options of the command. All of SQLite's where it is left out. */
  readonly store?: 'sqlite' | 'postgres'
  readonly features?: string
  readonly seeds?: number
}

const CHILDREN = 'store/sqlite/runs/children'

/** Each of them is what somebody might do by mistake: a guard that is lost, an order that is swapped, a word left out. */
export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'one item more than may go on at the same time',
    file: `${CHILDREN}/siblings.ts`,
    from: 'Math.max(0, atOnce - (siblings.left - siblings.inLine))',
    to: 'Math.max(0, atOnce + 1 - (siblings.left - siblings.inLine))'
  },
  {
    name: 'the youngest item has the next turn',
    file: `${CHILDREN}/siblings.ts`,
    from: '} ORDER BY seq LIMIT ? + 0',
    to: '} ORDER BY seq DESC LIMIT ? + 0'
  },
  {
    name: 'an item that ends gives no turn',
    file: `${CHILDREN}/siblings.ts`,
    from: 'if (hadTurn && !isStopped(siblings)) giveTurns(siblings.no, 1, at)',
    to: 'if (hadTurn && isStopped(siblings)) giveTurns(siblings.no, 1, at)'
  },
  {
    name: 'the end of the last child wakes nobody',
    file: `${CHILDREN}/siblings.ts`,
    from: 'open.due(siblings.run_seq, at)',
    to: 'void open'
  },
  {
    name: 'a turn that came is not cleared',
    file: 'store/sqlite/runs/queue-rows.ts',
    from: 'SET state = ?, due_at = ?, begins_paused = NULL WHERE',
    to: 'SET state = ?, due_at = ? WHERE'
  },
  {
    name: 'what was paused is not taken up when its flow is resumed',
    file: 'store/sqlite/runs/queue-rows.ts',
    from: 'resume.run(flowId)\n      return seqs',
    to: 'resume.run(flowId)\n      return seqs.slice(1)'
  },
  {
    name: 'a call wakes no run that is parked',
    file: 'store/sqlite/runs/waits/waits.ts',
    from: 'open.due(run.seq, at)',
    to: 'open.has(run)'
  },
  {
    // To forget one takes two faults: it is in the journal, and in the row of the wait.
    name: 'an early call is refused',
    file: 'store/sqlite/runs/waits/waits.ts',
    from: "if (row === undefined) return isEarly ? undefined : 'none'",
    to: "if (row === undefined) return 'none'"
  },
  {
    name: 'a wait takes a second call',
    file: 'store/sqlite/runs/waits/waits.ts',
    from: "if (row.state !== 'open') return row.state",
    to: "if (row.state === 'over') return row.state"
  },
  {
    name: 'a wait that ended before the run was parked wakes nobody',
    file: 'store/sqlite/runs/journal-run.ts',
    from: 'Math.min(dueAt ?? NEVER, endedAt ?? NEVER, orphanedAt)',
    to: 'Math.min(dueAt ?? NEVER, endedAt === null ? NEVER : NEVER, orphanedAt)'
  },
  {
    name: 'a delivery is not remembered',
    file: 'store/sqlite/runs/accept-once.ts',
    from: 'if (repetition !== undefined) return repetition',
    to: "if (repetition?.verdict === 'other body') return repetition"
  },
  {
    name: 'a kept value is changed again by a step that is tried again',
    file: 'store/sqlite/library/change-kept.ts',
    from: "'SELECT result FROM kept_changes WHERE run_seq = ? AND node = ? AND change = ?'",
    to: "'SELECT result FROM kept_changes WHERE run_seq = -? AND node = ? AND change = ?'"
  },
  {
    name: 'what a run says again is there twice',
    file: 'store/sqlite/runs/print-messages.ts',
    from: 'messages.filter(({ id }) => !known.has(id))',
    to: 'messages.filter(({ id }) => id.length > 0 || known.has(id))',
    features: 'say'
  },
  {
    name: 'one run more than the flow may have at the same time',
    file: 'runs/dispatch/dispatcher.ts',
    from: 'return active < limit &&',
    to: 'return active <= limit &&'
  },
  {
    name: 'what an earlier process left is not taken up',
    file: 'runs/dispatch/dispatcher.ts',
    from: 'this.#lane(flowId).mayBeBehind()\n    this.#schedule()',
    to: 'void flowId\n    this.#schedule()'
  },
  {
    name: 'nobody looks for the next run that is due',
    file: 'runs/dispatch/due-watch.ts',
    from: 'if (dueAt !== null) this.#lookAt(dueAt)',
    to: 'if (dueAt === null) this.#lookAt(now)'
  },
  {
    name: 'a write that is refused is not tried again',
    file: 'runs/execute/persistence.ts',
    from: "error.code === 'store_unwritable'",
    to: "error.code !== 'store_unwritable'"
  },
  {
    name: 'a child that was started is offered to nobody',
    file: 'runs/run-acceptance.ts',
    from: 'this.#deps.backlog.entered()\n    this.#accepted(run)',
    to: 'this.#deps.backlog.entered()'
  },
  {
    name: 'what a cancelled run started goes on',
    file: `${CHILDREN}/orphaned.ts`,
    from: 'isDropped.get(seq) !== undefined || isCancelledAbove(seq)',
    to: 'isDropped.get(seq) !== undefined && isCancelledAbove(seq)'
  },
  {
    name: 'a context is deleted under its runs',
    file: 'library/context-library.ts',
    from: 'if (hasUnfinishedRuns) {',
    to: 'if (hasUnfinishedRuns && path.length > 1_000) {'
  },
  {
    name: 'a run is handed back while what it saved is on its way',
    file: 'engine/execution.ts',
    from: 'if (saves !== undefined) saves',
    to: 'if (saves !== undefined && isToPark) saves',
    // In a process alone, what is on its way is written before the store is closed.
    store: 'postgres',
    features: 'restart,-each,-ticks,-many,-burst,-call,-die',
    seeds: 2_000
  },
  {
    name: 'a run is parked while what it saved is on its way',
    file: 'engine/execution.ts',
    from: 'if (saves !== undefined) saves',
    to: 'if (saves !== undefined && !isToPark) saves',
    features: 'fork,shaky',
    seeds: 2_000
  },
  {
    name: 'an agent forgets what it has asked',
    file: 'components/language-model/agent/run-agent.ts',
    from: 'await way.recall()',
    to: 'void way.recall',
    features: 'agent'
  },
  {
    name: 'an agent acts in a branch that is not taken',
    file: 'engine/settle.ts',
    from: 'if (isOneOfAll === true) continue',
    to: 'void isOneOfAll',
    features: 'agent,branch'
  },
  {
    name: 'a Repeat does not pause',
    file: 'components/logic/repeat.ts',
    from: 'const until = last.endedAt + pauseOf(step.fields.pause)',
    to: 'const until = last.endedAt - pauseOf(step.fields.pause)',
    features: 'repeat'
  },
  {
    name: 'each round begins with what the first one did',
    file: 'components/logic/repeat.ts',
    from: 'return begin(step, last.index + 1, data)',
    to: 'return begin(step, last.index + 1, inputs.data)',
    features: 'repeat'
  },
  {
    name: 'what stands outside does not come to the inside of a region',
    file: 'runs/children/outside-values.ts',
    from: 'const given = settled.get(id)?.outputs',
    to: "const given = settled.get(id + '-')?.outputs",
    features: 'refer,each'
  },
  {
    name: 'what was cancelled with an agent stays cancelled',
    file: 'components/language-model/agent/run-agent.ts',
    from: 'await this.#step.children.calls.goOn(from)',
    to: 'void this.#step.children.calls',
    features: 'agent,approve,cancel,retry',
    seeds: 6_000
  },
  {
    name: 'what a Watch had noted has no run after a kill',
    file: 'triggers/watch/watch-life.ts',
    from: 'if (!hasLeft(known)) return known',
    to: 'if (!hasLeft(known) || known.mark > 0) return known',
    features: 'listed'
  },
  {
    name: 'If-Else goes the other way',
    file: 'components/logic/if-else.ts',
    from: 'return holds ? { true: data } : { false: data }',
    to: 'return holds ? { false: data } : { true: data }'
  }
]
