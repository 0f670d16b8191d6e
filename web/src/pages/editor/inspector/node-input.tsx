import { parseEnd } from '../../../../../src/flows/graph/graph.ts'
import type { JsonValue } from '../../../../../src/flows/json/exact-json.ts'
import { useNodeOutputs } from '../../../api/node-output.ts'
import { ValueView } from '../../../design/value-view/value-view.tsx'
import type { DrawnPort } from '../../../editor/wiring/drawn-ports.ts'
import { outputIn, useEditor, useEditorState } from '../editor-context.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import { PayloadTree } from '../node-parts/template/payload-tree.tsx'
import { pinnedIn } from '../pins/pinned-in.ts'
import classes from './inspector.module.css'
import { useInsertKey } from './use-insert-key.ts'

/** What is pinned before each wire, or came in by it in the shown run, or else most recently; its keys are dragged into any template. */
export function NodeInput({ drawn }: { readonly drawn: DrawnNode }) {
  // What the inside of a region gives back is a value for each item.
  const inputs = drawn.inputs.filter(({ isInside }) => isInside !== true)
  const wired = inputs.filter(({ fedBy }) => fedBy !== undefined)
  const read = useWiredValues(wired)
  const insert = useInsertKey(drawn)
  if (inputs.length === 0) return null
  return (
    <section className={classes.data} aria-label="Input">
      <h3>Input</h3>
      {wired.length === 0 && <p className={classes.quiet}>Nothing is wired to this node.</p>}
      {wired.map((port) => (
        <InputValue
          key={port.name}
          port={port}
          value={read(port)}
          isAlone={inputs.length === 1}
          onInsert={insert !== undefined && readsKeys(port, inputs) ? insert : undefined}
        />
      ))}
    </section>
  )
}

/** Templates are filled with the keys of the data, not with those of other inputs. */
function readsKeys({ name }: DrawnPort, inputs: readonly DrawnPort[]): boolean {
  return name === 'data' || inputs.length === 1
}

interface InputValueProps {
  readonly port: DrawnPort
  readonly value: JsonValue | undefined
  readonly isAlone: boolean
  readonly onInsert: ReturnType<typeof useInsertKey>
}

function InputValue({ port: { name, port, fedBy }, value, isAlone, onInsert }: InputValueProps) {
  const label = `Input ${port.title}`
  const source = fedBy === undefined ? undefined : parseEnd(fedBy.from)?.node
  const isPinned = useEditorState((state) => pinnedIn(state, source) !== undefined)
  return (
    <div className={classes.value} data-input={name}>
      <p className={classes.source}>
        {!isAlone && <strong>{port.title}</strong>} from <code>{fedBy?.from}</code>
        {isPinned && ', pinned'}
      </p>
      {value === undefined && <p className={classes.quiet}>Nothing has come over this wire yet.</p>}
      {value !== undefined && typeof value === 'object' && value !== null && (
        <PayloadTree
          value={value}
          label={label}
          {...(onInsert === undefined ? {} : { onInsert: (path) => onInsert(path, value) })}
        />
      )}
      {value !== undefined && (typeof value !== 'object' || value === null) && (
        <ValueView value={value} label={label} />
      )}
    </div>
  )
}

function useWiredValues(wired: readonly DrawnPort[]): (port: DrawnPort) => JsonValue | undefined {
  const editor = useEditor()
  const run = useEditorState((state) => state.run)
  const pins = useEditorState((state) => state.pins)
  const chosenRun = useEditorState((state) => state.chosenRun)
  const endOf = ({ fedBy }: DrawnPort) => (fedBy === undefined ? undefined : parseEnd(fedBy.from))
  const valueInRun = (port: DrawnPort) => {
    const end = endOf(port)
    return end === undefined ? undefined : outputIn(run, end)
  }
  // All that a pinned node gives is what is pinned: what it gave a run does not take the place of what is silent.
  const pinned = (port: DrawnPort) => pinnedIn({ pins, chosenRun }, endOf(port)?.node)
  const missing = wired.filter((port) => pinned(port) === undefined && valueInRun(port) === undefined)
  const asked = useNodeOutputs(editor.flowId, [
    ...new Set(missing.flatMap((port) => endOf(port)?.node ?? []))
  ])
  return (port) => {
    const end = endOf(port)
    const pin = pinned(port)
    if (pin !== undefined) return pin.outputs[end!.port]
    return valueInRun(port) ?? (end === undefined ? undefined : asked.get(end.node)?.outputs[end.port])
  }
}
