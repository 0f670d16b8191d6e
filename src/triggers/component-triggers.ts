import type { Clock } from '../clock.ts'
import { StepError } from '../engine/step-error.ts'
import { messageOf } from '../errors.ts'
import type { StartRunOptions, StopTrigger } from '../flows/component/trigger.ts'
import { type JsonValue, writeJson } from '../flows/json/exact-json.ts'
import type { Start } from '../runs/record/new-run.ts'
import type { Runs } from '../runs/runs.ts'
import { liveNode, type Reach } from '../runs/steps/live-node.ts'
import type { TriggerFault } from '../store/triggers.ts'
import { eventDelivery } from './event-delivery.ts'
import { type Attempt, TriggerLife } from './trigger-life.ts'
import { keyOf } from './trigger-marks.ts'
import type { TriggerNode } from './trigger-nodes.ts'
import type { TriggerSource } from './trigger-source.ts'

interface ComponentTriggersDeps {
  readonly clock: Clock
  readonly runs: Pick<Runs, 'start' | 'startOnce'>
  readonly outside: Reach
  /** With the variables of its context filled in. */
  readonly fieldsOf: (trigger: TriggerNode) => Readonly<Record<string, JsonValue>>
  readonly isMine: () => boolean
  readonly keepFault: (flowId: string, node: string, fault: TriggerFault | null) => void
  readonly onError: (error: unknown, doing: string) => void
}

/** The triggers of plugins: each component starts and stops its own. */
export class ComponentTriggers implements TriggerSource {
  readonly #deps: ComponentTriggersDeps
  /** By flow and node; the next version of a trigger waits for the end of the one before. */
  readonly #lives = new Map<string, Promise<TriggerLife>>()

  constructor(deps: ComponentTriggersDeps) {
    this.#deps = deps
  }

  takes({ component }: TriggerNode): boolean {
    return component.start !== undefined
  }

  begin(trigger: TriggerNode): void {
    const key = keyOf(trigger.flow.id, trigger.node.id)
    const before = this.#lives.get(key)
    const life = Promise.resolve(before?.then((last) => last.end())).then(() => this.#life(trigger))
    this.#lives.set(key, life)
  }

  async end(flowId: string, node: string): Promise<void> {
    const key = keyOf(flowId, node)
    const life = this.#lives.get(key)
    if (life === undefined) return
    await (await life).end()
    if (this.#lives.get(key) === life) this.#lives.delete(key)
  }

  #life(trigger: TriggerNode): TriggerLife {
    const { clock, onError, keepFault } = this.#deps
    const { flow, node } = trigger
    const name = `trigger "${node.id}" of flow ${flow.slug}`
    return new TriggerLife({
      clock,
      name,
      start: async (attempt) => this.#start(trigger, attempt),
      onFault: (error) => {
        if (error !== null) onError(error, `starting ${name}`)
        keepFault(flow.id, node.id, error === null ? null : { message: messageOf(error), at: clock.now() })
      },
      onError
    })
  }

  // biome-ignore lint/suspicious/noConfusingVoidType: as a component's start does
  async #start(trigger: TriggerNode, { signal, failed }: Attempt): Promise<StopTrigger | void> {
    const { flow, node, component } = trigger
    const { id, version, context } = flow
    const { node: live, secrets } = liveNode(
      { node: node.id, flow: { id, version, context }, fields: this.#deps.fieldsOf(trigger) },
      this.#deps.outside,
      signal
    )
    const redacted = (error: unknown) => (secrets.isEmpty ? error : secrets.redactError(error))
    try {
      return await component.start!({
        ...live,
        startRun: (input, options) => this.#startRun(trigger, signal, input, options),
        failed: (error) => failed(redacted(error))
      })
    } catch (error) {
      throw redacted(error)
    }
  }

  async #startRun(
    { flow, node, component }: TriggerNode,
    signal: AbortSignal,
    input: JsonValue,
    { id }: StartRunOptions = {}
  ): Promise<string> {
    signal.throwIfAborted()
    if (!this.#deps.isMine()) throw lost(node.id)
    const start: Start = { flow, trigger: component.trigger!, input: Buffer.from(writeJson(input)) }
    if (id === undefined) return (await this.#deps.runs.start(start)).id
    const acceptance = await this.#deps.runs.startOnce(start, [eventDelivery(flow.id, node.id, id)])
    return acceptance.verdict === 'accepted' ? acceptance.run.id : acceptance.runId
  }
}

function lost(node: string): StepError {
  return new StepError(
    `Trigger "${node}" belongs to another process now. Do not acknowledge the event: it is taken there.`,
    { code: 'trigger_stopped', retryable: false }
  )
}
