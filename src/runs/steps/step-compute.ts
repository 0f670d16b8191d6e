import type { StepCall } from '../../engine/effects.ts'
import { StepError } from '../../engine/step-error.ts'
import type { OutputLimit, RunView, Step } from '../../flows/component/component.ts'
import { inTurns } from '../../flows/in-turns.ts'
import { BoundedText, writeJsonTo } from '../../flows/json/bounded-text.ts'
import { type JsonValue, writeJson } from '../../flows/json/exact-json.ts'
import { isLong } from '../../flows/json/json-pieces.ts'
import type { StepFiles } from '../../flows/step/step-files.ts'
import { readAnswer, readLogs } from '../../sandbox/read-answer.ts'
import type { SandboxPool } from '../../sandbox/sandbox-pool.ts'
import type { ExecutableRun } from '../../store/store.ts'
import { keepLog } from './step-logs.ts'

interface ComputingStep {
  readonly call: StepCall
  readonly run: Pick<ExecutableRun, 'id' | 'createdAt' | 'flowId'>
  /** The path of its context. */
  readonly context: string
  /** What its code reads of the run is among them. */
  readonly variables: RunView['variables']
  readonly sandbox: Pick<SandboxPool, 'compute'>
  readonly outputLimit: () => OutputLimit
  readonly pause: () => Step['pause']
  readonly files: () => StepFiles
}

/** Lets a step compute in the sandbox. What is the same for the same step is the same inside. */
export function stepCompute({
  call,
  run,
  context,
  variables,
  sandbox,
  outputLimit,
  pause,
  files
}: ComputingStep): Step['compute'] {
  return async ({ data, ...computation }) => {
    const text = await textOf(data, pause())
    const named = referencesOf(call, variables)
    const others = named === undefined ? {} : { others: await textOf(named, pause()) }
    const read = new Map<string, Uint8Array>()
    for (;;) {
      const answer = await sandbox.compute(
        {
          ...computation,
          text,
          ...others,
          now: run.createdAt,
          seed: `${run.id}/${call.node.id}`,
          mostCharacters: outputLimit().bytes,
          ...(read.size > 0 && { files: read })
        },
        call.abort.signal,
        { context, flow: run.flowId }
      )
      if (answer.state === 'file') {
        await readFile(String(answer.file), read, files())
        continue
      }
      for (const line of readLogs(answer)) keepLog(call, line)
      return inTurns(readAnswer(answer), { pause: pause() })
    }
  }
}

const MOST_FILES = 100
const MOST_BYTES = 25 * 1024 ** 2

/** Code comes to the same whenever it is run, so it is run again with the file that it asked for. */
async function readFile(id: string, read: Map<string, Uint8Array>, files: StepFiles): Promise<void> {
  if (read.size >= MOST_FILES || read.has(id))
    throw new StepError(
      `The code reads more than ${MOST_FILES} files, which is the most. Read fewer at once.`,
      {
        code: 'file_too_large',
        retryable: false
      }
    )
  const left = [...read.values()].reduce((rest, { byteLength }) => rest - byteLength, MOST_BYTES)
  read.set(id, await (await files.open(id)).bytes(left))
}

/** What code sees by name beside its data: `nodes` and `run`, where it reads them. */
function referencesOf({ node }: StepCall, { nodes, run }: RunView['variables']): JsonValue | undefined {
  const { names } = node.references ?? {}
  if (names === undefined) return undefined
  return { ...(names.has('nodes') && { nodes: nodes! }), ...(names.has('run') && { run: run! }) }
}

function textOf(value: unknown, pause: Step['pause']): string | Promise<string> {
  return isLong(value) ? longText(value, pause) : writeJson(value)
}

/** Megabytes hold the thread for as long as they take. */
async function longText(data: unknown, pause: Step['pause']): Promise<string> {
  const text = new BoundedText(Number.POSITIVE_INFINITY)
  await inTurns(writeJsonTo(text, data), { pause })
  return text.toString()
}
