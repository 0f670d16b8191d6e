import { useMay } from '../../api/session.ts'
import type { ListedFlow } from '../../api/shapes.ts'
import { IconTag } from '../../design/icons/list-icons.ts'
import { IconPlus, IconX } from '../../design/icons/page-icons.ts'
import classes from './flow-tags.module.css'

interface FlowTagsProps {
  readonly flow: ListedFlow
  readonly onEdit: () => void
  readonly onTag: (tag: string) => void
  readonly onRemove: (tag: string) => void
}

/** The tags of a flow: each leads to those that have it too, and can be taken away. */
export function FlowTags({ flow, onEdit, onTag, onRemove }: FlowTagsProps) {
  const mayWrite = useMay('write')
  const { tags = [] } = flow
  return (
    <span className={classes.tags}>
      {tags.map((tag) => (
        <span key={tag} className={classes.tag}>
          <button
            type="button"
            className={classes.name}
            title="Show flows with this tag"
            onClick={() => onTag(tag)}
          >
            {tag}
          </button>
          {mayWrite && (
            <button
              type="button"
              className={classes.remove}
              aria-label={`Remove the tag ${tag} from ${flow.name}`}
              onClick={() => onRemove(tag)}
            >
              <IconX size={11} aria-hidden />
            </button>
          )}
        </span>
      ))}
      {mayWrite && (
        <button
          type="button"
          className={classes.add}
          aria-label={`Edit the tags of ${flow.name}`}
          onClick={onEdit}
        >
          {tags.length === 0 ? <IconTag size={13} aria-hidden /> : <IconPlus size={13} aria-hidden />}
        </button>
      )}
    </span>
  )
}
