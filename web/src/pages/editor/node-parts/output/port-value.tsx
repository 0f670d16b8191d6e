import type { Port } from '../../../../../../src/flows/component/ports.ts'
import type { JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import { copyText } from '../../../../design/copy-text.ts'
import { notifyDone } from '../../../../design/notify.tsx'
import type { PathDrag } from '../../../../design/value-view/value-tree.tsx'
import { ValueView } from '../../../../design/value-view/value-view.tsx'
import { pathText } from '../../../../editor/template/template-path.ts'

interface PortValueProps {
  readonly value: JsonValue
  readonly label: string
  /** Undefined where the component is not there any more. */
  readonly port: Port | undefined
  /** The node and the output that it is of: keys can be dragged into templates of nodes that follow. */
  readonly of?: { readonly node: string; readonly output: string }
}

/** What left a node by one of its outputs; rows are a table at first sight. */
export function PortValue({ value, label, port, of }: PortValueProps) {
  const first = port?.type === 'table' ? { initialView: 'table' as const } : {}
  const drag = of === undefined ? {} : { drag: referenceDrag(of) }
  return <ValueView value={value} label={label} {...first} {...drag} />
}

function referenceDrag({ node, output }: NonNullable<PortValueProps['of']>): PathDrag {
  const textFor: PathDrag['textFor'] = (path) => {
    const text = pathText(['nodes', node, output, ...path])
    return text === undefined ? undefined : `{$${text}}`
  }
  return { textFor, onChoose: (path) => void copyReference(textFor(path)), verb: 'Copy' }
}

async function copyReference(reference: string | undefined): Promise<void> {
  if (reference !== undefined && (await copyText(reference)))
    notifyDone(`Copied ${reference}. Paste it into a template of a node that follows.`)
}
