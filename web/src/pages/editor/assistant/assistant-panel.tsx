import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { ProblemNote } from '../../../design/problem-note.tsx'
import type { Repair } from '../asked-for.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { AskForm } from './ask-form.tsx'
import classes from './assistant.module.css'
import { Progress } from './progress.tsx'
import { ProposalView } from './proposal-view.tsx'
import { NO_TALK } from './talk.ts'
import { type Question, useTalk } from './use-talk.ts'

/** Asks a model for changes of the flow, and shows what it proposes. Nothing of that is kept until somebody says so. */
export function AssistantPanel({ repair: asked }: { readonly repair: Repair | undefined }) {
  const editor = useEditor()
  const control = useTalk()
  const { talk, asking, problem, isStopped } = control
  const [repair, setRepair] = useState(asked)
  const [last, setLast] = useState<Question | undefined>()
  const isEmpty = useEditorState(({ flow }) => flow.nodes.length === 0)
  const ask = (question: Question) => {
    setLast(question)
    setRepair(undefined)
    void control.ask(question)
  }
  const { end, proposal } = talk
  const room = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // On a phone its keyboard would cover what is to be looked at.
    const field = matchMedia('(pointer: fine)').matches ? room.current?.querySelector('textarea') : undefined
    const place = field ?? room.current
    place?.focus({ preventScroll: true })
  }, [])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape leaves the panel, wherever in it somebody is.
    <div
      ref={room}
      tabIndex={-1}
      className={classes.panel}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        editor.closePanel()
      }}
    >
      {talk.turns.length > 0 && <Said talk={talk} />}
      {end?.error != null && asking === undefined && (
        <p className={classes.failed} role="alert">
          {end.error.message}
        </p>
      )}
      <ProblemNote error={problem} />
      {isStopped && (
        <p className={classes.quiet} role="status">
          Stopped. Nothing was changed.
        </p>
      )}
      {proposal !== undefined && asking === undefined && (
        <ProposalView
          proposal={proposal}
          onTested={(run) => control.change({ ...talk, proposal: { ...proposal, run } })}
          onRepair={
            last === undefined
              ? undefined
              : (failed) => ask({ ...last, words: '', run: undefined, repair: failed })
          }
          onDone={() => control.change(NO_TALK)}
        />
      )}
      {asking === undefined ? (
        <AskForm
          key={repair === undefined ? 'ask' : `${repair.run} ${repair.node}`}
          task={
            repair !== undefined
              ? 'repair'
              : proposal !== undefined
                ? 'go on'
                : isEmpty
                  ? 'describe'
                  : 'change'
          }
          repair={repair}
          onNoRepair={() => setRepair(undefined)}
          onAsk={ask}
        />
      ) : (
        <>
          <Progress asking={asking} />
          <Button variant="default" onClick={control.stop}>
            Stop
          </Button>
        </>
      )}
    </div>
  )
}

function Said({ talk: { turns, end } }: { readonly talk: ReturnType<typeof useTalk>['talk'] }) {
  return (
    <section aria-label="What was said">
      <ol className={classes.turns}>
        {turns.map(({ asked, answered }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: turns are added at the end, and never reordered.
          <li key={index}>
            <p className={classes.asked}>{asked}</p>
            {answered !== '' && <p className={classes.answered}>{answered}</p>}
          </li>
        ))}
      </ol>
      {end !== undefined && end.usage.calls > 0 && <p className={classes.quiet}>{usageInWords(end.usage)}</p>}
    </section>
  )
}

function usageInWords({
  calls,
  input_tokens,
  output_tokens,
  cost
}: NonNullable<ReturnType<typeof useTalk>['talk']['end']>['usage']) {
  const tokens = (input_tokens + output_tokens).toLocaleString('en')
  const price = cost === null ? 'no price is set for the model' : `it cost ${cost.toFixed(4)}`
  return `Asked ${calls === 1 ? 'once' : `${calls} times`}, ${tokens} tokens; ${price}.`
}
