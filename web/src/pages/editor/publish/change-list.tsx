import { UnstyledButton } from '@mantine/core'
import { useMemo } from 'react'
import type { DraftReview } from '../../../api/publishing.ts'
import { compareFlows } from '../../../editor/compare/compare-flows.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { useShownNames } from '../session/use-shown-names.ts'
import { ComparisonList } from '../versions/comparison-list.tsx'
import classes from './publish.module.css'
import { otherChangesInWords } from './review-words.ts'

/** What publishing changes, in words; nodes lead to where they stand. */
export function ChangeList({ review }: { readonly review: DraftReview }) {
  const editor = useEditor()
  const names = useShownNames()
  const { nodes, wires } = review
  return (
    <section className={classes.part} aria-label="What changes">
      <h3>What changes</h3>
      <ul className={classes.changes}>
        {nodes.map(({ kind, node, text }) => (
          <li key={`${kind} ${node}`}>
            <UnstyledButton className={classes.change} onClick={() => editor.goTo(node)}>
              <Mark mark={kind} /> {textOf(kind, text)}
            </UnstyledButton>
          </li>
        ))}
        {wires.added.map((wire) => (
          <Line key={`+ ${wire}`} mark="added" text={`Wire ${names.wire(wire)}`} />
        ))}
        {wires.removed.map((wire) => (
          <Line key={`- ${wire}`} mark="removed" text={`Wire ${names.wire(wire)}`} />
        ))}
        {otherChangesInWords(review).map((text) => (
          <Line key={text} mark="changed" text={text} />
        ))}
      </ul>
      <LineByLine />
    </section>
  )
}

type Kind = DraftReview['nodes'][number]['kind']

/** The mark says already that it was added or removed. */
function textOf(kind: Kind, text: string): string {
  return kind === 'changed' ? text : text.replace(new RegExp(` ${kind}$`), '')
}

const WORDS = { added: 'Added', removed: 'Removed', changed: 'Changed' } as const

function Mark({ mark }: { readonly mark: Kind }) {
  return (
    <span className={classes.mark} data-mark={mark}>
      {WORDS[mark]}
    </span>
  )
}

function Line({ mark, text }: { readonly mark: Kind; readonly text: string }) {
  return (
    <li className={classes.change}>
      <Mark mark={mark} /> {text}
    </li>
  )
}

function LineByLine() {
  const live = useEditorState((state) => state.live.document)
  const flow = useEditorState((state) => state.flow)
  const comparison = useMemo(() => compareFlows(live, flow), [live, flow])
  return (
    <details className={classes.lines}>
      <summary>Line by line</summary>
      <div className={classes.compared}>
        <ComparisonList comparison={comparison} />
      </div>
    </details>
  )
}
