import { words } from '../../../../../src/flows/template/plain-words.ts'
import type { Change, Changed, Comparison } from '../../../editor/compare/compare-flows.ts'
import type { Edge, Node, Note } from '../../../editor/graph/flow.ts'
import { useEditorState } from '../editor-context.ts'
import { ChangeView } from './change-view.tsx'
import classes from './versions.module.css'

/** What is different between two states of a flow, part by part and line by line. */
export function ComparisonList({ comparison }: { readonly comparison: Comparison }) {
  const catalogue = useEditorState((state) => state.catalogue)
  const { flow, nodes, notes, edges } = comparison
  const title = (node: Node) => words`${catalogue.titleOf(node)} (${node.id})`
  const noteTitle = ({ id }: Note) => `Note (${id})`
  return (
    <>
      {flow.length > 0 && <ChangedPart title="The flow" changes={flow} />}
      {nodes.added.map((node) => (
        <Whole key={node.id} mark="added" title={title(node)} />
      ))}
      {nodes.removed.map((node) => (
        <Whole key={node.id} mark="removed" title={title(node)} />
      ))}
      {changedOf(nodes.changed).map(({ id, after, changes }) => (
        <ChangedPart key={id} title={title(after)} changes={changes} />
      ))}
      {notes.added.map((note) => (
        <Whole key={note.id} mark="added" title={noteTitle(note)} />
      ))}
      {notes.removed.map((note) => (
        <Whole key={note.id} mark="removed" title={noteTitle(note)} />
      ))}
      {changedOf(notes.changed).map(({ id, after, changes }) => (
        <ChangedPart key={id} title={noteTitle(after)} changes={changes} />
      ))}
      <Wires mark="added" edges={edges.added} />
      <Wires mark="removed" edges={edges.removed} />
    </>
  )
}

function changedOf<T>(changed: readonly Changed<T>[]): Changed<T>[] {
  return changed.filter(({ changes }) => changes.length > 0)
}

const WORDS = { added: 'Added', removed: 'Removed' } as const

function Whole({ mark, title }: { readonly mark: keyof typeof WORDS; readonly title: string }) {
  return (
    <p className={classes.whole} data-mark={mark}>
      <span className={classes.mark}>{WORDS[mark]}</span> {title}
    </p>
  )
}

function ChangedPart({ title, changes }: { readonly title: string; readonly changes: readonly Change[] }) {
  return (
    <div className={classes.part}>
      <p className={classes.whole} data-mark="changed">
        <span className={classes.mark}>Changed</span> {title}
      </p>
      {changes.map((change) => (
        <ChangeView key={`${change.isField}-${change.name}`} change={change} />
      ))}
    </div>
  )
}

function Wires({ mark, edges }: { readonly mark: keyof typeof WORDS; readonly edges: readonly Edge[] }) {
  return edges.map(({ from, to }) => (
    <p key={`${from} ${to}`} className={classes.whole} data-mark={mark}>
      <span className={classes.mark}>{WORDS[mark]}</span> wire {from} → {to}
    </p>
  ))
}
