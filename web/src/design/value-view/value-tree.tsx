import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { asFile } from '../../../../src/flows/file-value.ts'
import { isPlainObject, type JsonValue } from '../../../../src/flows/json/exact-json.ts'
import { withSignsShown } from '../../../../src/flows/template/signs-shown.ts'
import { ShownFile } from '../../file-parts/shown-file.tsx'
import { counted } from '../counted.ts'
import { IconChevronRight } from '../icons/page-icons.ts'
import { Scalar } from './scalar.tsx'
import classes from './value-view.module.css'

export type Path = readonly (string | number)[]

export interface PathDrag {
  /** What stands for a path when it is dropped somewhere, for example `{items[0].sku}`; undefined where nothing can. */
  readonly textFor: (path: Path) => string | undefined
  /** The same by click and by keyboard. */
  readonly onChoose: (path: Path) => void
  /** What choosing does: "Insert", where nothing else is said. */
  readonly verb?: string
}

/** Members of one level that are shown before somebody asks for more; fewer further in, since levels multiply. */
const PAGE = 100
const INNER_PAGE = 25
/** Levels that are open at first, where there is not much beside them. */
const OPEN_DEPTH = 2
const OPEN_BESIDE = 12

/** A key may be empty: as nothing it would look like a mistake of the page. */
const NAMELESS = '""'

export function ValueTree({ value, drag }: { readonly value: JsonValue; readonly drag?: PathDrag }) {
  if (!isBranch(value)) return <Scalar value={value} />
  const file = asFile(value)
  return (
    <>
      {file !== undefined && <ShownFile file={file} />}
      <Members value={value} path={[]} {...(drag === undefined ? {} : { drag })} />
    </>
  )
}

type Branch = JsonValue[] | { [key: string]: JsonValue }

interface MembersProps {
  readonly value: Branch
  readonly path: Path
  readonly drag?: PathDrag
}

function Members({ value, path, drag }: MembersProps) {
  const [shown, setShown] = useState(path.length === 0 ? PAGE : INNER_PAGE)
  const entries: [string | number, JsonValue][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(value)
  if (entries.length === 0)
    return <span className={classes.hint}>{Array.isArray(value) ? '[ ]' : '{ }'}</span>
  return (
    <ul className={classes.members}>
      {entries.slice(0, shown).map(([key, member]) => (
        <Member
          key={key}
          name={key}
          value={member}
          path={[...path, key]}
          isOpenAtFirst={path.length < OPEN_DEPTH && entries.length <= OPEN_BESIDE}
          {...(drag === undefined ? {} : { drag })}
        />
      ))}
      {entries.length > shown && (
        <li>
          <UnstyledButton className={classes.more} onClick={() => setShown(shown + 10 * PAGE)}>
            {entries.length - shown} more
          </UnstyledButton>
        </li>
      )}
    </ul>
  )
}

interface MemberProps {
  readonly name: string | number
  readonly isOpenAtFirst: boolean
  readonly value: JsonValue
  readonly path: Path
  readonly drag?: PathDrag
}

function Member({ name, value, path, isOpenAtFirst, drag }: MemberProps) {
  const file = asFile(value)
  const [isOpen, setOpen] = useState(isOpenAtFirst && file === undefined)
  const key = <Key name={name} path={path} {...(drag === undefined ? {} : { drag })} />
  if (!isBranch(value)) {
    return (
      <li className={classes.leaf}>
        {key}
        <Scalar value={value} />
      </li>
    )
  }
  return (
    <li>
      <span className={classes.branch}>
        <UnstyledButton
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Close' : 'Open'} ${name}`}
          onClick={() => setOpen(!isOpen)}
        >
          <IconChevronRight size={14} aria-hidden data-open={isOpen || undefined} />
        </UnstyledButton>
        {key}
        <span className={classes.hint}>{file === undefined ? sizeOf(value) : 'file'}</span>
      </span>
      {file !== undefined && (
        <div className={classes.file}>
          <ShownFile file={file} />
        </div>
      )}
      {isOpen && <Members value={value} path={path} {...(drag === undefined ? {} : { drag })} />}
    </li>
  )
}

function Key({
  name,
  path,
  drag
}: {
  readonly name: string | number
  readonly path: Path
  readonly drag?: PathDrag
}) {
  const entry = (
    <span className={typeof name === 'number' ? classes.index : classes.key}>
      {name === '' ? NAMELESS : withSignsShown(String(name))}
    </span>
  )
  const text = drag?.textFor(path)
  if (drag === undefined || text === undefined) return entry
  return (
    <UnstyledButton
      className={classes.draggable}
      draggable
      onDragStart={(event) => {
        event.dataTransfer.setData('text/plain', text)
        event.dataTransfer.effectAllowed = 'copy'
      }}
      onClick={() => drag.onChoose(path)}
      title={`${drag.verb ?? 'Insert'} ${text}`}
    >
      {entry}
    </UnstyledButton>
  )
}

function isBranch(value: JsonValue): value is Branch {
  return Array.isArray(value) || isPlainObject(value)
}

function sizeOf(value: Branch): string {
  const count = Array.isArray(value) ? value.length : Object.keys(value).length
  return counted(count, Array.isArray(value) ? 'item' : 'key')
}
