import { UnstyledButton } from '@mantine/core'
import { memo } from 'react'
import { Link, NavLink } from 'react-router'
import { MOST_APPROVALS, useOpenApprovals } from '../api/approvals.ts'
import { IconKeyboard, IconSearch } from '../design/icons/page-icons.ts'
import { BrandMark } from './brand-mark.tsx'
import { openPalette } from './command-palette.tsx'
import { KeyCaps } from './key-caps.tsx'
import classes from './navigation.module.css'
import { PLACES } from './places.ts'

interface NavigationProps {
  readonly onShowShortcuts: () => void
}

/** A rail at the side; on a phone, a bar at the bottom. Not drawn again whenever a flow has changed, as the shell is. */
export const Navigation = memo(function Navigation({ onShowShortcuts }: NavigationProps) {
  return (
    <nav className={classes.rail} aria-label="Main">
      <Link to="/flows" className={classes.brand} aria-label="Millrace">
        <BrandMark />
      </Link>
      {PLACES.map(({ to, title, Icon }) => (
        <NavLink key={to} to={to} className={classes.place!}>
          <Icon size={20} stroke={1.6} aria-hidden />
          <span>{title}</span>
          {to === '/approvals' && <OpenCount />}
        </NavLink>
      ))}
      <div className={classes.tools}>
        <UnstyledButton className={classes.tool} onClick={openPalette} aria-label="Search commands">
          <IconSearch size={18} stroke={1.7} aria-hidden />
          <KeyHint keys="mod+k" />
        </UnstyledButton>
        <UnstyledButton className={classes.tool} onClick={onShowShortcuts} aria-label="Keyboard shortcuts">
          <IconKeyboard size={18} stroke={1.7} aria-hidden />
          <KeyHint keys="?" />
        </UnstyledButton>
      </div>
    </nav>
  )
})

/** How many questions wait for an answer. */
function OpenCount() {
  const { length } = useOpenApprovals()
  if (length === 0) return null
  return (
    <span className={classes.count}>
      {length < MOST_APPROVALS ? length : `${MOST_APPROVALS - 1}+`}
      <span className="visually-hidden"> open</span>
    </span>
  )
}

/** By style alone: Mantine's Tooltip brings a library along that everybody would wait for before anything is drawn. */
function KeyHint({ keys }: { readonly keys: string }) {
  return (
    <span className={classes.hint} aria-hidden>
      <KeyCaps keys={keys} />
    </span>
  )
}
