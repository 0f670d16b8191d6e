import { Tooltip } from '@mantine/core'
import { type Present, useOthers } from '../../../api/presence.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import classes from './company.module.css'
import { initialsOf } from './initials.ts'

/** More would push the tools away. */
const MOST = 3

/** Who else has the flow open, in the toolbar. A click goes to the node that they look at. */
export function Others() {
  const { flowId } = useEditor()
  const others = useOthers(flowId)
  if (others.length === 0) return null
  const more = others.slice(MOST)
  return (
    <ul className={classes.others} aria-label="Also on this flow">
      {others.slice(0, MOST).map((other) => (
        <li key={other.page}>
          <Other other={other} />
        </li>
      ))}
      {more.length > 0 && (
        <li className={classes.more} title={more.map(({ name }) => name).join(', ')}>
          +{more.length}
        </li>
      )}
    </ul>
  )
}

function Other({ other: { name, node } }: { readonly other: Present }) {
  const editor = useEditor()
  const title = useEditorState(({ flow, catalogue }) => {
    const drawn = flow.nodes.find(({ id }) => id === node)
    return drawn === undefined ? undefined : catalogue.titleOf(drawn)
  })
  const words = title === undefined ? `${name} is on this flow, too` : `${name} is on ${title}`
  return (
    <Tooltip label={words}>
      <button
        type="button"
        className={classes.other}
        onClick={() => node !== null && title !== undefined && editor.goTo(node)}
      >
        <span aria-hidden>{initialsOf(name)}</span>
        <span className="visually-hidden">{words}</span>
      </button>
    </Tooltip>
  )
}
