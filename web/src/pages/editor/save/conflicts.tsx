import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { writeJson } from '../../../../../src/flows/json/exact-json.ts'
import { findNode } from '../../../editor/graph/flow.ts'
import { type Choice, type Conflict, describeConflict } from '../../../editor/merge/conflict.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { useSaving } from '../session/saving-context.ts'
import { CONFLICTS } from './conflicts-panel.ts'
import classes from './save.module.css'

const NONE: readonly Conflict[] = []

/** Where two editors have changed the same thing: both are shown, and nothing is saved until each is decided. */
export function Conflicts() {
  const editor = useEditor()
  const saving = useSaving()
  const conflicts = useEditorState(({ save }) => (save?.theirs === undefined ? NONE : save.conflicts))
  const isResolved = useEditorState(({ save }) => save?.theirs === undefined)
  // Together, and not one by one: the last choice of all would be taken before it could be thought over.
  const [chosen, setChosen] = useState<ReadonlyMap<string, Choice>>(new Map())
  useEffect(() => {
    if (isResolved && editor.state().panel?.id === CONFLICTS) editor.closePanel()
  }, [isResolved, editor])
  if (isResolved) return null
  const chooseAll = (choice: Choice) => setChosen(new Map(conflicts.map(({ id }) => [id, choice])))
  const isDecided = conflicts.every(({ id }) => chosen.has(id))
  const apply = () => {
    for (const { id } of conflicts) saving.choose(id, chosen.get(id)!)
  }
  return (
    <div className={classes.conflicts}>
      <p className={classes.faultLink}>
        Somebody else has changed this flow while you were editing. Where only one of you changed something,
        that change is kept. {conflicts.length === 1 ? 'This was' : 'These were'} changed by both: choose for
        each. Until then nothing of yours is saved, and nothing is lost.
      </p>
      <div className={classes.allAtOnce}>
        <Button size="xs" variant="default" onClick={() => chooseAll('mine')}>
          Keep all of mine
        </Button>
        <Button size="xs" variant="default" onClick={() => chooseAll('theirs')}>
          Take all of theirs
        </Button>
      </div>
      {conflicts.map((conflict) => (
        <ConflictView
          key={conflict.id}
          conflict={conflict}
          chosen={chosen.get(conflict.id)}
          onChoose={(choice) => setChosen(new Map(chosen).set(conflict.id, choice))}
        />
      ))}
      <Button disabled={!isDecided} onClick={apply}>
        Keep these
      </Button>
    </div>
  )
}

interface ConflictViewProps {
  readonly conflict: Conflict
  readonly chosen: Choice | undefined
  readonly onChoose: (choice: Choice) => void
}

function ConflictView({ conflict, chosen, onChoose }: ConflictViewProps) {
  const flow = useEditorState((state) => state.flow)
  const catalogue = useEditorState((state) => state.catalogue)
  const titleOf = (id: string) => {
    const node = findNode(flow, id)
    return node === undefined ? id : catalogue.titleOf(node)
  }
  const title = describeConflict(conflict, titleOf)
  return (
    <fieldset className={classes.conflict}>
      <legend>{title}</legend>
      {SIDES.map(([choice, title]) => (
        <Side
          key={choice}
          conflict={conflict}
          choice={choice}
          title={title}
          isChosen={chosen === choice}
          onChoose={() => onChoose(choice)}
        />
      ))}
    </fieldset>
  )
}

const SIDES = [
  ['mine', 'Yours'],
  ['theirs', 'Theirs']
] as const

interface SideProps {
  readonly conflict: Conflict
  readonly choice: Choice
  readonly title: string
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function Side({ conflict, choice, title, isChosen, onChoose }: SideProps) {
  const value = conflict[choice]
  return (
    <label className={classes.side} data-chosen={isChosen || undefined}>
      <span className={classes.sideTitle}>
        <input type="radio" name={conflict.id} checked={isChosen} onChange={onChoose} />
        {title}
      </span>
      {value === undefined ? (
        <em className={classes.absent}>{conflict.part === 'wire' ? 'No wire' : 'Removed'}</em>
      ) : (
        <pre className={classes.value}>{textOf(value)}</pre>
      )}
    </label>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : writeJson(value, 2)
}
