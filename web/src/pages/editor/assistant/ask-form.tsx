import { Button, Checkbox, Textarea } from '@mantine/core'
import { useId, useState } from 'react'
import { useModelConnections } from '../../../flow-parts/use-model-connections.ts'
import { KeyCaps } from '../../../shell/key-caps.tsx'
import type { Repair } from '../asked-for.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import classes from './assistant.module.css'
import {
  firstChoice,
  firstMayShow,
  type ModelChoice,
  rememberChoice,
  rememberMayShow
} from './chosen-model.ts'
import { ModelInputs } from './model-inputs.tsx'
import type { Question } from './use-talk.ts'

interface AskFormProps {
  readonly task: 'describe' | 'change' | 'repair' | 'go on'
  /** What stands in it at the beginning. */
  readonly words: string
  readonly repair: Repair | undefined
  readonly onNoRepair: () => void
  readonly onAsk: (question: Question) => void
}

const LABELS = {
  describe: 'What should the flow do?',
  change: 'What should change?',
  'go on': 'What else should change?',
  repair: 'Anything to add?'
} as const

const PLACEHOLDERS = {
  describe: 'When an order arrives, look up the customer and send a thank-you mail.',
  change: 'Ask a person before orders over 1000 are confirmed.',
  'go on': 'Name the mail node Thanks.',
  repair: 'Optional: what you know of it'
} as const

const BUTTONS = {
  describe: 'Describe it',
  change: 'Change it',
  'go on': 'Change it',
  repair: 'Repair it'
} as const

/** What is wanted, and of which model; what goes there is said beside the button. */
export function AskForm({ task, words: given, repair, onNoRepair, onAsk }: AskFormProps) {
  const editor = useEditor()
  const context = useEditorState(({ flow }) => flow.context)
  const catalogue = useEditorState((state) => state.catalogue)
  const shownRun = useEditorState((state) => state.run?.id)
  const connections = useModelConnections(context, (type) => catalogue.facts(type)).map(({ name }) => name)
  const [words, setWords] = useState(given)
  const [choice, setChoice] = useState<ModelChoice>(() =>
    firstChoice(localStorage, editor.state().flow, connections)
  )
  const [data, setData] = useState(() => firstMayShow(localStorage))
  const help = useId()
  const run = repair?.run ?? shownRun
  const hasWords = task === 'repair' || words.trim() !== ''
  const isReady = hasWords && choice.connection !== '' && choice.model.trim() !== ''
  const submit = () => {
    if (!isReady) return
    const named = { ...choice, model: choice.model.trim() }
    rememberChoice(localStorage, named)
    onAsk({ ...named, words, data: data && run !== undefined, run, repair })
  }
  return (
    <form
      className={classes.form}
      aria-label={BUTTONS[task]}
      // Its keys are not those that test the draft.
      data-runs-itself
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {repair !== undefined && <Repaired node={repair.node} onLeave={onNoRepair} />}
      <Textarea
        label={LABELS[task]}
        placeholder={PLACEHOLDERS[task]}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={8000}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
          event.preventDefault()
          submit()
        }}
      />
      <ModelInputs context={context} connections={connections} choice={choice} onChange={setChoice} />
      {run !== undefined && (
        <Checkbox
          label={repair === undefined ? 'It may see the data of runs' : 'It may see the data of the run'}
          checked={data}
          onChange={({ target: { checked } }) => {
            setData(checked)
            rememberMayShow(localStorage, checked)
          }}
          aria-describedby={help}
        />
      )}
      <p className={classes.quiet} id={help}>
        {whatGoes(choice.connection, { hasRun: run !== undefined, data, isRepair: repair !== undefined })}
      </p>
      <div className={classes.submit}>
        {/* Not the attribute: a disabled button loses the focus that it has just been used with. */}
        <Button type="submit" aria-disabled={!isReady || undefined} data-disabled={!isReady}>
          {BUTTONS[task]}
        </Button>
        <KeyCaps keys="mod+enter" />
      </div>
    </form>
  )
}

function Repaired({ node, onLeave }: { readonly node: string; readonly onLeave: () => void }) {
  const title = useEditorState(({ flow, catalogue }) => {
    const drawn = flow.nodes.find(({ id }) => id === node)
    return drawn === undefined ? node : catalogue.titleOf(drawn)
  })
  return (
    <p className={classes.repaired}>
      <span>
        <strong>{title}</strong> failed. The model is told its error and its settings, and proposes what mends
        it.
      </span>
      <Button size="compact-xs" variant="subtle" onClick={onLeave}>
        Ask for something else
      </Button>
    </p>
  )
}

interface Going {
  readonly hasRun: boolean
  readonly data: boolean
  readonly isRepair: boolean
}

/** Who reads this decides by it: all that leaves the house is named. */
function whatGoes(connection: string, { hasRun, data, isRepair }: Going): string {
  const to = connection === '' ? 'To the model' : `To ${connection}`
  const always = `${to} go your words, the flow without its secrets, and the names of connections`
  if (!hasRun) return `${always}.`
  const run = isRepair ? 'the run that failed' : 'runs of this flow'
  const error = isRepair ? ' and the error' : ' and how its last run ended, with its error'
  return data
    ? `${always}; from ${run} also what went in and what each node put out.`
    : `${always}${error}. No data of runs goes there.`
}
