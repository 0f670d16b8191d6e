import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { JsonValue } from '../../../../../src/flows/exact-json.ts'
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

interface StepDetailsProps {
  readonly run: Run
  readonly row: WaterfallRow
  readonly flow: RunFlow
  readonly now: number
}

/** One step: what came in, what it put out, and each of its attempts. */
export function StepDetails({ run, row, flow, now }: StepDetailsProps) {
  const step = run.steps.find(({ node }) => node === row.node)
  const attempts = run.attempts.filter(({ node }) => node === row.node)
  const component = flow.component(row.type)
  const inputs = flow.document === undefined ? undefined : stepInputs(run, flow.document, row.node)
  const isTrigger = component?.trigger != null
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
      <div className={classes.pair}>
        <DetailsSection title="Input">
          {isTrigger ? (
            <ValueView value={run.input} label="input of the run" />
          ) : (
            <Inputs inputs={inputs} portOf={(name) => portOf(component?.inputs, name)} />
          )}
        </DetailsSection>
        <DetailsSection title="Output">
          <Outputs outputs={step?.outputs ?? null} portOf={(name) => portOf(component?.outputs, name)} />
        </DetailsSection>
      </div>
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

function factsOf({ node, durationMs, attempts }: WaterfallRow): string {
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
    return <p className={classes.none}>The version that this run used is gone, so its wires are not known.</p>
  }
  if (inputs.length === 0) return <p className={classes.none}>No wire leads to this node.</p>
  return inputs.map(({ port, from, value }) => (
    <PortValue
      key={`${port} ${from.node} ${from.port}`}
      port={portOf(port)}
      side="input"
      remark={`from ${from.node}`}
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
  if (entries.length === 0) return <p className={classes.none}>This step has no output.</p>
  return entries.map(([port, value]) => (
    <PortValue key={port} port={portOf(port)} side="output" value={value} />
  ))
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
        <p className={classes.none}>No value.</p>
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
