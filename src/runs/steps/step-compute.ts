import type { StepCall } from '../../engine/effects.ts'
import type { OutputLimit, Step } from '../../flows/component/component.ts'
import { inTurns } from '../../flows/in-turns.ts'
import { BoundedText, writeJsonTo } from '../../flows/json/bounded-text.ts'
import { writeJson } from '../../flows/json/exact-json.ts'
import { isLong } from '../../flows/json/json-pieces.ts'
import { readAnswer, readLogs } from '../../sandbox/read-answer.ts'
import type { SandboxPool } from '../../sandbox/sandbox-pool.ts'
import type { ExecutableRun } from '../../store/store.ts'
import { keepLog } from './step-logs.ts'

interface ComputingStep {
  readonly call: StepCall
  readonly run: Pick<ExecutableRun, 'id' | 'createdAt' | 'flowId'>
  /** The path of its context. */
  readonly context: string
  readonly sandbox: Pick<SandboxPool, 'compute'>
  readonly outputLimit: () => OutputLimit
  readonly pause: () => Step['pause']
}

/** Lets a step compute in the sandbox. What is the same for the same step is the same inside. */
export function stepCompute({
  call,
  run,
  context,
  sandbox,
  outputLimit,
  pause
}: ComputingStep): Step['compute'] {
  return async ({ data, ...computation }) => {
    const text = isLong(data) ? await longText(data, pause()) : writeJson(data)
    const answer = await sandbox.compute(
      {
        ...computation,
        text,
        now: run.createdAt,
        seed: `${run.id}/${call.node.id}`,
        mostCharacters: outputLimit().bytes
      },
      call.abort.signal,
      { context, flow: run.flowId }
    )
    for (const line of readLogs(answer)) keepLog(call, line)
    return inTurns(readAnswer(answer), { pause: pause() })
  }
}

/** Megabytes hold the thread for as long as they take. */
async function longText(data: unknown, pause: Step['pause']): Promise<string> {
  const text = new BoundedText(Number.POSITIVE_INFINITY)
  await inTurns(writeJsonTo(text, data), { pause })
  return text.toString()
}
