import { useComments } from '../../../api/comments.ts'
import { useOthers } from '../../../api/presence.ts'
import { counted } from '../../../design/counted.ts'
import { IconMessage } from '../../../design/icons/component-icons.ts'
import { useEditor } from '../editor-context.ts'
import classes from './company.module.css'
import { initialsOf } from './initials.ts'
import { showComments } from './show-comments.tsx'

/** Below a node: who else looks at it, and how many comments on it are open. */
export function CompanyMark({ node }: { readonly node: string }) {
  const editor = useEditor()
  const here = useOthers(editor.flowId).filter((other) => other.node === node)
  const open = useComments(editor.flowId).filter((each) => each.node === node && each.done_at === null)
  return (
    <>
      {here.map(({ page, name }) => (
        <span key={page} className={classes.here} title={`${name} is here`}>
          {initialsOf(name)}
        </span>
      ))}
      {open.length > 0 && (
        <button
          type="button"
          className={`${classes.open} nodrag`}
          aria-label={counted(open.length, 'open comment')}
          onClick={() => {
            editor.select({ parts: new Set([node]), wires: new Set() })
            showComments(editor)
          }}
        >
          <IconMessage size={13} aria-hidden />
          {open.length}
        </button>
      )}
    </>
  )
}
