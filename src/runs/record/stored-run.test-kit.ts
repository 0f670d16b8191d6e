import { NOON } from '../../clock.test-kit.ts'
import type { StepRecord } from '../../engine/step-record.ts'
import type { AcceptedRun, StoredRun } from '../../store/store.ts'

const utf8 = new TextEncoder()

export function acceptedRun(
  seq: number,
  more: Partial<Omit<AcceptedRun, 'input'>> & { input?: string } = {}
): AcceptedRun {
  const { input = '{}', ...rest } = more
  return {
    id: `run-${seq}`,
    seq,
    flowId: 'flow-1',
    flowVersion: 1,
    trigger: 'webhook',
    session: 'default',
    createdAt: NOON,
    request: null,
    replayOf: null,
    context: null,
    ...rest,
    input: utf8.encode(input)
  }
}

type More = Partial<Omit<StoredRun, 'input'>> & { input?: string }

export function storedRun(seq: number, { outcome = null, journal = [], ...more }: More = {}): StoredRun {
  return { ...acceptedRun(seq, more), outcome, journal }
}

export function stepRecord(node: string, more: Partial<StepRecord> = {}): StepRecord {
  return {
    node,
    type: 'pure',
    status: 'succeeded',
    attempts: 1,
    startedAt: NOON,
    durationMs: 0.4,
    outputs: { out: node },
    error: null,
    ...more
  }
}
