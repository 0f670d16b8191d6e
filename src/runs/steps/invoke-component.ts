import type { OpenedSecrets } from '../../connections/opened-secrets.ts'
import type { StepCall } from '../../engine/effects.ts'
import type { PlannedNode } from '../../engine/plan.ts'
import { StepError } from '../../engine/step-error.ts'
import { isThenable } from '../../engine/thenable.ts'
import type { Step } from '../../flows/component/component.ts'
import { inTurns, type Pacer, type Turns } from '../../flows/in-turns.ts'
import { StepWait, type Woken } from '../../flows/step/step-wait.ts'
import type { FilesOfStep } from '../files/files-of-step.ts'
import { runCalled } from './called-step.ts'
import { fieldsOf } from './fields-of-step.ts'
import { withTools } from './offered-tools.ts'
import { redactMessagesInTurns } from './redact-messages.ts'
import type { RunInContext, StartedRuns } from './run-in-context.ts'
import type { RunScope } from './run-scope.ts'
import { stepArguments } from './step-arguments.ts'
import type { StepWatch } from './step-watch.ts'

/**
 * Runs the component of a step inside the hooks of its context. What the component returns, says, logs or throws
 * is rid of the secrets that it opened before hooks, journal or anybody else sees it. What it keeps, asks in a wait or gives to
 * runs that it starts is not. A pure component opens none, so it is not asked.
 */
export function invokeComponent(call: StepCall, around: RunInContext, watch: StepWatch): unknown {
  if (call.node.component.open === undefined) return invoke(call, around, watch, undefined)
  const { run, context, outside } = around
  const { node, abort } = call
  const flow = { id: run.flowId, version: run.flowVersion, context: context.path }
  const fields = fieldsOf(call, context.variables)
  return outside.resources.use(
    { node, flow, fields, signal: abort.signal, pacer: around.pacing.begin(abort) },
    (opened) => {
      // To open it may have taken a while, and others have computed meanwhile.
      watch.began(run.seq, node.index)
      try {
        return invoke(call, around, watch, opened)
      } finally {
        watch.left()
      }
    }
  )
}

function invoke(call: StepCall, around: RunInContext, watch: StepWatch, opened: unknown): unknown {
  const step = stepArguments(call, around, opened)
  const { aroundStep }: RunScope = around.context
  if (aroundStep === undefined) return execute(call, step, step)
  return aroundStep((inner) => {
    // Hooks may have waited first, and others have computed meanwhile.
    watch.began(around.run.seq, call.node.index)
    try {
      return execute(call, inner, step)
    } finally {
      watch.left()
    }
  }, step)
}

/** `inner`: the arguments as hooks have left them. */
function execute(call: StepCall, inner: Step, step: OpensSecrets): unknown {
  const run = () => withTools(call.node, inner, () => runOrResume(call, inner))
  return call.node.effects === 'pure' ? run() : withoutSecrets(run, call, step)
}

function runOrResume({ node, woken }: StepCall, step: Step): unknown {
  const go = (own: Step) => goOn(node, own, woken)
  return node.called === undefined ? go(step) : runCalled(node, step, woken, go)
}

function goOn({ component, type }: PlannedNode, step: Step, woken: Woken | undefined): unknown {
  if (woken === undefined) return component.run(step)
  if (component.resume !== undefined) return component.resume(step, woken)
  throw new StepError(
    `The step waited, and the component "${type}" has no "resume" to go on with. Add one, or do not return step.wait().`,
    { code: 'step_cannot_resume', retryable: false }
  )
}

interface OpensSecrets extends Pacer {
  readonly openedSecrets: OpenedSecrets | undefined
  readonly usedFiles: FilesOfStep | undefined
  readonly startedRuns: StartedRuns | undefined
}

function withoutSecrets(run: () => unknown, call: StepCall, step: OpensSecrets): unknown {
  const returned = (value: unknown) => {
    const secrets = step.openedSecrets
    const told = secrets === undefined ? value : inTurns(redacted(value, call, secrets), step)
    const [files, asked] = [step.usedFiles, step.startedRuns?.written?.()]
    if (files === undefined && asked === undefined) return told
    return Promise.all([files?.settle(), asked]).then(() => told)
  }
  const failed = (thrown: unknown): unknown => {
    const [files, asked] = [step.usedFiles, step.startedRuns?.written?.()]
    if (files === undefined && asked === undefined) return fail(thrown)
    // It fails with what went wrong first.
    return Promise.allSettled([files?.letGo(), asked]).then(() => fail(thrown))
  }
  const fail = (thrown: unknown): unknown => {
    const secrets = step.openedSecrets
    if (secrets === undefined) throw thrown
    return inTurns(failure(thrown, call, secrets), step)
  }
  let result: unknown
  try {
    result = run()
    // A thenable may throw from `then`, and a promise may be a class of the plugin's own.
    if (!isThenable(result)) return returned(result)
  } catch (thrown) {
    return failed(thrown)
  }
  return new Promise((resolve) => resolve(result)).then(returned, failed)
}

function* redacted(value: unknown, call: StepCall, secrets: OpenedSecrets): Turns<unknown> {
  yield* redactMessagesInTurns(call, secrets)
  return value instanceof StepWait ? value : yield* secrets.redactInTurns(value)
}

function* failure(thrown: unknown, call: StepCall, secrets: OpenedSecrets): Turns<never> {
  yield* redactMessagesInTurns(call, secrets)
  throw secrets.redactError(thrown)
}
