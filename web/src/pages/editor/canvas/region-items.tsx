import { Link } from 'react-router'
import { IconChevronLeft } from '../../../design/icons/editor-icons.ts'
import { IconChevronRight } from '../../../design/icons/page-icons.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import classes from './region.module.css'

/** Which item of the shown run the nodes inside are marked by, and the ones beside it. */
export function RegionItems({ region }: { readonly region: string }) {
  const editor = useEditor()
  const item = useEditorState(({ items }) => items.get(region))
  if (item === undefined) return null
  const { run, count } = item
  const index = run.parent?.index ?? 0
  const word = run.trigger === 'repeat' ? 'Round' : 'Item'
  const step = (by: -1 | 1) => (
    <button
      type="button"
      className={classes.item}
      aria-label={`${by < 0 ? 'Previous' : 'Next'} ${word.toLowerCase()}`}
      aria-disabled={(by < 0 ? index === 0 : index + 1 >= count) || undefined}
      onClick={() => editor.showItem(region, Math.min(Math.max(index + by, 0), count - 1))}
    >
      {by < 0 ? <IconChevronLeft size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
    </button>
  )
  return (
    <span className={`${classes.items} nodrag nopan`}>
      {step(-1)}
      <Link to={`/runs/${run.id}`} title={`Open the run of this ${word.toLowerCase()}`}>
        {word} {index.toLocaleString('en')}
      </Link>
      {/* Items are counted from 0, as `index` and errors do: "2 of 3" would be taken for the second. */}
      <span>of 0–{(count - 1).toLocaleString('en')}</span>
      {step(1)}
    </span>
  )
}
