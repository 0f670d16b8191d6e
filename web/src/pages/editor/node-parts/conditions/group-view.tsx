import { useRef } from 'react'
import type {
  Condition,
  ConditionGroup
} from '../../../../../../src/components/expression/conditions/condition.ts'
import { IconArrowUp, IconPlus, IconX } from '../../../../design/icons/page-icons.ts'
import {
  addGroup,
  addRow,
  DEEPEST_GROUP,
  movePart,
  withoutPart,
  withPart
} from '../../../../editor/conditions/change-group.ts'
import fields from '../../fields/fields.module.css'
import classes from './conditions.module.css'
import { RowView } from './row-view.tsx'
import { WrittenView } from './written-view.tsx'

interface GroupViewProps {
  readonly group: ConditionGroup
  /** 1 for the outermost. */
  readonly depth: number
  readonly label: string
  readonly onChange: (group: ConditionGroup) => void
  readonly isReadOnly: boolean
}

/** Parts that all hold, or one of which does. */
export function GroupView({ group, depth, label, onChange, isReadOnly }: GroupViewProps) {
  const room = useRef<HTMLFieldSetElement>(null)
  const nameOf = (at: number) =>
    `${depth === 1 ? '' : `${label}, `}${isGroup(group.parts[at]) ? 'group' : 'condition'} ${at + 1}`
  const add = (next: ConditionGroup) => {
    onChange(next)
    // What was added is what is filled in next.
    requestAnimationFrame(() => {
      const parts = room.current?.querySelectorAll(':scope > [data-part]') ?? []
      parts[parts.length - 1]?.querySelector('input')?.focus()
    })
  }
  return (
    <fieldset ref={room} className={classes.group} data-depth={depth} aria-label={label}>
      {group.parts.map((part, at) => (
        // Nothing but its place tells one row from another.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div key={at} data-part className={classes.part}>
          {at > 0 && (
            <Joint
              isChosen={at === 1 && !isReadOnly}
              label={label}
              join={group.join}
              onChange={(join) => onChange({ ...group, join })}
            />
          )}
          <div className={classes.beside}>
            <PartView
              part={part}
              depth={depth}
              label={nameOf(at)}
              onChange={(next) => onChange(withPart(group, at, next))}
              isReadOnly={isReadOnly}
            />
            {!isReadOnly && (
              <span className={classes.tools}>
                <button
                  type="button"
                  className={`${fields.tool} nodrag`}
                  aria-label={`Move ${nameOf(at)} up`}
                  disabled={at === 0}
                  onClick={() => onChange(movePart(group, at, -1))}
                >
                  <IconArrowUp size={15} aria-hidden />
                </button>
                <button
                  type="button"
                  className={`${fields.tool} nodrag`}
                  aria-label={`Remove ${nameOf(at)}`}
                  onClick={() => onChange(withoutPart(group, at))}
                >
                  <IconX size={15} aria-hidden />
                </button>
              </span>
            )}
          </div>
        </div>
      ))}
      {!isReadOnly && (
        <div className={classes.adding}>
          <button type="button" className={`${fields.add} nodrag`} onClick={() => add(addRow(group))}>
            <IconPlus size={15} aria-hidden />
            Condition
          </button>
          {depth < DEEPEST_GROUP && (
            <button type="button" className={`${fields.add} nodrag`} onClick={() => add(addGroup(group))}>
              <IconPlus size={15} aria-hidden />
              Group
            </button>
          )}
        </div>
      )}
    </fieldset>
  )
}

function isGroup(part: Condition | undefined): boolean {
  return part?.kind === 'group'
}

interface PartViewProps {
  readonly part: Condition
  readonly depth: number
  readonly label: string
  readonly onChange: (part: Condition) => void
  readonly isReadOnly: boolean
}

function PartView({ part, depth, ...props }: PartViewProps) {
  if (part.kind === 'group') return <GroupView {...props} group={part} depth={depth + 1} />
  if (part.kind === 'written') return <WrittenView {...props} written={part} />
  return <RowView {...props} row={part} />
}

interface JointProps {
  /** The first one is chosen, the others say the same. */
  readonly isChosen: boolean
  readonly label: string
  readonly join: ConditionGroup['join']
  readonly onChange: (join: ConditionGroup['join']) => void
}

function Joint({ isChosen, label, join, onChange }: JointProps) {
  if (!isChosen) return <span className={classes.joint}>{join}</span>
  return (
    <select
      className={`${classes.join} nodrag`}
      aria-label={`${label}: all of them, or one of them`}
      value={join}
      onChange={(event) => onChange(event.target.value as ConditionGroup['join'])}
    >
      <option value="and">and</option>
      <option value="or">or</option>
    </select>
  )
}
