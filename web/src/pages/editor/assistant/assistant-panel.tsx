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
  // What came to nothing stands there again, to be asked anew.
  const isFailed = isStopped || problem !== undefined || end?.error != null
  const again = isFailed ? last : undefined
  const repaired = repair ?? again?.repair
  const room = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // On a phone its keyboard would cover what is to be looked at.
    const field = matchMedia('(pointer: fine)').matches ? room.current?.querySelector('textarea') : undefined
    const place = field ?? room.current
    place?.focus({ preventScroll: true })
  }, [])
  // What was used a moment ago has gone, and the focus with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is about the moment in which that changes.
  useEffect(() => {
    if (document.activeElement === document.body) room.current?.focus({ preventScroll: true })
  }, [asking === undefined])
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
          key={repaired === undefined ? 'ask' : `${repaired.run} ${repaired.node}`}
          task={taskOf(repaired, proposal !== undefined, isEmpty)}
          words={again?.words ?? ''}
          repair={repaired}
          onNoRepair={() => {
            setRepair(undefined)
            setLast(undefined)
          }}
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

function taskOf(repaired: Repair | undefined, isProposed: boolean, isEmpty: boolean) {
  if (repaired !== undefined) return 'repair'
  if (isProposed) return 'go on'
  return isEmpty ? 'describe' : 'change'
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
