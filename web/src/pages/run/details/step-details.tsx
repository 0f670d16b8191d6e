import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { JsonValue } from '../../../../../src/flows/json/exact-json.ts'
import type { ComponentFacts } from '../../../api/components.ts'
import type { Run } from '../../../api/shapes.ts'
import { duration } from '../../../design/format-time.ts'
import { IconTopologyStar3 } from '../../../design/icons/page-icons.ts'
import { StateBadge } from '../../../design/state-badge.tsx'
import { ValueView } from '../../../design/value-view/value-view.tsx'
import { canvasLink } from '../run-error.tsx'
import type { RunFlow } from '../use-run-flow.ts'
import type { WaterfallRow } from '../waterfall/lay-out.ts'
import { AttemptList } from './attempt-list.tsx'
import classes from './details.module.css'
import { DetailsSection } from './details-section.tsx'
import { type StepInput, stepInputs } from './step-inputs.ts'
import { StepLog } from './step-log.tsx'

interface StepDetailsProps {
  readonly run: Run
  readonly row: WaterfallRow
  readonly flow: RunFlow
  readonly now: number
  /** Between what it is and what came in. */
  readonly children?: React.ReactNode
}

/** One step: what came in, what it put out, the settings that it had then, and each of its attempts. */
export function StepDetails({ run, row, flow, now, children }: StepDetailsProps) {
  const step = run.steps.find(({ node }) => node === row.node)
  const attempts = run.attempts.filter(({ node }) => node === row.node)
  const component = flow.component(row.type)
  const inputs = flow.document === undefined ? undefined : stepInputs(run, flow.document, row.node)
  const fields = (flow.document?.nodes.find(({ id }) => id === row.node)?.fields ?? {}) as Record<
    string,
    JsonValue
  >
  const isTrigger = component?.trigger != null
  const ports = flow.outputsOf(row.node) ?? component?.outputs
  return (
    <>
      <header className={classes.stepHead}>
        <h2 className={classes.stepTitle}>{flow.titleOf(row)}</h2>
        <StateBadge state={row.state} />
        <span className={classes.stepFacts}>{factsOf(row)}</span>
        {!flow.isGone && (
          <Button
            size="xs"
            variant="default"
            component={Link}
            to={canvasLink(run, row.node)}
            leftSection={<IconTopologyStar3 size={14} aria-hidden />}
          >
            Show on the canvas
          </Button>
        )}
      </header>
      {step?.error != null && run.error?.node !== row.node && (
        <p className={classes.stepError}>{step.error.message}</p>
      )}
      {attempts.length > 1 || row.state === 'waiting' ? (
        <AttemptList attempts={attempts} run={run} now={now} />
      ) : null}
      {children}
      <div className={classes.pair}>
        <DetailsSection title="Input">
          {isTrigger ? (
            <ValueView value={run.input} label="input of the run" />
          ) : (
            <Inputs inputs={inputs} portOf={(name) => portOf(component?.inputs, name)} />
          )}
        </DetailsSection>
        <DetailsSection title="Output">
          <Outputs outputs={step?.outputs ?? null} portOf={(name) => portOf(ports, name)} />
          {step !== undefined && isSettled(row.state) && (
            <SilentOutputs outputs={step.outputs} ports={ports} />
          )}
        </DetailsSection>
      </div>
      {Object.keys(fields).length > 0 && (
        <DetailsSection title="Settings that it ran with">
          <ValueView value={fields} label="settings of the step" />
        </DetailsSection>
      )}
      {step?.logs !== undefined && <StepLog lines={step.logs} />}
    </>
  )
}

interface Port {
  readonly title: string
  readonly isTable: boolean
}

function portOf(ports: ComponentFacts['outputs'] | undefined, name: string): Port {
  const port = ports?.[name]
  return { title: port?.title ?? name, isTable: port?.type === 'table' }
}

function factsOf({ node, durationMs, attempts, isPinned }: WaterfallRow): string {
  if (isPinned) return `${node} · pinned: not run, its output was taken from the pin`
  const took = durationMs === null ? [] : [duration(durationMs)]
  const tries = attempts > 1 ? [`${attempts} attempts`] : []
  return [node, ...took, ...tries].join(' · ')
}

interface InputsProps {
  readonly inputs: readonly StepInput[] | undefined
  readonly portOf: (name: string) => Port
}

function Inputs({ inputs, portOf }: InputsProps) {
  if (inputs === undefined) {
    return (
      <p className={classes.empty}>The version that this run used is gone, so its wires are not known.</p>
    )
  }
  if (inputs.length === 0) return <p className={classes.empty}>No wire leads to this node.</p>
  return inputs.map(({ port, from, value, isTaken }) => (
    <PortValue
      key={`${port} ${from.node} ${from.port}`}
      port={portOf(port)}
      side="input"
      remark={`from ${from.node}.${from.port}${value !== undefined && !isTaken ? ', not taken: a wire before it brought a value' : ''}`}
      value={value}
    />
  ))
}

interface OutputsProps {
  readonly outputs: Readonly<Record<string, JsonValue>> | null
  readonly portOf: (name: string) => Port
}

function Outputs({ outputs, portOf }: OutputsProps) {
  const entries = Object.entries(outputs ?? {})
  if (entries.length === 0) return <p className={classes.empty}>This step has no output.</p>
  return entries.map(([port, value]) => (
    <PortValue key={port} port={portOf(port)} side="output" value={value} />
  ))
}

/** A branch that was not taken, or what a failed step did not come to give. */
function SilentOutputs({
  outputs,
  ports = {}
}: {
  readonly outputs: Readonly<Record<string, JsonValue>> | null
  readonly ports: ComponentFacts['outputs'] | undefined
}) {
  const silent = Object.keys(ports).filter((name) => outputs === null || !Object.hasOwn(outputs, name))
  if (outputs === null || silent.length === 0) return null
  return (
    <p className={classes.silent}>
      Nothing came out at {silent.map((name) => ports[name]!.title).join(', ')}.
    </p>
  )
}

function isSettled(state: string): boolean {
  return state === 'succeeded' || state === 'failed'
}

interface PortValueProps {
  readonly port: Port
  readonly side: 'input' | 'output'
  readonly remark?: string
  readonly value: JsonValue | undefined
}

function PortValue({ port: { title, isTable }, side, remark, value }: PortValueProps) {
  return (
    <div className={classes.port}>
      <h3 className={classes.subtitle}>
        {title}
        {remark !== undefined && <span className={classes.remark}> {remark}</span>}
      </h3>
      {value === undefined ? (
        <p className={classes.empty}>Nothing came over this wire.</p>
      ) : (
        <ValueView
          value={value}
          label={`${side} ${title}`}
          {...(isTable ? { initialView: 'table' as const } : {})}
        />
      )}
    </div>
  )
}
