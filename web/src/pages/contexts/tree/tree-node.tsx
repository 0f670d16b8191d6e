import { counted } from '../../../design/counted.ts'
import { IconChevronDown, IconChevronRight, IconEye, IconMapPin } from '../../../design/icons/page-icons.ts'
import { kindAppearance } from '../context-kind.tsx'
import classes from './context-tree.module.css'
import { NODE, type Relation, type TreeItem } from './tree-layout.ts'

interface TreeNodeProps {
  readonly item: TreeItem
  readonly isNarrow: boolean
  readonly relation: Relation
  readonly isMarked: boolean
  readonly isInTabOrder: boolean
  readonly onChoose: () => void
  readonly onToggle: () => void
  readonly onKeyDown: (event: React.KeyboardEvent) => void
  readonly nodeRef: React.RefCallback<HTMLElement>
}

export function TreeNode({ item, isNarrow, relation, isMarked, isInTabOrder, ...on }: TreeNodeProps) {
  const { context, level, position, siblings, isExpanded, x, y } = item
  const { word, Icon } = kindAppearance(context)
  const width = isNarrow ? `calc(100% - ${x}px)` : NODE.width
  const onClick = (event: React.MouseEvent) => {
    const isToggle = (event.target as Element).closest('[data-toggle]') !== null
    if (isToggle) on.onToggle()
    else on.onChoose()
  }
  return (
    <div
      ref={on.nodeRef}
      role="treeitem"
      className={classes.node}
      style={{ left: x, top: y, width, height: NODE.height }}
      data-kind={context.kind}
      data-relation={relation}
      data-marked={isMarked || undefined}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={isExpanded}
      aria-selected={relation === 'chosen'}
      title={context.path}
      tabIndex={isInTabOrder ? 0 : -1}
      onClick={onClick}
      onKeyDown={on.onKeyDown}
    >
      <Icon size={18} stroke={1.7} aria-hidden className={classes.icon} />
      <span className={classes.label}>
        <span className={classes.name}>{context.path === '/' ? 'Root' : context.name}</span>
        <span className={classes.counts}>{counts(item)}</span>
        <span className="visually-hidden">
          {word}
          {relation === 'above' && ', seen from the chosen one'}
        </span>
      </span>
      <span className={classes.badges}>
        {isMarked && <IconMapPin size={16} aria-hidden className={classes.pin} />}
        {relation === 'above' && <IconEye size={16} aria-hidden className={classes.eye} />}
      </span>
      {isExpanded !== undefined && (
        <span className={classes.toggle} data-toggle aria-hidden>
          {isExpanded ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
        </span>
      )}
    </div>
  )
}

function counts({ context: { registers, flows } }: TreeItem): string {
  const own = registers.length === 0 ? [] : [`${registers.length} registered`]
  const inside = flows.length === 0 ? [] : [counted(flows.length, 'flow')]
  return [...own, ...inside].join(' · ') || 'nothing registered'
}
