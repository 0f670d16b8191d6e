import { Autocomplete, Button, Select } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { nameOf, ROOT } from '../../../../../src/contexts/context-path.ts'
import {
  type ContextFacts,
  type Explanation,
  type Question,
  type RegistrationKind,
  useExplanation
} from '../../../api/contexts.ts'
import { IconHelpCircle } from '../../../design/icons/contexts-icons.ts'
import { ProblemNote } from '../../../design/problem-note.tsx'
import { ExplanationCard } from './explanation-card.tsx'
import { KIND_WORDS } from './kind-words.ts'
import classes from './visible.module.css'
import { knownNames } from './visible-groups.ts'

interface ExplainFormProps {
  readonly contexts: readonly ContextFacts[]
  readonly context: string
  readonly question: Question | undefined
  readonly onAsk: (question: Pick<Question, 'kind' | 'name'>) => void
  readonly onChoose: (path: string) => void
  readonly onAnswer: (answer: Explanation | undefined) => void
}

/** Type a name, and get told why it is visible here, or why not and what to do. */
export function ExplainForm({ contexts, context, question, onAsk, onChoose, onAnswer }: ExplainFormProps) {
  const [kind, setKind] = useState<RegistrationKind>('component')
  const [name, setName] = useState('')
  const answer = useExplanation(question)
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    onAnswer(question === undefined ? undefined : answer.data)
    return () => onAnswer(undefined)
  }, [question, answer.data, onAnswer])
  useEffect(() => {
    if (question === undefined) return
    setKind(question.kind)
    setName(question.name)
    // Asked for far below, in the list of what is hidden.
    card.current?.scrollIntoView({ block: 'nearest' })
  }, [question])
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') onAsk({ kind, name: name.trim() })
  }
  return (
    <div ref={card} className={classes.explain}>
      <form className={classes.ask} onSubmit={submit} aria-label="Explain">
        <Select
          className={classes.kind!}
          label="Is this"
          data={Object.entries(KIND_WORDS).map(([value, label]) => ({ value, label }))}
          value={kind}
          allowDeselect={false}
          onChange={(value) => setKind((value ?? 'component') as RegistrationKind)}
        />
        <Autocomplete
          className={classes.askedName!}
          label={`visible in ${nameOf(context) || ROOT}?`}
          placeholder="Its name"
          data={knownNames(contexts, kind)}
          limit={20}
          value={name}
          onChange={setName}
          onOptionSubmit={(chosen) => onAsk({ kind, name: chosen })}
        />
        <Button
          type="submit"
          variant="default"
          leftSection={<IconHelpCircle size={16} aria-hidden />}
          disabled={name.trim() === ''}
          loading={answer.isFetching}
        >
          Explain
        </Button>
      </form>
      <div aria-live="polite">
        <ProblemNote error={answer.error} />
        {question !== undefined && answer.data !== undefined && (
          <ExplanationCard answer={answer.data} onChoose={onChoose} />
        )}
      </div>
    </div>
  )
}
