import { words } from '../../../../../src/flows/template/plain-words.ts'
import type { Change, Changed, Comparison } from '../../../editor/compare/compare-flows.ts'
import { type Edge, LAYOUT_MEMBERS, type Node, type Note } from '../../../editor/graph/flow.ts'
import { useEditorState } from '../editor-context.ts'
import { ChangeView } from './change-view.tsx'
import classes from './versions.module.css'

interface ComparisonListProps {
  readonly comparison: Comparison
  /** With what stands in the fields of new nodes: for who decides about what somebody else has made. */
  readonly isWhole?: boolean
}

/** What is different between two states of a flow, part by part and line by line. */
export function ComparisonList({ comparison, isWhole = false }: ComparisonListProps) {
  const catalogue = useEditorState((state) => state.catalogue)
  const { flow, nodes, notes, edges } = comparison
  const title = (node: Node) => words`${catalogue.titleOf(node)} (${node.id})`
  const noteTitle = ({ id }: Note) => `Note (${id})`
  return (
    <>
      {flow.length > 0 && <ChangedPart title="The flow" changes={flow} />}
      {nodes.added.map((node) => (
        <Whole
          key={node.id}
          mark="added"
          title={title(node)}
          changes={isWhole ? contentsOf(node) : NO_CHANGES}
        />
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

const NO_CHANGES: readonly Change[] = []
/** What is said of a node by its title, or drawn. */
const NOT_CONTENTS: readonly string[] = ['id', 'type', 'title', 'fields', ...LAYOUT_MEMBERS]

function contentsOf(node: Node): Change[] {
  const change =
    (isField: boolean) =>
    ([name, after]: [string, unknown]) => ({
      ...{ isField, name, after },
      before: undefined
    })
  const members = Object.entries(node).filter(([name]) => !NOT_CONTENTS.includes(name))
  return [...Object.entries(node.fields).map(change(true)), ...members.map(change(false))]
}

interface WholeProps {
  readonly mark: keyof typeof WORDS
  readonly title: string
  readonly changes?: readonly Change[]
}

function Whole({ mark, title, changes = NO_CHANGES }: WholeProps) {
  return (
    <div className={classes.part}>
      <p className={classes.whole} data-mark={mark}>
        <span className={classes.mark}>{WORDS[mark]}</span> {title}
      </p>
      {changes.map((change) => (
        <ChangeView key={`${change.isField}-${change.name}`} change={change} />
      ))}
    </div>
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
