import { Link } from 'react-router'
import { counted } from '../../design/counted.ts'
import { IconChevronDown, IconChevronRight, IconFolder } from '../../design/icons/page-icons.ts'
import classes from './folders.module.css'
import type { Folder } from './group-flows.ts'

interface FolderRowProps {
  readonly folder: Folder
  readonly isClosed: boolean
  readonly onToggle: () => void
}

/** The head of the flows that live in one context, with the whole path to it. */
export function FolderRow({ folder: { context, flows }, isClosed, onToggle }: FolderRowProps) {
  const Chevron = isClosed ? IconChevronRight : IconChevronDown
  return (
    <li className={classes.folder}>
      <button
        type="button"
        className={classes.toggle}
        aria-expanded={!isClosed}
        aria-label={`Folder ${context}`}
        onClick={onToggle}
      >
        <Chevron size={14} aria-hidden />
        <IconFolder size={15} aria-hidden />
      </button>
      <Link
        to={`/contexts?context=${encodeURIComponent(context)}`}
        className={classes.path}
        title="Open the context"
      >
        {context}
      </Link>
      <span className={classes.count}>{counted(flows.length, 'flow')}</span>
    </li>
  )
}
