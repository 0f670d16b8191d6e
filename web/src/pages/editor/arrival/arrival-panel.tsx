import { Button, Loader } from '@mantine/core'
import { useRun } from '../../../api/runs.ts'
import { CopyButton } from '../../../design/copy-button.tsx'
import { IconEar } from '../../../design/icons/editor-icons.ts'
import { LoadingState } from '../../../design/loading-state.tsx'
import { ProblemNote } from '../../../design/problem-note.tsx'
import { FocusedPanel } from '../node-parts/focused-panel.tsx'
import { useTesting } from '../session/testing-context.ts'
import classes from './arrival.module.css'
import { Arrived } from './arrived.tsx'

/** Waits for one real request, shows what is in it, and offers what fits. */
export function ArrivalPanel() {
  const { listening } = useTesting()
  const { landed, isArmed, address } = listening
  return (
    <FocusedPanel>
      <div className={classes.panel}>
        {landed === undefined ? (
          <Waiting isArmed={isArmed} address={address} onListen={() => void listening.listen()} />
        ) : (
          <>
            <LandedRun run={landed} />
            <Button variant="default" size="compact-sm" onClick={() => void listening.listen()}>
              Wait for another one
            </Button>
          </>
        )}
      </div>
    </FocusedPanel>
  )
}

interface WaitingProps {
  readonly isArmed: boolean
  readonly address: string | undefined
  readonly onListen: () => void
}

function Waiting({ isArmed, address, onListen }: WaitingProps) {
  if (!isArmed) {
    return (
      <>
        <p className={classes.text}>
          Send one real request, and build the flow from what is in it. Nothing is live yet.
        </p>
        <Button leftSection={<IconEar size={16} aria-hidden />} onClick={onListen}>
          Listen
        </Button>
      </>
    )
  }
  return (
    <>
      <p className={classes.text} role="status">
        <Loader size={12} aria-hidden /> Listening: the next request shows its keys here.
      </p>
      {address !== undefined && <Address address={address} />}
    </>
  )
}

function Address({ address }: { readonly address: string }) {
  const curl = `curl -X POST '${address}' -H 'content-type: application/json' -d '{"order_id": 7, "total": 129.5, "email": "ann@example.com"}'`
  return (
    <>
      <p className={classes.text}>
        Let the sender send it here, by the test button in its settings, or send one yourself. For an hour
        this address tries the draft, and asks for no key.
      </p>
      <div className={classes.copied}>
        <output aria-label="Test address">{address}</output>
        <CopyButton text={address} label="Copy the test address" />
      </div>
      <div className={classes.copied}>
        <code>{curl}</code>
        <CopyButton text={curl} label="Copy the curl command" />
      </div>
    </>
  )
}

function LandedRun({ run: id }: { readonly run: string }) {
  const { data: run, error } = useRun(id)
  if (error !== null) return <ProblemNote error={error} />
  if (run === undefined) return <LoadingState rows={4} height={20} />
  return <Arrived payload={run.input} headers={run.request?.headers ?? {}} />
}
