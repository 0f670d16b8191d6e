import type { JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import { copyText } from '../../../../design/copy-text.ts'
import { notifyDone } from '../../../../design/notify.tsx'
import { type Path, ValueTree } from '../../../../design/value-view/value-tree.tsx'
import { templatePathOf } from '../../../../editor/template/insert-key.ts'
import { wheelInside } from '../wheel-inside.ts'
import classes from './payload-tree.module.css'

interface PayloadTreeProps {
  readonly value: JsonValue
  /** What the value is, for screen readers. */
  readonly label: string
  /** Puts a key into a template. Without it, choosing a key copies its variable. */
  readonly onInsert?: (path: Path) => void
}

/** A payload whose keys can be dragged into any template; by keyboard, Enter on a key chooses it. */
export function PayloadTree({ value, label, onInsert }: PayloadTreeProps) {
  const variableOf = (path: Path) => {
    const found = templatePathOf(path, value)
    return 'text' in found ? `{${found.text}}` : undefined
  }
  const drag = {
    textFor: variableOf,
    onChoose: onInsert ?? ((path: Path) => void copyVariable(variableOf(path))),
    ...(onInsert === undefined ? { verb: 'Copy' } : {})
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls has to be reached by keyboard.
    <section className={`${classes.tree} nodrag`} tabIndex={0} aria-label={label} {...wheelInside}>
      <ValueTree value={value} drag={drag} />
    </section>
  )
}

async function copyVariable(variable: string | undefined): Promise<void> {
  if (variable !== undefined && (await copyText(variable)))
    notifyDone(`Copied ${variable}. Paste it into a template.`)
}
